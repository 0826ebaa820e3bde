-- Tables get the field's words, and what is found by its key alone is stored by it: on SQLite without a second tree.
-- Indexes that an ask and an answer write hold only what is open, due or owed.

-- It names a device and does not reference it: the index that the end of a device would need cost each ask a write for
-- each device. The row ends with its inquiry; the same is so for pushes and their attempts.
create table inquiry_devices (
  inquiry_id text not null references inquiries (id) on delete cascade,
  device_id text not null,
  told_at bigint,
  accepted_at bigint,
  shown_at bigint,
  opened_at bigint,
  dismissed_at bigint,
  primary key (inquiry_id, device_id)
) /* sqlite: without rowid */;
insert into inquiry_devices select * from tellings order by inquiry_id, device_id;
drop table tellings;

-- By inquiry, so that an ask appends; the one index is a person's list of what is open and what is resolved.
alter table recipients rename to old_recipients;
create table recipients (
  person_id text not null references people (id) on delete cascade,
  inquiry_id text not null references inquiries (id) on delete cascade,
  open integer not null default 1,
  primary key (inquiry_id, person_id)
) /* sqlite: without rowid */;
insert into recipients select * from old_recipients order by inquiry_id, person_id;
drop table old_recipients;
create index recipients_person on recipients (person_id, open, inquiry_id);

alter table group_members rename to old_group_members;
create table group_members (
  group_id text not null references groups (id) on delete cascade,
  person_id text not null references people (id) on delete cascade,
  primary key (group_id, person_id)
) /* sqlite: without rowid */;
insert into group_members select * from old_group_members;
drop table old_group_members;

create table delivery_attempts (
  delivery_id text not null references deliveries (id) on delete cascade,
  number integer not null,
  at bigint not null,
  status integer,
  error text,
  ms integer not null,
  primary key (delivery_id, number)
) /* sqlite: without rowid */;
insert into delivery_attempts select * from attempts order by delivery_id, number;
drop table attempts;
create index delivery_attempts_at on delivery_attempts (at);

alter table notice_recipients rename to old_notice_recipients;
create table notice_recipients (
  person_id text not null references people (id) on delete cascade,
  notice_id text not null references notices (id) on delete cascade,
  read_at bigint,
  primary key (person_id, notice_id)
) /* sqlite: without rowid */;
insert into notice_recipients select * from old_notice_recipients order by person_id, notice_id;
drop table old_notice_recipients;
create index notice_recipients_notice on notice_recipients (notice_id);
create index notices_created on notices (created_at);

alter table pushes rename to old_pushes;
create table pushes (
  subject_id text not null,
  device_id text not null,
  wanted text not null,
  sent text,
  due_at bigint,
  give_up_at bigint not null,
  accepted_at bigint,
  attempt_count integer not null default 0,
  primary key (subject_id, device_id)
) /* sqlite: without rowid */;
insert into pushes select * from old_pushes order by subject_id, device_id;
drop table old_pushes;
create index pushes_due on pushes (due_at) where due_at is not null;
create index pushes_device on pushes (device_id, due_at) where due_at is not null or wanted = 'ask';

alter table push_attempts rename to old_push_attempts;
create table push_attempts (
  subject_id text not null,
  device_id text not null,
  number integer not null,
  kind text not null,
  at bigint not null,
  status integer,
  error text,
  ms integer not null,
  primary key (subject_id, device_id, number)
) /* sqlite: without rowid */;
insert into push_attempts select * from old_push_attempts order by subject_id, device_id, number;
drop table old_push_attempts;
create index push_attempts_at on push_attempts (at);

-- What nobody has collected yet; whatever was collected is not found again (ASK5).
drop index inquiries_fingerprint;
-- With the id, in whose order they are read: SQLite takes the index of the source for that otherwise.
create index inquiries_uncollected on inquiries (fingerprint, id) where fingerprint is not null and collected_at is null;
-- One index finds a source's open call and counts what it has open: a call without a fingerprint is unlike any other.
drop index inquiries_open_source;
drop index inquiries_open_call;
create unique index inquiries_open_call on inquiries (source_id, fingerprint) where resolution is null;

-- With `slow`, so that a look whether a queue is slow reads this queue and not everything that is slow.
drop index deliveries_queue;
create index deliveries_queue on deliveries (queue, due_at, slow) where state = 'pending';
