-- Since when the webhooks of a source wait, because its owner paused them.
alter table sources add column webhooks_paused_at bigint;
-- An endpoint that fails: since when, when it worked again, and the notice that tells the owner.
create table failing_endpoints (
  queue text primary key,
  source_id text not null references sources (id),
  since bigint not null,
  worked_at bigint,
  notice_id text
);
create index failing_endpoints_source on failing_endpoints (source_id, notice_id);
create index failing_endpoints_since on failing_endpoints (since) where worked_at is null;
create index failing_endpoints_worked on failing_endpoints (queue) where worked_at is not null;
