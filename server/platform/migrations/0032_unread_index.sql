-- Webhooks are found by their queue: nothing looks for them by when they are due.
drop index deliveries_due;
