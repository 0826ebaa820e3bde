-- The key pairs that receipts are signed with; `sealed` is the private one, null once nothing is signed with it any more.
create table receipt_keys (
  kid text primary key,
  alg text not null,
  number integer not null,
  public text not null,
  sealed text,
  made_at bigint not null,
  used_from bigint not null,
  unique (alg, number)
);

-- The calls of receipts that a tool has run; until `forget_at`, when the receipt is too old to be taken anyway.
create table consumed_receipts (
  receipt text not null,
  call integer not null,
  at bigint not null,
  forget_at bigint not null,
  primary key (receipt, call)
);
create index consumed_receipts_old on consumed_receipts (forget_at);
