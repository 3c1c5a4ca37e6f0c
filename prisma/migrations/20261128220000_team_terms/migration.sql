-- What a client says about a goal's team, and whether it has paused new work. A goal without a row has neither.
create table "team_terms" (
  "goalId" text not null,
  "preferences" jsonb,
  "pausedAt" timestamptz(3),
  constraint "team_terms_pkey" primary key ("goalId")
);
