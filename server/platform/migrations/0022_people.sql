-- The handles of everybody who was asked, where they are several; a JSON list.
alter table inquiries add column people text;
