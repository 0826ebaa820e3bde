-- An address through which a platform asks that cannot send our headers. It is a source of its own, whose key nobody has:
-- where its answers go is the source's webhook, and `answer` is their body, where it is not a webhook's own.
create table connections (
  source_id text primary key references sources (id),
  kind text not null,
  config text not null,
  answer text,
  sealed text,
  token_hash text not null,
  changed_at bigint not null,
  look_at bigint
);
create unique index connections_token on connections (token_hash);

-- The last contacts with a platform. No body, header or token is kept; what was asked stands in its inquiries.
create table connection_contacts (
  id text primary key,
  source_id text not null references connections (source_id) on delete cascade,
  at bigint not null,
  what text not null,
  status integer,
  ms bigint not null,
  problem text,
  inquiries text not null
);
create index connection_contacts_newest on connection_contacts (source_id, id);
