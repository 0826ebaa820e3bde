-- With the source, which asks again: a call repeated any number of times is found by its newest entry alone.
drop index inquiries_uncollected;
create index inquiries_uncollected on inquiries (source_id, fingerprint, id)
  where fingerprint is not null and collected_at is null;
