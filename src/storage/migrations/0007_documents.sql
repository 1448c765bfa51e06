-- What a replay does with what it finds, and how it was asked to: `mode` is one of its action's.
alter table replay_batch add column mode text not null default '';
--> statement-breakpoint
alter table replay_batch add column confirm_cascade boolean not null default false;
--> statement-breakpoint
-- A file on its way to a type and fields. What is shown of it stands here and in documents_field; how it came to
-- that, in documents_version.
create table documents_document (
  id uuid primary key,
  state text not null,
  version integer not null,
  revision integer not null default 1,
  content_version integer not null default 1,
  reached text,
  state_since timestamptz not null,
  file_name text not null,
  -- What the content is: a kind that the readers know.
  kind text not null,
  sha256 char(64) not null,
  bytes integer not null,
  source text not null,
  taken_in_by text not null,
  created_at timestamptz not null,
  text_version integer not null default 0,
  pages integer,
  characters integer,
  text_method text,
  type text,
  -- model, rules or human.
  type_by text,
  model text,
  confidence double precision,
  -- A person said what type it is: no machine says otherwise.
  confirmed boolean not null default false,
  -- The type whose fields are shown; null while they are to be read.
  fields_type text,
  -- When a person last said something about it: a replay that was started before does not set it aside.
  decided_at timestamptz,
  review_reasons text[] not null default '{}',
  -- The version of the types that the machine's part of what is shown was made by.
  rulebook_version integer,
  claimed_by text,
  claimed_until timestamptz
);
--> statement-breakpoint
-- The same content is one document. A deleted one does not stand in the way; one that failed gives way when its
-- content comes again.
create unique index documents_document_content on documents_document (sha256) where state <> 'deleted';
--> statement-breakpoint
create index documents_document_state on documents_document (state, state_since) where state not in ('ready', 'deleted');
--> statement-breakpoint
create index documents_document_type on documents_document (type, id) where state <> 'deleted';
--> statement-breakpoint
-- The text by which it is sorted and read; older ones are kept.
create table documents_text (
  document uuid not null,
  version integer not null,
  markdown text not null,
  pages jsonb not null,
  warnings jsonb not null,
  run uuid not null,
  created_at timestamptz not null,
  primary key (document, version)
);
--> statement-breakpoint
-- The fields as they are shown: one row a field of the type.
create table documents_field (
  document uuid not null,
  code text not null,
  -- FieldValue: value, raw, currency, evidence, page, source, warnings.
  value jsonb not null,
  edited_by text,
  edited_at timestamptz,
  primary key (document, code)
);
--> statement-breakpoint
-- What was shown of it after each run and decision that changed it, by the version of the item. Only added to.
create table documents_version (
  document uuid not null,
  version integer not null,
  at timestamptz not null,
  actor text not null,
  actor_id text,
  run uuid,
  cause text not null,
  rulebook_version integer,
  type text,
  type_by text,
  model text,
  confidence double precision,
  confirmed boolean not null,
  review_reasons text[] not null,
  -- Code → FieldValue with edited_by and edited_at.
  fields jsonb not null,
  -- Code → what a run found and did not put in place of what stood there.
  unused jsonb not null default '{}',
  primary key (document, version)
);
--> statement-breakpoint
-- What a run would have said of an item that it must not change, or was asked only to propose: the newest one.
create table documents_suggestion (
  document uuid primary key,
  run uuid not null,
  cause text not null,
  at timestamptz not null,
  rulebook_version integer,
  -- Type, by, model, confidence, fields.
  result jsonb not null
);
