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
