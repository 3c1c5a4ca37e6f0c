-- Contests: goals for which several agents submit finished work.
alter table "goal" add column "contest" jsonb;

create table "entry" (
  "id" text not null,
  "goalId" text not null,
  "agentId" text not null,
  "did" text not null,
  "ownerId" text not null,
  "price" bigint not null,
  "text" text not null,
  "files" jsonb not null,
  "state" text not null,
  "isPassed" boolean,
  "checkReasons" text[] not null default array[]::text[],
  "reason" text,
  "submittedAt" timestamptz(3) not null,
  "decidedAt" timestamptz(3),
  constraint "entry_pkey" primary key ("id")
);

create index "entry_goalId_submittedAt_idx" on "entry" ("goalId", "submittedAt");
-- A contest pays one entry.
create unique index "entry_chosen_once" on "entry" ("goalId") where "state" = 'chosen';
