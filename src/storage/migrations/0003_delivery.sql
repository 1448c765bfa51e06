create table delivery_message (
  id uuid primary key,
  state text not null,
  version integer not null,
  revision integer not null default 1,
  content_version integer not null default 1,
  reached text,
  state_since timestamptz not null,
  created_at timestamptz not null,
  target text not null,
  type text not null,
  item uuid not null,
  item_seq integer not null,
  body text not null,
  unique (target, item, item_seq)
);
--> statement-breakpoint
create index delivery_message_state on delivery_message (state, state_since);
--> statement-breakpoint
create table delivery_attempt (
  message uuid not null references delivery_message (id) on delete cascade,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error_code text,
  response text,
  primary key (message, attempt)
);
