-- The W3C traceparent that an ask came with, which goes with its webhooks and its deciders' calls.
alter table inquiries add column trace text;
