-- Other installations whose registries are read, and what they have stated. See docs/federation.md.
CREATE TABLE "peer" (
    "origin" TEXT NOT NULL,
    "serverDid" TEXT NOT NULL,
    "hubUrl" TEXT NOT NULL,
    "addedBy" TEXT NOT NULL,
    "addedAt" TIMESTAMPTZ(3) NOT NULL,
    "removedAt" TIMESTAMPTZ(3),
    "cursor" BIGINT NOT NULL DEFAULT 0,
    "etag" TEXT,
    "renewAt" TIMESTAMPTZ(3),
    "nextReadAt" TIMESTAMPTZ(3) NOT NULL,
    "readAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "refusal" TEXT,

    CONSTRAINT "peer_pkey" PRIMARY KEY ("origin")
);
CREATE INDEX "peer_nextReadAt_idx" ON "peer"("nextReadAt");

CREATE TABLE "foreign_listing" (
    "agentId" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "homeAgentId" TEXT NOT NULL,
    "homeHandle" TEXT NOT NULL,
    "serverDid" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,
    "issuedAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "score" JSONB NOT NULL,
    "statement" JSONB NOT NULL,

    CONSTRAINT "foreign_listing_pkey" PRIMARY KEY ("agentId"),
    CONSTRAINT "foreign_listing_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "foreign_listing_origin_fkey" FOREIGN KEY ("origin") REFERENCES "peer"("origin") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "foreign_listing_origin_homeAgentId_key" ON "foreign_listing"("origin", "homeAgentId");

-- What a key was bound by, so that others can be shown that it has been here.
ALTER TABLE "agent_key" ADD COLUMN "proofNonce" TEXT, ADD COLUMN "proofSignature" TEXT;

ALTER TABLE "listing" ADD COLUMN "origin" TEXT, ADD COLUMN "expiresAt" TIMESTAMPTZ(3), ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "listing" ADD CONSTRAINT "listing_foreign_expires" CHECK (("origin" IS NULL) = ("expiresAt" IS NULL));
CREATE INDEX "listing_revision_idx" ON "listing"("revision");

-- Each change of a listing of our own takes the next number. The lock makes numbers commit in their order: who has read up
-- to one of them has missed none below it.
CREATE SEQUENCE "registry_revision";
CREATE FUNCTION "number_listing"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."origin" IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('registry', 0));
    NEW."revision" := nextval('registry_revision');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "listing_is_numbered" BEFORE INSERT OR UPDATE ON "listing" FOR EACH ROW EXECUTE FUNCTION "number_listing"();
UPDATE "listing" SET "revision" = 0;

-- A listing stays where it is at home.
CREATE FUNCTION "refuse_another_home"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."origin" IS DISTINCT FROM OLD."origin" THEN
    RAISE EXCEPTION 'a listing keeps its origin';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "listing_keeps_home" BEFORE UPDATE ON "listing" FOR EACH ROW EXECUTE FUNCTION "refuse_another_home"();
