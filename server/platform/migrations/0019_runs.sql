-- The run that asked, else its thread, of which rules count the inquiries; null where it was asked before this column was.
alter table inquiries add column run text;
create index inquiries_run on inquiries (source_id, run) where run is not null;
