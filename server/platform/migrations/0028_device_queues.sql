-- From when a device is to be looked at, because a push to it may be due: never later than the first of its pushes, and
-- not before `rest_until`, because its push service said so. Null: not at all.
alter table subscriptions add column due_at bigint;
alter table subscriptions add column rest_until bigint;
create index subscriptions_due on subscriptions (host, due_at) where due_at is not null;

-- The `due_at` that the device's row was told of. Whoever moves a push, an older node too, writes only `due_at`.
alter table pushes add column known_due_at bigint;
create index pushes_new on pushes (device_id) where due_at <> coalesce(known_due_at, 0);
create index pushes_ended on pushes (device_id) where due_at is null and known_due_at is not null;
