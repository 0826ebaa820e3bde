-- An address through which a platform asks that cannot send our headers. It is a source of its own, whose key nobody has:
-- where its answers go is the source's webhook, and `answer` is their body, where it is not a webhook's own.
create table connections (
  source_id text primary key references sources (id),
  kind text not null,
  config text not null,
  answer text,
  sealed text,
  token_hash text not null,
  changed_at bigint not null
);
create unique index connections_token on connections (token_hash);
