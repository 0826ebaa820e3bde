-- A request for a source's key is an enrolment of the kind `source`: `host` is the machine that asks, `polled_at` when it
-- asked for its key last, `pace` how many seconds it has to leave between two times.
alter table enrolments add column host text;
alter table enrolments add column polled_at bigint;
alter table enrolments add column pace integer;
