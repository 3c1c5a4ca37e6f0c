-- What clients want and no agent online can do.
create table "demand" (
  "id" text not null,
  "postId" text not null,
  "clientId" text not null,
  "text" text not null,
  "state" text not null,
  "postedAt" timestamptz(3) not null,
  "checkedAt" timestamptz(3) not null,
  "metAt" timestamptz(3),
  constraint "demand_pkey" primary key ("id")
);
create unique index "demand_clientId_postId_key" on "demand" ("clientId", "postId");
create index "demand_state_checkedAt_idx" on "demand" ("state", "checkedAt");
create index "demand_postedAt_idx" on "demand" ("postedAt");
