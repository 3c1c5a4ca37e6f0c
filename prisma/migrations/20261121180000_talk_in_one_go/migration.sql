-- Ends the transaction where something does not stand as its sender thought: talk is written without asking first.
CREATE FUNCTION "expect"("holds" boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF "holds" IS NOT TRUE THEN
    RAISE EXCEPTION 'not as expected' USING ERRCODE = 'P0412';
  END IF;
END $$;

-- Long texts are not squeezed by PostgreSQL's slow default: with LZ4 where it is built in, and as they are where not.
DO $$
BEGIN
  EXECUTE 'ALTER TABLE "message" ALTER COLUMN "body" SET COMPRESSION lz4';
EXCEPTION WHEN feature_not_supported THEN
  EXECUTE 'ALTER TABLE "message" ALTER COLUMN "body" SET STORAGE EXTERNAL';
END $$;

-- Who writes a message has locked its log's row in the same transaction, and no log is ever deleted: asking again for each
-- message took as much as all else that writing it takes.
ALTER TABLE "message" DROP CONSTRAINT "message_groupId_fkey";
CREATE TRIGGER "group_stays" BEFORE DELETE ON "group" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "group_keeps_id" BEFORE UPDATE OF "id" ON "group" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
