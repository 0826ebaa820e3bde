-- When an open inquiry is asked of further people next, and of whom it was asked so far beside those asked first.
alter table inquiries add column escalate_at bigint;
alter table inquiries add column escalated text;
create index inquiries_escalate on inquiries (escalate_at) where resolution is null and escalate_at is not null;
-- When an escalation asked this person; null: they were asked first.
alter table recipients add column asked_at bigint;
-- Whom this source asks when nobody answers, where its ask does not say it.
alter table sources add column escalate text;
