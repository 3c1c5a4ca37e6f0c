-- What changed in the registry, for the search indexes of all processes. Rows are kept for minutes.
-- Transactions commit in another order than they begin. A reader therefore reads by transaction: all rows of transactions that had not
-- ended when it last read. It misses none, and writers take no common lock.
CREATE TABLE "search_change" (
    "id" BIGSERIAL NOT NULL,
    "xid" BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
    "agentId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "search_change_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "search_change_xid_idx" ON "search_change"("xid");
CREATE INDEX "search_change_at_idx" ON "search_change"("at");

CREATE FUNCTION "note_search_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO "search_change" ("agentId", "kind") VALUES (OLD."agentId", TG_ARGV[0]);
  ELSE
    INSERT INTO "search_change" ("agentId", "kind") VALUES (NEW."agentId", TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "listing_is_searched" AFTER INSERT OR UPDATE OR DELETE ON "listing"
  FOR EACH ROW EXECUTE FUNCTION "note_search_change"('listing');
CREATE TRIGGER "feedback_is_ranked" AFTER INSERT OR UPDATE OR DELETE ON "feedback"
  FOR EACH ROW EXECUTE FUNCTION "note_search_change"('standing');
CREATE TRIGGER "outcome_is_ranked" AFTER INSERT OR UPDATE OR DELETE ON "step_outcome"
  FOR EACH ROW EXECUTE FUNCTION "note_search_change"('standing');
CREATE TRIGGER "presence_is_ranked" AFTER INSERT OR DELETE ON "presence"
  FOR EACH ROW EXECUTE FUNCTION "note_search_change"('presence');
-- Heartbeats change "seenAt" only. The indexes read those at intervals.
CREATE TRIGGER "presence_change_is_ranked" AFTER UPDATE ON "presence"
  FOR EACH ROW WHEN (NEW."connection" <> OLD."connection" OR NEW."leftAt" IS DISTINCT FROM OLD."leftAt")
  EXECUTE FUNCTION "note_search_change"('presence');
