-- A source that may make, change and remove instances of the Agent Approval Protocol, which are sources too.
alter table sources add column may_provision integer not null default 0;
-- Whose events these are where a receiver does not take the hub's own webhooks: "aap".
alter table deliveries add column protocol text;

-- The sources that a provisioner made; `url` is the receiver that it verified, null without one.
create table aap_instances (
  source_id text primary key references sources (id) on delete cascade,
  provisioner_id text not null references sources (id),
  url text,
  registration_id text
);
create index aap_instances_provisioner on aap_instances (provisioner_id);

-- What a provisioner did under its idempotency keys; `reply` is sealed, null while it is under way until `claimed_until`.
create table aap_operations (
  provisioner_id text not null,
  operation text not null,
  key text not null,
  digest text not null,
  reply text,
  claimed_until bigint,
  created_at bigint not null,
  primary key (provisioner_id, operation, key)
);
create index aap_operations_old on aap_operations (created_at);
