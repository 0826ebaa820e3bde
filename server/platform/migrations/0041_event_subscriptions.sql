-- Who subscribed over MCP to what happens to a source's inquiries, of one of them or of all. Both secrets are sealed; the one
-- before signs too until `old_until`.
create table event_subscriptions (
  id text primary key,
  source_id text not null references sources (id),
  name text not null,
  inquiry_id text,
  url text not null,
  secret text not null,
  old_secret text,
  old_until bigint,
  created_at bigint not null,
  expires_at bigint not null
);
create index event_subscriptions_source on event_subscriptions (source_id, name);
create index event_subscriptions_expires on event_subscriptions (expires_at);

-- Whether there may be one: whoever has none costs a resolution no statement.
alter table sources add column subscribed integer not null default 0;

-- Of which one a webhook is.
alter table deliveries add column subscription_id text;
create index deliveries_subscription on deliveries (subscription_id, id) where subscription_id is not null;
