-- How a person wants to be asked, as JSON; null while they have chosen nothing.
alter table people add column preferences text;
