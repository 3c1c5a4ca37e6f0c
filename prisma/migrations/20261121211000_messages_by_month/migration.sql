-- Messages lie in tables by the month in which they were named: their id begins with its sender's time, so that the same id
-- always leads to the same table, and one unique index in each holds for all. Who is first in a room, second, … is decided
-- under the lock of its log's row, as before.

-- The lowest id of a moment.
CREATE FUNCTION "first_id_at"("at" timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM "at") * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Where messages lie, or have lain: `from` ≤ id < `upTo`.
CREATE TYPE "PartitionState" AS ENUM ('attached', 'detached', 'filed');
CREATE TABLE "message_partition" (
    "name" TEXT NOT NULL,
    "from" UUID NOT NULL,
    "upTo" UUID NOT NULL,
    "state" "PartitionState" NOT NULL DEFAULT 'attached',
    "messages" INTEGER,
    "bytes" BIGINT,
    "sha256" TEXT,
    "filedAt" TIMESTAMPTZ(3),

    CONSTRAINT "message_partition_pkey" PRIMARY KEY ("name")
);
CREATE UNIQUE INDEX "message_partition_from_key" ON "message_partition"("from");
CREATE UNIQUE INDEX "message_partition_upTo_key" ON "message_partition"("upTo");
ALTER TABLE "message_partition" ADD CONSTRAINT "message_partition_range" CHECK ("from" < "upTo");
ALTER TABLE "message_partition" ADD CONSTRAINT "message_partition_filed" CHECK (
  ("state" = 'filed') = ("messages" IS NOT NULL AND "bytes" IS NOT NULL AND "sha256" IS NOT NULL AND "filedAt" IS NOT NULL));
CREATE TRIGGER "message_partition_stays" BEFORE DELETE ON "message_partition" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Which rooms a file has messages of, and between which numbers.
CREATE TABLE "filed_span" (
    "groupId" TEXT NOT NULL,
    "partition" TEXT NOT NULL,
    "first" INTEGER NOT NULL,
    "last" INTEGER NOT NULL,
    "messages" INTEGER NOT NULL,

    CONSTRAINT "filed_span_pkey" PRIMARY KEY ("groupId","partition")
);
ALTER TABLE "filed_span" ADD CONSTRAINT "filed_span_partition_fkey" FOREIGN KEY ("partition") REFERENCES "message_partition"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE TRIGGER "filed_span_append_only" BEFORE UPDATE OR DELETE ON "filed_span" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- What is there becomes the first of the tables: everything before the next month.
ALTER TABLE "message" RENAME TO "message_start";
ALTER TABLE "message_start" RENAME CONSTRAINT "message_pkey" TO "message_start_seq_key";
ALTER INDEX "message_groupId_id_key" RENAME TO "message_start_id_key";
ALTER INDEX "message_groupId_senderId_seq_idx" RENAME TO "message_start_sender_idx";
DROP TRIGGER "message_append_only" ON "message_start";

CREATE TABLE "message" (LIKE "message_start" INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION) PARTITION BY RANGE ("id");
CREATE UNIQUE INDEX "message_groupId_id_key" ON "message" ("groupId", "id");
CREATE INDEX "message_groupId_senderId_seq_idx" ON "message" ("groupId", "senderId", "seq");
CREATE TRIGGER "message_append_only" BEFORE UPDATE OR DELETE ON "message" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Ids of a future for which there is no table yet.
CREATE TABLE "message_rest" PARTITION OF "message" DEFAULT;
CREATE UNIQUE INDEX "message_rest_seq_key" ON "message_rest" ("groupId", "seq");

DO $$
DECLARE
  "next" timestamptz := date_trunc('month', now(), 'UTC') + interval '1 month';
BEGIN
  WITH ahead AS (DELETE FROM "message_start" WHERE "id" >= "first_id_at"("next") RETURNING *) INSERT INTO "message_rest" SELECT * FROM ahead;
  EXECUTE format('ALTER TABLE "message" ATTACH PARTITION "message_start" FOR VALUES FROM (MINVALUE) TO (%L)', "first_id_at"("next"));
  INSERT INTO "message_partition" ("name", "from", "upTo") VALUES ('message_start', '00000000-0000-0000-0000-000000000000', "first_id_at"("next"));
END $$;

-- Opens the table of the month that follows on the last one, and gives the month after it. What came before its time moves in.
CREATE FUNCTION "open_messages"() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  "low" uuid;
  "begin" timestamptz;
  "end" timestamptz;
  "name" text;
BEGIN
  LOCK TABLE "message_partition" IN SHARE ROW EXCLUSIVE MODE;
  SELECT max("upTo"::text)::uuid INTO "low" FROM "message_partition";
  "begin" := to_timestamp((('x' || left(replace("low"::text, '-', ''), 12))::bit(48)::bigint) / 1000.0);
  "end" := date_trunc('month', "begin", 'UTC') + interval '1 month';
  "name" := 'message_' || to_char("begin" AT TIME ZONE 'UTC', 'YYYY_MM');
  LOCK TABLE "message_rest" IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TABLE %I (LIKE "message" INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION)', "name");
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I ("groupId", "seq")', "name" || '_seq_key', "name");
  ALTER TABLE "message_rest" DISABLE TRIGGER "message_append_only";
  EXECUTE format('WITH early AS (DELETE FROM "message_rest" WHERE "id" >= %L AND "id" < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
    "low", "first_id_at"("end"), "name");
  ALTER TABLE "message_rest" ENABLE TRIGGER "message_append_only";
  EXECUTE format('ALTER TABLE "message" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "low", "first_id_at"("end"));
  INSERT INTO "message_partition" ("name", "from", "upTo") VALUES ("name", "low", "first_id_at"("end"));
  RETURN "end";
END $$;

-- Takes the oldest table out of the log, so that nothing comes into it any more, nor in its place. Its rows stay where they are.
CREATE FUNCTION "detach_messages"("name" text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  "high" uuid;
BEGIN
  LOCK TABLE "message_partition" IN SHARE ROW EXCLUSIVE MODE;
  SELECT p."upTo" INTO "high" FROM "message_partition" p WHERE p."name" = "detach_messages"."name" AND p."state" = 'attached'
    AND p."from" = (SELECT min(o."from"::text)::uuid FROM "message_partition" o WHERE o."state" = 'attached');
  IF "high" IS NULL THEN
    RAISE EXCEPTION '% is not the oldest table of messages', "name";
  END IF;
  EXECUTE format('ALTER TABLE "message" DETACH PARTITION %I', "name");
  EXECUTE format('CREATE TRIGGER "message_closed" BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION "refuse_change"()', "name");
  ALTER TABLE "message_rest" DROP CONSTRAINT IF EXISTS "message_rest_ahead";
  EXECUTE format('ALTER TABLE "message_rest" ADD CONSTRAINT "message_rest_ahead" CHECK ("id" >= %L)', "high");
  UPDATE "message_partition" p SET "state" = 'detached' WHERE p."name" = "detach_messages"."name";
END $$;

-- Drops a table whose file is noted in the same transaction.
CREATE FUNCTION "drop_filed_messages"("name" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM "message_partition" p WHERE p."name" = "drop_filed_messages"."name" AND p."state" = 'filed') THEN
    RAISE EXCEPTION '% is not filed', "name";
  END IF;
  EXECUTE format('DROP TABLE %I', "name");
END $$;

-- This month's, and two ahead.
SELECT "open_messages"();
SELECT "open_messages"();
