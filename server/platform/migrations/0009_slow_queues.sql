-- Webhooks whose endpoint hung lately have a share of the workers of their own.
alter table deliveries add column slow integer not null default 0;
drop index deliveries_due;
create index deliveries_due on deliveries (slow, due_at) where state = 'pending';
-- The push service of a subscription, so that one that hangs does not take all workers.
alter table subscriptions add column host text not null default '';
update subscriptions set host = case
  when endpoint like 'https://fcm.googleapis.com/%' then 'fcm.googleapis.com'
  when endpoint like 'https://updates.push.services.mozilla.com/%' then 'updates.push.services.mozilla.com'
  when endpoint like 'https://web.push.apple.com/%' then 'web.push.apple.com'
  else '' end;
