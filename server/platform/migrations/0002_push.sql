-- A browser's push subscription, one for each device; the endpoint belongs to one device.
create table subscriptions (
  device_id text primary key references devices (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  vapid_public_key text not null,
  created_at bigint not null,
  shown_at bigint,
  trouble text,
  weekly_test integer not null default 0,
  tested_at bigint,
  claimed_until bigint
);
create index subscriptions_weekly on subscriptions (tested_at) where weekly_test = 1;

-- What one device is to be told of one inquiry or notice: state, not a queue. The sender sends what is wanted now.
create table pushes (
  subject_id text not null,
  device_id text not null references devices (id) on delete cascade,
  wanted text not null,
  sent text,
  due_at bigint,
  give_up_at bigint not null,
  accepted_at bigint,
  attempt_count integer not null default 0,
  primary key (subject_id, device_id)
);
create index pushes_due on pushes (due_at) where due_at is not null;
create index pushes_device on pushes (device_id);

create table push_attempts (
  subject_id text not null,
  device_id text not null references devices (id) on delete cascade,
  number integer not null,
  kind text not null,
  at bigint not null,
  status integer,
  error text,
  ms integer not null,
  primary key (subject_id, device_id, number)
);
create index push_attempts_at on push_attempts (at);
