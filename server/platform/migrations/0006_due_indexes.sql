-- What the sweep looks for four times a second: these indexes hold live work only, however much is resolved behind it.
drop index inquiries_lease;
drop index inquiries_reach;
drop index inquiries_sealed;
create index inquiries_lease on inquiries (lease_until) where resolution is null and lease_until is not null;
create index inquiries_reach on inquiries (reach_due_at) where resolution is null and reach_due_at is not null;
create index inquiries_sealed on inquiries (collected_at) where sealed is not null and collected_at is not null;
