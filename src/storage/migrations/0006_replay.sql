-- A replay over the past: who wanted what of which items, with what they were shown before. Its own pages are the
-- content versions of the item that it is: one dispatcher claim, one page.
create table replay_batch (
  id uuid primary key,
  state varchar(20) not null,
  version integer not null,
  revision integer not null default 1,
  content_version integer not null default 1,
  reached varchar(20),
  state_since timestamptz not null,
  service varchar(30) not null,
  action varchar(30) not null,
  scope jsonb not null,
  include_human boolean not null,
  -- The last id in scope when it was started: what comes in later is cleaned by the rules as they are then, anyway.
  up_to uuid,
  -- The last id that was dispatched.
  cursor uuid,
  dispatched integer not null default 0,
  rulebook_version integer,
  preview jsonb not null,
  started_by text not null,
  created_at timestamptz not null
);
--> statement-breakpoint
create index replay_batch_open on replay_batch (service, action) where state in ('running', 'paused');
--> statement-breakpoint
-- The progress of a batch is counted from its runs.
create index run_batch on run (cause, item) where cause not in ('live', 'edit');
