create table api_key (
  id uuid primary key,
  name text not null,
  role text not null check (role in ('owner', 'editor', 'moderator', 'analyst', 'viewer')),
  -- The first characters, to tell keys apart; the key itself is shown once and kept as a hash.
  prefix text not null,
  hash text not null unique,
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
