-- So many seconds an approved call of this source may be run; null: the hub's own default.
alter table sources add column valid_for integer;
