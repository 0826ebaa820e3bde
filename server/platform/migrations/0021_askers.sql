-- Of what is open: since when the call that asked is gone, and may still come back.
alter table inquiries add column asker_gone_at bigint;
-- 1: a call waited for it, and no webhook tells what becomes of it.
alter table inquiries add column awaited integer not null default 0;
-- When that call should have picked up what was answered, and when it was found that it had not.
alter table inquiries add column pickup_due_at bigint;
alter table inquiries add column not_picked_up_at bigint;
create index inquiries_pickup_due on inquiries (pickup_due_at) where pickup_due_at is not null and collected_at is null;
create index inquiries_not_picked_up on inquiries (digest) where not_picked_up_at is not null and collected_at is null;
