-- How long the client of a source waited before it gave up on an open question, the last time and how often in a row alike.
alter table sources add column gave_up_count bigint not null default 0;
alter table sources add column gave_up_ms bigint;
alter table sources add column gave_up_of_ms bigint;
alter table sources add column gave_up_at bigint;
