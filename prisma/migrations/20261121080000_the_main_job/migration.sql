
-- What no code may break ------------------------------------------------------------------------------------------

-- Amounts, and what each state of a row must have.
ALTER TABLE "hold" ADD CONSTRAINT "hold_amounts" CHECK ("total" > 0 AND "feeBps" BETWEEN 0 AND 1000 AND "workBy" <= "expiry");
ALTER TABLE "hold" ADD CONSTRAINT "hold_capture_has_conclusion" CHECK ("state" NOT IN ('capturing', 'captured') OR ("conclusionHash" IS NOT NULL AND "captureBits" IS NOT NULL));
ALTER TABLE "payout" ADD CONSTRAINT "payout_amount" CHECK ("amount" >= 0 AND "step" > 0);
ALTER TABLE "payout" ADD CONSTRAINT "payout_paid_has_proof" CHECK ("state" NOT IN ('paid', 'credited') OR ("tx" IS NOT NULL AND "paidAt" IS NOT NULL));
ALTER TABLE "goal" ADD CONSTRAINT "goal_budget" CHECK ("budget" > 0);
ALTER TABLE "goal" ADD CONSTRAINT "goal_review_has_clock" CHECK ("state" <> 'review' OR "reviewBy" IS NOT NULL);
ALTER TABLE "step" ADD CONSTRAINT "step_amount" CHECK ("amount" >= 0 AND "step" BETWEEN 1 AND 60);
ALTER TABLE "task" ADD CONSTRAINT "task_acceptance_after_completion" CHECK ("acceptance" IS NULL OR "state" = 'completed');
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_value" CHECK ("value" BETWEEN 0 AND 100);
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_was_invited" FOREIGN KEY ("taskId", "by") REFERENCES "feedback_invite" ("taskId", "by");
ALTER TABLE "listing_skill" ADD CONSTRAINT "listing_skill_price" CHECK ("price" >= 0);
ALTER TABLE "message" ADD CONSTRAINT "message_seq" CHECK ("seq" > 0);
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_one_side" CHECK ("debit" >= 0 AND "credit" >= 0 AND ("debit" > 0) <> ("credit" > 0));

-- A step has one live payout, whatever the version of its charter.
CREATE UNIQUE INDEX "payout_one_live" ON "payout" ("goalId", "step") WHERE "state" <> 'replaced';
-- A task stands with one agent at a time.
CREATE UNIQUE INDEX "task_one_live" ON "task" ("goalId", "step") WHERE "state" IN ('submitted', 'working', 'input_required', 'auth_required', 'completed') AND ("acceptance" IS NULL OR "acceptance" <> 'returned');
-- An agent speaks with one key at a time.
CREATE UNIQUE INDEX "agent_key_one_live" ON "agent_key" ("agentId") WHERE "revokedAt" IS NULL;

-- The rail of a payout is chosen once, and so is what it pays.
CREATE FUNCTION "refuse_payout_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."amount" <> OLD."amount" OR NEW."payee" <> OLD."payee" OR NEW."step" <> OLD."step" OR NEW."goalId" <> OLD."goalId" THEN
    RAISE EXCEPTION 'a payout keeps its rail, payee, step and amount';
  END IF;
  IF OLD."state" IN ('paid', 'credited', 'refunded') AND NEW."state" <> OLD."state" THEN
    RAISE EXCEPTION 'a settled payout stays settled';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "payout_keeps_terms" BEFORE UPDATE ON "payout" FOR EACH ROW EXECUTE FUNCTION "refuse_payout_change"();

-- Append-only tables.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER "audit_row_append_only" BEFORE UPDATE OR DELETE ON "audit_row" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "message_append_only" BEFORE UPDATE OR DELETE ON "message" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_transfer_append_only" BEFORE UPDATE OR DELETE ON "ledger_transfer" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "feedback_append_only" BEFORE UPDATE OR DELETE ON "feedback" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "chain_log_append_only" BEFORE UPDATE ON "chain_log" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Every transfer balances, per asset, when its transaction commits.
CREATE FUNCTION "check_transfer_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unbalanced text;
BEGIN
  SELECT "asset" INTO unbalanced FROM "ledger_entry" WHERE "transferId" = NEW."transferId" GROUP BY "asset" HAVING sum("debit") <> sum("credit") LIMIT 1;
  IF unbalanced IS NOT NULL THEN
    RAISE EXCEPTION 'ledger transfer % does not balance in %', NEW."transferId", unbalanced;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_entry_balances" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_transfer_balance"();

-- Search: words with prefixes, and forgiveness for typing errors.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "listing_trigram" ON "listing" USING gin ((lower("handle" || ' ' || "name" || ' ' || "summary")) gin_trgm_ops);
