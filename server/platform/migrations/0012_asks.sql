-- What a framework asked is its first inquiry, and `kept` is what its reply is made of. Only what did not fit into one
-- inquiry is several, which all name their ask, so that
-- most asks cost no row and no entry of an index more.
alter table inquiries add column ask_id text;
alter table inquiries add column kept text;
-- Which call of which session of a framework it is: hooks take back by this what was decided elsewhere.
alter table inquiries add column about text;
create index inquiries_ask on inquiries (ask_id) where ask_id is not null;
create index inquiries_about on inquiries (source_id, about) where about is not null and resolution is null;
