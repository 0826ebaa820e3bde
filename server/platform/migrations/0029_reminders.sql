-- When an open inquiry rings again for one who was asked; 1: they set it apart until then.
alter table recipients add column remind_at bigint;
alter table recipients add column later integer not null default 0;
create index recipients_remind on recipients (remind_at) where remind_at is not null and open = 1;
