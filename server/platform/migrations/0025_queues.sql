-- A queue of webhooks is a row while something of it waits: what one source sends to one host. `due_at` is when the next
-- one may be sent; until `rest_until` its endpoint is left alone, because it hung.
create table delivery_queues (
  queue text primary key,
  source_id text not null,
  due_at bigint not null,
  slow integer not null default 0,
  rest_until bigint
) /* sqlite: without rowid */;
create index delivery_queues_due on delivery_queues (slow, due_at);
create index delivery_queues_source on delivery_queues (slow, source_id, due_at);

-- What stands in no queue: new, put off or ended. Once due it is put into its queue, also where an older node made it so.
alter table deliveries add column queued integer not null default 0;
create index deliveries_new on deliveries (id) where state = 'pending' and queued = 0 and due_at is not null;
create index deliveries_ready on deliveries (queue, due_at, id) where state = 'pending' and queued = 1;
create index deliveries_gives_up on deliveries (queue, give_up_at) where state = 'pending' and queued = 1;
create index deliveries_put_off on deliveries (source_id, id) where state = 'pending' and due_at is null;
