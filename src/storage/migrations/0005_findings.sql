-- What people said about single findings of cleaning. Append-only: the newest row of a place (field, brand, position)
-- holds, unless it was withdrawn or set aside.
create table answers_finding (
  sample uuid not null,
  -- The revision of the sample that this decision made: one decision, one revision.
  revision integer not null,
  field varchar(20) not null check (field in ('validity', 'hit', 'recommended', 'rank')),
  -- '' where it is about the whole answer.
  brand_name varchar(100) not null default '',
  -- Of a hit, as in entity_match_detail; -1 where it is about no hit.
  match_position integer not null default -1,
  withdrawn boolean not null,
  value jsonb not null,
  -- What the machine said when the person said otherwise (or the same), and by which run and brands.
  machine_value jsonb not null,
  rulebook_version integer,
  run uuid not null,
  decided_by text not null,
  decided_at timestamptz not null,
  -- The batch of re-cleaning that was allowed to set it aside, and the one that did.
  yields_to uuid,
  set_aside_by uuid,
  primary key (sample, revision)
);
--> statement-breakpoint
-- What the machine said, whole: of runs that were replaced, and of the current one where a person said otherwise.
-- Where a sample's current run has no row here, clean_result and entity_match_detail hold what the machine said.
create table answers_result_version (
  sample uuid not null,
  run uuid not null,
  rulebook_version integer,
  cleaned_at timestamptz not null,
  result jsonb not null,
  primary key (sample, run)
);
--> statement-breakpoint
-- The machine's values beside those that a person's word changed or confirmed; null where nobody said anything.
alter table clean_result add column machine jsonb;
--> statement-breakpoint
-- cleaned_at stays the time of the first cleaning: reports go by it, and a re-cleaning must not move old answers into today.
alter table clean_result add column re_cleaned_at timestamptz;
--> statement-breakpoint
alter table entity_match_detail add column machine jsonb;
