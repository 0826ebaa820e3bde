-- The hub's own list of rules has the id "hub", a person's is named by their id.
create table policies (
  id text primary key,
  person_id text references people (id) on delete cascade,
  version bigint not null,
  rules text not null,
  changed_at bigint not null,
  made_by text
);
-- The rule that settled it, as it was worded then.
alter table inquiries add column rule text;
