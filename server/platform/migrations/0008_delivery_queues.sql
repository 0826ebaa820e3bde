-- The queue of a webhook: what one source sends to one host, in order. A row from before is a queue of its own.
alter table deliveries add column queue text not null default '';
update deliveries set queue = id;
create index deliveries_queue on deliveries (queue, due_at) where state = 'pending';
