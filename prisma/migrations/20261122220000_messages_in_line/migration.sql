-- A message of 1 KiB, with its signature, its server's fields and its hashes, is just over the 2 kB beyond which PostgreSQL puts a
-- text into a table of its own: a second row with an index of its own, and a number that has to be looked for. Up to a page it stays in line.
DO $$
DECLARE
  "name" text;
BEGIN
  FOR "name" IN SELECT p."name" FROM "message_partition" p WHERE p."state" = 'attached' UNION ALL SELECT 'message_rest' LOOP
    EXECUTE format('ALTER TABLE %I SET (toast_tuple_target = 8160)', "name");
  END LOOP;
END $$;

-- As before, with that of its own.
CREATE OR REPLACE FUNCTION "open_messages"() RETURNS timestamptz LANGUAGE plpgsql AS $$
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
  EXECUTE format('CREATE TABLE %I (LIKE "message" INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE INCLUDING COMPRESSION) WITH (toast_tuple_target = 8160)', "name");
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I ("groupId", "seq")', "name" || '_seq_key', "name");
  ALTER TABLE "message_rest" DISABLE TRIGGER "message_append_only";
  EXECUTE format('WITH early AS (DELETE FROM "message_rest" WHERE "id" >= %L AND "id" < %L RETURNING *) INSERT INTO %I SELECT * FROM early',
    "low", "first_id_at"("end"), "name");
  ALTER TABLE "message_rest" ENABLE TRIGGER "message_append_only";
  EXECUTE format('ALTER TABLE "message" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', "name", "low", "first_id_at"("end"));
  INSERT INTO "message_partition" ("name", "from", "upTo") VALUES ("name", "low", "first_id_at"("end"));
  RETURN "end";
END $$;
