-- Rounds of changes that a client may request in review. Goals of the former version have none: their terms do not name any.
alter type "Acceptance" add value if not exists 'changes_requested';
alter table "goal" add column "revisionRounds" integer not null default 0;
alter table "goal" add column "revisions" integer not null default 0;
create table "revision" (
  "goalId" text not null,
  "round" integer not null,
  "reason" text not null,
  "steps" integer[] not null,
  "conclusionSeq" integer not null,
  "answer" jsonb not null,
  "requestedAt" timestamptz(3) not null,
  "endedAt" timestamptz(3),
  constraint "revision_pkey" primary key ("goalId", "round")
);
-- One agent that holds a task. The predicate names the values that existed before, because a new value cannot be used in the transaction that adds it.
drop index "task_one_active";
create unique index "task_one_active" on "task" ("goalId", "step")
  where "state" in ('submitted', 'working', 'input_required', 'auth_required', 'completed') and ("acceptance" is null or "acceptance" in ('pending', 'accepted'));
