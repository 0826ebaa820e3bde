-- Agents that answer in a person's place, and what each may do for a source.
create table deciders (
  id text primary key,
  name text not null unique,
  config text not null,
  sealed text,
  changed_at bigint not null,
  made_by text
);
alter table sources add column decider text;
-- At most one of an inquiry. What is due, or given up, is done by whoever notices first.
create table proposals (
  id text primary key,
  inquiry_id text not null unique references inquiries (id) on delete cascade,
  decider_id text not null,
  decider_name text not null,
  why text not null,
  state text not null,
  at bigint not null,
  answer text,
  decides_at bigint,
  asked_by text,
  problem text,
  due_at bigint,
  gives_up_at bigint,
  rule text
);
create index proposals_waiting on proposals (decider_id, due_at) where state = 'waiting';
create index proposals_due on proposals (due_at) where state <> 'waiting';
create index proposals_gives_up on proposals (gives_up_at) where gives_up_at is not null;
-- Every time that one was asked.
create table decider_runs (
  id text primary key,
  inquiry_id text not null references inquiries (id) on delete cascade,
  decider_id text not null,
  decider_name text not null,
  why text not null,
  at bigint not null,
  sent text not null,
  received text not null,
  answer text,
  problem text,
  ms integer not null,
  tokens_in bigint,
  tokens_out bigint
);
create index decider_runs_inquiry on decider_runs (inquiry_id);
