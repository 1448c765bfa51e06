-- The clock. All SQL asks this function for the time and nothing else, so that tests can move it.
-- One body per schema: `set search_path` inside would defeat inlining, and nothing in it needs one.
create function now_here() returns timestamptz language sql stable as $$ select pg_catalog.now() $$;
--> statement-breakpoint
create sequence journal_seq cache 1000;
--> statement-breakpoint
-- Append-only; partitioned by month from the first day, so that old months are dropped whole.
create table journal (
  seq bigint not null default nextval('journal_seq'),
  -- Transactions commit out of seq order. Readers that follow go by (xid, seq) below pg_snapshot_xmin.
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  machine text not null,
  item uuid not null,
  kind text not null check (kind in ('move', 'refused', 'note')),
  version integer not null,
  from_state text,
  to_state text,
  actor text not null check (actor in ('ai', 'system', 'human', 'author')),
  actor_id text,
  reason text,
  run uuid,
  -- What a person typed. The only column that may be erased.
  remark text
) partition by range (at);
--> statement-breakpoint
create table journal_default partition of journal default;
--> statement-breakpoint
create index journal_item on journal (item, version);
--> statement-breakpoint
-- Creates the partitions of the month of `from_time` and the `ahead` months after it.
create function journal_ensure_months(from_time timestamptz, ahead integer) returns integer language plpgsql as $$
declare
  month timestamptz := date_trunc('month', from_time at time zone 'UTC') at time zone 'UTC';
  following timestamptz;
  partition_name text;
  created integer := 0;
begin
  for i in 0..ahead loop
    following := ((month at time zone 'UTC') + interval '1 month') at time zone 'UTC';
    partition_name := 'journal_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      -- Rows that already fell into the default partition would make the new one refuse: they stay there.
      if not exists (select from journal_default where at >= month and at < following) then
        execute format('create table %I partition of journal for values from (%L) to (%L)', partition_name, month, following);
        created := created + 1;
      end if;
    end if;
    month := following;
  end loop;
  return created;
end $$;
--> statement-breakpoint
select journal_ensure_months(now_here(), 3);
--> statement-breakpoint
create table run (
  id uuid not null,
  machine text not null,
  item uuid not null,
  stage text not null,
  content_version integer not null,
  rulebook_version integer,
  cause text not null default 'live',
  attempt integer not null,
  worker text not null,
  job uuid,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  outcome text not null check (outcome in ('accepted', 'failed', 'postponed', 'superseded', 'skipped', 'lost')),
  error_code text,
  error_class text check (error_class in ('transient', 'postponed', 'permanent', 'lost')),
  error_message text,
  error_detail jsonb,
  calls integer not null default 0,
  cached_calls integer not null default 0,
  tokens_in bigint not null default 0,
  tokens_out bigint not null default 0,
  cost_micros bigint not null default 0,
  constraint run_attempt primary key (item, stage, content_version, cause, attempt)
);
--> statement-breakpoint
-- At most one accepted run per item, stage, content version and cause.
create unique index run_one_accepted on run (item, stage, content_version, cause) where outcome = 'accepted';
--> statement-breakpoint
create index run_not_accepted on run (ended_at) where outcome in ('failed', 'lost');
--> statement-breakpoint
create table dead_letter (
  id uuid primary key,
  machine text not null,
  item uuid not null,
  stage text not null,
  -- The state that a redrive puts the item back into.
  reached text not null,
  content_version integer not null,
  cause text not null,
  input_ref text,
  error_code text not null,
  error_class text not null,
  error_message text not null,
  -- Every attempt: [{attempt, started_at, ended_at, outcome, code, class, message}]
  attempts jsonb not null,
  created_at timestamptz not null,
  redriven_at timestamptz,
  redriven_by text
);
--> statement-breakpoint
create unique index dead_letter_open on dead_letter (item) where redriven_at is null;
--> statement-breakpoint
create index dead_letter_waiting on dead_letter (id) where redriven_at is null;
--> statement-breakpoint
create sequence outbox_seq cache 32;
--> statement-breakpoint
create table outbox (
  seq bigint not null default nextval('outbox_seq'),
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  type text not null,
  item uuid not null,
  -- The n-th event of its item: receivers order by it.
  item_seq integer not null,
  origin text not null check (origin in ('live', 'replay')),
  data jsonb not null,
  constraint outbox_item primary key (item, item_seq)
);
--> statement-breakpoint
create index outbox_follow on outbox (xid, seq);
--> statement-breakpoint
create table reader (
  name text primary key,
  xid xid8 not null,
  seq bigint not null,
  updated_at timestamptz not null
);
--> statement-breakpoint
create table rulebook (
  section text not null,
  version integer not null,
  at timestamptz not null,
  author text not null,
  note text,
  content jsonb not null,
  primary key (section, version)
);
--> statement-breakpoint
-- Secrets are referred to by name; encrypted with a key from the environment; never versioned or exported.
create table secret (
  name text primary key,
  cipher text not null,
  updated_at timestamptz not null
);
