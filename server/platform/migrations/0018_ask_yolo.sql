-- Whether a source may ask for YOLO for its own calls.
alter table sources add column may_ask_yolo bigint not null default 0;
