-- The last free test task of each version of a skill.
create table "skill_test" (
  "id" text not null,
  "agentId" text not null,
  "skillId" text not null,
  "digest" text not null,
  "version" integer not null,
  "state" text not null,
  "inputs" jsonb not null,
  "attachments" jsonb not null,
  "artifacts" jsonb not null default '[]',
  "text" text not null default '',
  "faults" jsonb not null default '[]',
  "leaseUntil" timestamptz(3) not null,
  "requestedAt" timestamptz(3) not null,
  "endedAt" timestamptz(3),
  "passedAt" timestamptz(3),
  constraint "skill_test_pkey" primary key ("id")
);
create unique index "skill_test_agentId_skillId_digest_key" on "skill_test" ("agentId", "skillId", "digest");
