-- Which source a session of an upstream over HTTP belongs to; the id is a hash of the gate and the session's own.
create table gate_sessions (
  id text primary key,
  source_id text not null references sources (id) on delete cascade,
  seen_at bigint not null
);
create index gate_sessions_source on gate_sessions (source_id);
create index gate_sessions_seen on gate_sessions (seen_at);
