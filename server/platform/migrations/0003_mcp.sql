-- A running node that other nodes pass the requests of a session on to.
create table nodes (
  id text primary key,
  url text not null,
  seen_at bigint not null
);

-- A gate before an upstream MCP server, as its owner configured it; its credentials are sealed.
create table gates (
  name text primary key,
  config text not null,
  sealed text,
  changed_at bigint not null
);

-- An approved call that its upstream answered with a question of its own: the retry passes, once.
create table gate_continuations (
  id text primary key,
  inquiry_id text not null references inquiries (id) on delete cascade,
  args text,
  expires_at bigint not null
);
create index gate_continuations_expires on gate_continuations (expires_at);
create index gate_continuations_inquiry on gate_continuations (inquiry_id);
