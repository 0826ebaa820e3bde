-- Instants are milliseconds since 1970 (UTC), flags 0 or 1, JSON is text: the same on SQLite and Postgres.

create table settings (
  name text primary key,
  value text not null
);

create table people (
  id text primary key,
  handle text not null unique,
  name text not null,
  owner integer not null default 0,
  locale text,
  privacy text not null default 'full',
  version bigint not null default 0,
  created_at bigint not null
);
create unique index people_one_owner on people (owner) where owner = 1;

create table groups (
  id text primary key,
  handle text not null unique,
  name text not null,
  created_at bigint not null
);

create table group_members (
  group_id text not null references groups (id) on delete cascade,
  person_id text not null references people (id) on delete cascade,
  primary key (group_id, person_id)
);

create table sources (
  id text primary key,
  owner_id text not null references people (id) on delete cascade,
  name text not null,
  key_hash text not null unique,
  may_ask text not null,
  webhook_url text,
  webhook_secret text not null,
  locale text,
  texts text,
  created_at bigint not null,
  used_at bigint,
  revoked_at bigint
);

create table devices (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  name text not null,
  token_hash text not null unique,
  user_agent text not null,
  address text not null,
  created_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null,
  live_until bigint not null default 0,
  revoked_at bigint
);
create index devices_person on devices (person_id);

create table enrolments (
  id text primary key,
  person_id text references people (id) on delete cascade,
  kind text not null,
  state text not null,
  secret_hash text unique,
  code text,
  claim_hash text,
  issuer_device_id text,
  device_name text not null,
  user_agent text not null,
  address text not null,
  tries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null
);
create index enrolments_expiry on enrolments (expires_at);

create table inquiries (
  id text primary key,
  source_id text not null references sources (id),
  key text,
  fingerprint text,
  digest text not null,
  asked text not null,
  transport text not null,
  asked_of text not null,
  group_name text,
  revision integer not null default 1,
  opened_at bigint not null,
  deadline_at bigint not null,
  latest_at bigint not null,
  lease_until bigint,
  reach_due_at bigint,
  outcome text,
  resolution text,
  resolved_at bigint,
  collected_at bigint,
  late_count integer not null default 0,
  sealed text
);
create unique index inquiries_key on inquiries (source_id, key) where key is not null;
create index inquiries_fingerprint on inquiries (source_id, fingerprint, id);
create index inquiries_source on inquiries (source_id, id);
create index inquiries_open_source on inquiries (source_id) where resolution is null;
create index inquiries_open on inquiries (deadline_at) where resolution is null;
create index inquiries_lease on inquiries (lease_until) where lease_until is not null;
create index inquiries_reach on inquiries (reach_due_at) where reach_due_at is not null;
create index inquiries_resolved on inquiries (resolved_at) where resolved_at is not null;
create index inquiries_sealed on inquiries (collected_at) where sealed is not null;

create table recipients (
  person_id text not null references people (id) on delete cascade,
  inquiry_id text not null references inquiries (id) on delete cascade,
  open integer not null default 1,
  primary key (person_id, inquiry_id)
);
create index recipients_inquiry on recipients (inquiry_id);
create index recipients_open on recipients (person_id, inquiry_id) where open = 1;

create table answers (
  inquiry_id text not null references inquiries (id) on delete cascade,
  id text not null,
  device_id text not null,
  at bigint not null,
  standing text not null,
  answered_by text not null,
  answer text not null,
  words text not null,
  reply text not null,
  primary key (inquiry_id, device_id, id)
);

create table tellings (
  inquiry_id text not null references inquiries (id) on delete cascade,
  device_id text not null references devices (id) on delete cascade,
  told_at bigint,
  accepted_at bigint,
  shown_at bigint,
  opened_at bigint,
  dismissed_at bigint,
  primary key (inquiry_id, device_id)
);
create index tellings_device on tellings (device_id);

create table drafts (
  inquiry_id text not null references inquiries (id) on delete cascade,
  person_id text not null references people (id) on delete cascade,
  device_id text not null references devices (id) on delete cascade,
  answer text not null,
  at bigint not null,
  primary key (inquiry_id, person_id)
);

create table deliveries (
  id text primary key,
  source_id text not null references sources (id),
  inquiry_id text not null references inquiries (id) on delete cascade,
  type text not null,
  url text not null,
  typed_by_owner integer not null,
  body text not null,
  state text not null,
  created_at bigint not null,
  due_at bigint,
  give_up_at bigint not null,
  claimed_until bigint,
  attempt_count integer not null default 0
);
create index deliveries_due on deliveries (due_at) where state = 'pending';
create index deliveries_inquiry on deliveries (inquiry_id);
create index deliveries_source on deliveries (source_id, id);

create table attempts (
  delivery_id text not null references deliveries (id) on delete cascade,
  number integer not null,
  at bigint not null,
  status integer,
  error text,
  ms integer not null,
  primary key (delivery_id, number)
);
create index attempts_at on attempts (at);

create table notices (
  id text primary key,
  source_id text not null references sources (id),
  key text,
  title text not null,
  content text not null,
  created_at bigint not null
);
create unique index notices_key on notices (source_id, key) where key is not null;

create table notice_recipients (
  person_id text not null references people (id) on delete cascade,
  notice_id text not null references notices (id) on delete cascade,
  read_at bigint,
  primary key (person_id, notice_id)
);
create index notice_recipients_notice on notice_recipients (notice_id);
