-- Passkeys of people. `rp_id` is the host they were made for: under another they are of no use. `removal_at` is when the
-- owner's removal takes effect.
create table passkeys (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports text not null,
  device_type text not null,
  backed_up integer not null,
  rp_id text not null,
  name text not null,
  created_at bigint not null,
  used_at bigint,
  removal_at bigint
);
create index passkeys_person on passkeys (person_id);
create index passkeys_removal on passkeys (removal_at) where removal_at is not null;

-- What a device was given to sign, once: `bound` is the hash of what is signed with it.
create table passkey_challenges (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  device_id text not null references devices (id) on delete cascade,
  bound text not null,
  expires_at bigint not null
);
create index passkey_challenges_person on passkey_challenges (person_id, expires_at);

-- Printed codes, each once in place of a passkey; a row goes with its use.
create table passkey_codes (
  code_hash text primary key,
  person_id text not null references people (id) on delete cascade,
  created_at bigint not null
);
create index passkey_codes_person on passkey_codes (person_id);

-- Of which calls the owner wants a passkey: `caution`, `source ID` or `gate NAME`.
create table passkey_scopes (
  scope text primary key,
  made_at bigint not null,
  made_by text
);
