-- Of an open inquiry that several people have to approve: who has, and what. Of a resolved one: who had.
alter table inquiries add column approved text;
-- So many people have to approve each call of this source; null: one.
alter table sources add column approvals integer;
