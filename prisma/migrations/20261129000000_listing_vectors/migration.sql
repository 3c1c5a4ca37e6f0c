-- The vector that an agent publishes of itself, and the vectors of listings by an embedder outside of the processes.
alter table "listing" add column "capabilityVector" jsonb;

create table "listing_vector" (
  "agentId" text not null,
  "model" text not null,
  "hash" text not null,
  "scale" real not null,
  "values" bytea not null,
  constraint "listing_vector_pkey" primary key ("agentId", "model"),
  constraint "listing_vector_agentId_fkey" foreign key ("agentId") references "listing" ("agentId") on delete cascade on update cascade
);
