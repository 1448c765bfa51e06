-- A comment, an answer of the site's owner, or an AI reply.
create table comments_comment (
  id uuid primary key,
  state text not null,
  version integer not null,
  revision integer not null default 1,
  content_version integer not null default 1,
  reached text,
  state_since timestamptz not null,
  site text not null,
  article_id text not null,
  parent_id uuid,
  -- The root of its thread: its own id for a root.
  thread_id uuid not null,
  -- Its ancestors from the root down to its parent.
  path uuid[] not null default '{}',
  author_kind text not null check (author_kind in ('visitor', 'owner', 'ai')),
  author_name text not null,
  author_email text,
  author_url text,
  -- Keyed, of the address (IPv6: its /64); forgotten after a while.
  address_hash text,
  content text not null,
  -- Of the folded content: the same text in other clothes has the same.
  content_key text not null,
  -- Of the token that its author alone was given.
  status_token_hash text unique,
  created_at timestamptz not null,
  edited_at timestamptz,
  pinned boolean not null default false,
  -- Whether AI may still answer this content.
  reply_wanted boolean not null,
  -- When it was first visible: notices are for that moment only.
  published_at timestamptz,
  -- The resting state that a rejection took it from.
  taken_from text,
  -- The content version that a person decided about last, and when.
  decided_cv integer,
  decided_at timestamptz,
  claimed_by text,
  claimed_until timestamptz,
  -- Of an AI reply: the content version that it answers, its model, its run.
  answers_cv integer,
  model text,
  reply_run uuid,
  withdrawn_at timestamptz
);
--> statement-breakpoint
-- One current AI reply a parent.
create unique index comments_one_reply on comments_comment (parent_id)
  where author_kind = 'ai' and withdrawn_at is null and state <> 'DELETED';
--> statement-breakpoint
create index comments_comment_roots on comments_comment (site, article_id, created_at, id) where parent_id is null;
--> statement-breakpoint
create index comments_comment_article on comments_comment (site, article_id, id);
--> statement-breakpoint
create index comments_comment_thread on comments_comment (thread_id, created_at, id);
--> statement-breakpoint
create index comments_comment_parent on comments_comment (parent_id) where parent_id is not null;
--> statement-breakpoint
create index comments_comment_state on comments_comment (state, state_since)
  where state in ('PENDING', 'AUDIT_FAILED', 'AI_REPLYING');
--> statement-breakpoint
create index comments_comment_twins on comments_comment (site, content_key, created_at);
--> statement-breakpoint
create index comments_comment_address on comments_comment (address_hash, created_at) where address_hash is not null;
--> statement-breakpoint
create index comments_comment_email on comments_comment (site, author_email, created_at) where author_email is not null;
--> statement-breakpoint
-- AI replies by day, for the site's cap.
create index comments_comment_replies on comments_comment (site, created_at) where author_kind = 'ai';
--> statement-breakpoint
-- What a comment said before it was edited.
create table comments_content (
  comment uuid not null,
  content_version integer not null,
  content text not null,
  author_name text not null,
  author_url text,
  replaced_at timestamptz not null,
  primary key (comment, content_version)
);
--> statement-breakpoint
-- What the author of a comment that a person rejected would rather have said: it waits for a person.
create table comments_draft (
  comment uuid primary key,
  content text not null,
  author_name text not null,
  author_url text,
  at timestamptz not null
);
--> statement-breakpoint
-- Requests by their Idempotency-Key, with what was answered.
create table comments_request (
  site text not null,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (site, key)
);
--> statement-breakpoint
create index comments_request_age on comments_request (created_at);
--> statement-breakpoint
-- What machines said of a content version; the newest holds.
create table comments_verdict (
  comment uuid not null,
  run uuid not null,
  content_version integer not null,
  decision text not null check (decision in ('approve', 'reject', 'unsure')),
  -- [{code, evidence, rule}]
  reasons jsonb not null,
  made_by text not null check (made_by in ('rules', 'model')),
  model text,
  rulebook_version integer,
  cause text not null,
  at timestamptz not null,
  primary key (comment, run)
);
--> statement-breakpoint
create index comments_verdict_newest on comments_verdict (comment, content_version, at);
--> statement-breakpoint
-- What people decided. Only added to, but for `undone_at`.
create table comments_decision (
  comment uuid not null,
  -- The revision that this decision made: one decision, one revision.
  revision integer not null,
  content_version integer not null,
  decision text not null check (decision in ('approve', 'reject', 'restore', 'reaudit')),
  from_state text not null,
  to_state text not null,
  reason text,
  decided_by text not null,
  decided_at timestamptz not null,
  undone_at timestamptz,
  primary key (comment, revision)
);
--> statement-breakpoint
create index comments_decision_age on comments_decision (decided_at);
--> statement-breakpoint
-- What a replay would decide where it was asked only to propose: the newest one.
create table comments_suggestion (
  comment uuid primary key,
  content_version integer not null,
  run uuid not null,
  cause text not null,
  decision text not null,
  to_state text not null,
  reasons jsonb not null,
  made_by text not null,
  model text,
  rulebook_version integer,
  at timestamptz not null
);
--> statement-breakpoint
-- What the owner says of an article: what audits and replies know of it.
create table comments_article (
  site text not null,
  article_id text not null,
  title text not null,
  url text,
  summary text,
  updated_at timestamptz not null,
  primary key (site, article_id)
);
