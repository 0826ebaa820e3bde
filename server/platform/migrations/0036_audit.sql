-- The sealed log: each entry is signed and names the hash of the one before. `through`: all until then stands in it or
-- in an earlier one.
create table audit_entries (
  number bigint primary key,
  at bigint not null,
  through bigint not null,
  entry text not null
);

-- What was removed with its row and is to stand in the log.
create table audit_removals (
  kind text not null,
  id text not null,
  at bigint not null,
  primary key (kind, id, at)
);
create index audit_removals_at on audit_removals (at);

-- What the log looks for once a minute.
create index devices_created on devices (created_at);
create index devices_revoked on devices (revoked_at) where revoked_at is not null;
create index yolos_started on yolos (started_at);
create index yolos_ended on yolos (ended_at) where ended_at is not null;
create index policies_changed on policies (changed_at);
create index deciders_changed on deciders (changed_at);
create index gates_changed on gates (changed_at);
