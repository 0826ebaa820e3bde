-- Two identical calls at the same moment open one inquiry (ASK5). Of those opened twice before, the newest is found again.
update inquiries set fingerprint = null where resolution is null and exists (
  select 1 from inquiries as newer where newer.source_id = inquiries.source_id
    and newer.fingerprint = inquiries.fingerprint and newer.resolution is null and newer.id > inquiries.id
);
create unique index inquiries_open_call on inquiries (source_id, fingerprint)
  where resolution is null and fingerprint is not null;
