-- A sample is one answer on its way through cleaning: the clean_state of the specification, whose
-- history is read from the journal and whose retries and last error are read from the runs.
create table answers_sample (
  id uuid primary key,
  state text not null,
  version integer not null,
  revision integer not null default 1,
  content_version integer not null default 1,
  reached text,
  state_since timestamptz not null,
  clean_task_id varchar(64) not null unique,
  source_task_id varchar(64) not null,
  batch_id varchar(64) not null,
  brand_name varchar(100),
  brand_aliases jsonb not null,
  platform varchar(30) not null,
  scene_type varchar(30) not null,
  query_text text not null,
  round integer not null,
  raw_data_url varchar(512),
  max_clean_retries integer not null,
  created_at timestamptz not null,
  accepted_at timestamptz not null,
  -- Of the task's content: the same id with other content is a conflict.
  fingerprint text not null
);
--> statement-breakpoint
create index answers_sample_state on answers_sample (state, state_since) where state not in ('completed');
--> statement-breakpoint
create index answers_sample_batch on answers_sample (batch_id, id);
--> statement-breakpoint
-- The raw answer of a task that carried it inline; others are read through raw_data_url. JSON as text: jsonb
-- refuses the escaped NUL that answers may hold.
create table answers_raw (
  sample uuid not null,
  content_version integer not null,
  body text not null,
  primary key (sample, content_version)
);
--> statement-breakpoint
create table clean_result (
  id bigint generated always as identity primary key,
  sample uuid not null,
  clean_task_id varchar(64) not null,
  source_task_id varchar(64) not null,
  batch_id varchar(64) not null,
  brand_name varchar(100) not null,
  platform varchar(30) not null,
  scene_type varchar(30) not null,
  is_valid boolean,
  invalid_reason varchar(50),
  flags text[] not null default '{}',
  is_mentioned boolean not null default false,
  mention_count integer not null default 0,
  is_recommended boolean,
  recommendation_rank integer,
  rank_source varchar(20),
  rank_band text,
  has_citation boolean,
  citations jsonb not null default '[]',
  others jsonb not null default '[]',
  clean_state varchar(20) not null default 'completed',
  raw_data_url varchar(512),
  rulebook_version integer,
  decided_by varchar(20) not null default 'rules',
  run uuid not null,
  cleaned_at timestamptz not null,
  -- A message delivered twice cannot give two results.
  constraint clean_result_once unique (clean_task_id, brand_name)
);
--> statement-breakpoint
create index clean_result_batch on clean_result (batch_id);
--> statement-breakpoint
create index clean_result_brand_scene on clean_result (brand_name, scene_type);
--> statement-breakpoint
create index clean_result_cleaned on clean_result (cleaned_at);
--> statement-breakpoint
create table entity_match_detail (
  id bigint generated always as identity primary key,
  sample uuid not null,
  clean_task_id varchar(64) not null,
  standard_name varchar(100) not null,
  matched_alias varchar(100) not null,
  origin varchar(20) not null,
  surface text not null,
  match_position integer not null,
  match_end integer not null,
  kind varchar(20) not null,
  is_valid_match boolean not null,
  rule text not null,
  created_at timestamptz not null
);
--> statement-breakpoint
create index entity_match_detail_task on entity_match_detail (clean_task_id);
