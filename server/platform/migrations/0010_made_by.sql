-- The device that made it, or changed it last: what a lost device leaves behind is listed when it is revoked.
alter table devices add column made_by text;
alter table people add column made_by text;
alter table sources add column made_by text;
alter table gates add column made_by text;
