-- What the client of a gate's session calls itself, as JSON; null: it did not, or the session is older than this column.
alter table gate_sessions add column client text;
-- Clients that once gave up on an open question although they were shown progress, and after how long.
create table impatient_clients (
  source_id text not null references sources (id) on delete cascade,
  client text not null,
  gave_up_ms bigint not null,
  gave_up_at bigint not null,
  primary key (source_id, client)
) /* sqlite: without rowid */;
