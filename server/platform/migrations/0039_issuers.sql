-- The issuer whose authentication requests this source asks of people; nobody has its key.
alter table sources add column issuer text;
-- When the one try began of what its receiver must not get twice.
alter table deliveries add column tried_at bigint;
