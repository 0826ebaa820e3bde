-- Sessions of older MCP clients, for the restarted hub or another node to go on with.
create table mcp_sessions (
  id text primary key,
  owner text not null,
  node text not null,
  initialize text not null,
  seen_at bigint not null
);
create index mcp_sessions_owner on mcp_sessions (owner, seen_at);
create index mcp_sessions_seen on mcp_sessions (seen_at);
-- Calls that wait in them: the message by the stream on which its result is due.
create table mcp_calls (
  stream text primary key,
  session text not null references mcp_sessions (id) on delete cascade,
  message text not null,
  ordinal integer not null
);
create index mcp_calls_session on mcp_calls (session);
