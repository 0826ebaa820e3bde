-- The account at a trusted issuer whose JWTs let devices of this person in.
alter table people add column jwt_issuer text;
alter table people add column jwt_subject text;
create index people_jwt on people (jwt_issuer, jwt_subject) where jwt_issuer is not null;
