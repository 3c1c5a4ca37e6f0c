-- What was erased at somebody's word, and what its readers get instead. `isClean`: no file of old messages has it any more.
CREATE TABLE "erased_message" (
    "groupId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "placeholder" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "isClean" BOOLEAN NOT NULL,

    CONSTRAINT "erased_message_pkey" PRIMARY KEY ("groupId", "seq")
);
CREATE INDEX "erased_message_isClean_id_idx" ON "erased_message" ("isClean", "id");
CREATE TRIGGER "erased_message_stays" BEFORE DELETE ON "erased_message" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

ALTER TABLE "artifact" ADD COLUMN "erasedAt" TIMESTAMPTZ(3);

-- A message stays as it is but for one thing: where its erasure is noted, its words give way to what is noted.
CREATE FUNCTION "keep_message"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - '{body,bodyHash}'::text[] = to_jsonb(OLD) - '{body,bodyHash}'::text[] AND EXISTS (
    SELECT 1 FROM "erased_message" e WHERE e."groupId" = OLD."groupId" AND e."seq" = OLD."seq" AND e."id" = OLD."id"
      AND e."placeholder" = NEW."body" AND e."bodyHash" = NEW."bodyHash") THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
DROP TRIGGER "message_append_only" ON "message";
CREATE TRIGGER "message_append_only" BEFORE UPDATE OR DELETE ON "message" FOR EACH ROW EXECUTE FUNCTION "keep_message"();

CREATE OR REPLACE FUNCTION "detach_messages"("name" text) RETURNS void LANGUAGE plpgsql AS $$
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
  EXECUTE format('CREATE TRIGGER "message_closed" BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION "keep_message"()', "name");
  ALTER TABLE "message_rest" DROP CONSTRAINT IF EXISTS "message_rest_ahead";
  EXECUTE format('ALTER TABLE "message_rest" ADD CONSTRAINT "message_rest_ahead" CHECK ("id" >= %L)', "high");
  UPDATE "message_partition" p SET "state" = 'detached' WHERE p."name" = "detach_messages"."name";
END $$;
DO $$
DECLARE
  "one" text;
BEGIN
  FOR "one" IN SELECT p."name" FROM "message_partition" p WHERE p."state" = 'detached' LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER "message_closed" BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION "keep_message"()', "one");
  END LOOP;
END $$;
