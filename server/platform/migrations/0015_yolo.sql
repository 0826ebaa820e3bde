-- A time in which what one person alone is asked is settled without them. It ends at until_at, whoever notices.
create table yolos (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  choices text not null,
  started_at bigint not null,
  until_at bigint not null,
  made_by text not null references devices (id) on delete cascade,
  ended_at bigint,
  stopped_by text,
  seen_at bigint,
  settled_count integer not null default 0
);
create unique index yolos_running on yolos (person_id) where ended_at is null;
create index yolos_unseen on yolos (person_id) where seen_at is null;
create index yolos_person on yolos (person_id, id);
