-- An earlier answer is found by its question, its source and how the list of those who were asked begins: the list itself
-- may be longer than an entry of an index. An older node finds its rows by the digest in it.
create index inquiries_earlier on inquiries (digest, source_id, substr(asked_of, 1, 100), resolved_at)
  where not_picked_up_at is not null and collected_at is null;
drop index inquiries_not_picked_up;
