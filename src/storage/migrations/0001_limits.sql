create table limit_pool (
  name text primary key,
  cap integer not null check (cap > 0),
  per_minute integer check (per_minute > 0),
  -- Token bucket: what is left of per_minute, refilled by time.
  tokens double precision not null default 0,
  refilled_at timestamptz not null,
  -- The provider said Retry-After: nobody calls before.
  paused_until timestamptz
);
--> statement-breakpoint
create table limit_slot (
  pool text not null references limit_pool (name) on delete cascade,
  n integer not null,
  holder uuid,
  worker text,
  lease_until timestamptz,
  -- Held past its lease and taken by another: how often, to be seen.
  overhangs integer not null default 0,
  primary key (pool, n)
);
--> statement-breakpoint
create table budget (
  model text not null,
  period text not null,
  tokens_limit bigint,
  micros_limit bigint,
  tokens_spent bigint not null default 0,
  micros_spent bigint not null default 0,
  primary key (model, period)
);
--> statement-breakpoint
create table budget_reservation (
  id uuid primary key,
  model text not null,
  period text not null,
  tokens bigint not null,
  micros bigint not null,
  expires_at timestamptz not null,
  foreign key (model, period) references budget (model, period) on delete cascade
);
--> statement-breakpoint
create index budget_reservation_of on budget_reservation (model, period, expires_at);
--> statement-breakpoint
create table model_answer (
  key text primary key,
  model text not null,
  at timestamptz not null,
  answer jsonb not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  cost_micros bigint not null
);
--> statement-breakpoint
-- What is done again and again by whichever process comes first, and when it was last done.
create table duty (
  name text primary key,
  ran_at timestamptz not null,
  worker text not null,
  failed_at timestamptz,
  error text
);
