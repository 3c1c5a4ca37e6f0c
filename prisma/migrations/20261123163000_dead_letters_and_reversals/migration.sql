-- A correction names the transfer that it reverses. One at most.
ALTER TABLE "ledger_transfer" ADD COLUMN "reversesId" TEXT;
ALTER TABLE "ledger_transfer" ADD COLUMN "seq" BIGSERIAL NOT NULL;
CREATE UNIQUE INDEX "ledger_transfer_reversesId_key" ON "ledger_transfer" ("reversesId");
ALTER TABLE "ledger_transfer" ADD CONSTRAINT "ledger_transfer_reversesId_fkey" FOREIGN KEY ("reversesId") REFERENCES "ledger_transfer" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "ledger_transfer_tx_idx" ON "ledger_transfer" ("tx");

-- How often an account has withdrawn is part of what a withdrawal is called.
CREATE INDEX "chain_log_withdrawals_idx" ON "chain_log" ("chainId", "contract", ("args" ->> 'account')) WHERE "name" = 'CreditWithdrawn';

CREATE TYPE "DeadLetterState" AS ENUM ('open', 'booked', 'removed');
CREATE TABLE "chain_dead_letter" (
    "id" TEXT NOT NULL,
    "chainId" INTEGER NOT NULL,
    "state" "DeadLetterState" NOT NULL,
    "contract" TEXT NOT NULL,
    "goalId" TEXT,
    "channelId" TEXT,
    "account" TEXT,
    "block" INTEGER NOT NULL,
    "blockHash" TEXT NOT NULL,
    "logIndex" INTEGER NOT NULL,
    "txHash" TEXT NOT NULL,
    "events" JSONB NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "triedAt" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "chain_dead_letter_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "chain_dead_letter_chainId_block_idx" ON "chain_dead_letter" ("chainId", "block");
CREATE INDEX "chain_dead_letter_goalId_idx" ON "chain_dead_letter" ("goalId");
CREATE INDEX "chain_dead_letter_channelId_idx" ON "chain_dead_letter" ("channelId");
CREATE INDEX "chain_dead_letter_account_idx" ON "chain_dead_letter" ("account");
CREATE INDEX "chain_dead_letter_state_idx" ON "chain_dead_letter" ("state");

-- What a block changed in rows that follow the log, so that it can be undone where the chain removes the block.
CREATE TABLE "chain_undo" (
    "id" BIGSERIAL NOT NULL,
    "chainId" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "relation" TEXT NOT NULL,
    "keyColumn" TEXT NOT NULL,
    "rowKey" TEXT NOT NULL,
    -- Null where the block made the row.
    "before" JSONB,
    CONSTRAINT "chain_undo_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "chain_undo_chainId_block_idx" ON "chain_undo" ("chainId", "block");

CREATE FUNCTION "note_undo"() RETURNS trigger AS $$
DECLARE
  booking text := current_setting('parley.booking', true);
  at jsonb;
  changed jsonb;
BEGIN
  IF booking IS NULL OR booking = '' THEN RETURN NULL; END IF;
  at := booking::jsonb;
  IF TG_OP = 'UPDATE' THEN
    SELECT jsonb_object_agg(o.key, o.value) INTO changed FROM jsonb_each(to_jsonb(OLD)) o
      WHERE o.value IS DISTINCT FROM to_jsonb(NEW) -> o.key AND o.key NOT IN ('version', 'updatedAt');
    IF changed IS NULL THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO "chain_undo" ("chainId", "block", "subject", "relation", "keyColumn", "rowKey", "before")
    VALUES ((at ->> 'chainId')::int, (at ->> 'block')::int, at ->> 'subject', TG_TABLE_NAME, TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[0], changed);
  RETURN NULL;
END
$$ LANGUAGE plpgsql;

CREATE FUNCTION "undo_chain_change"(change bigint) RETURNS void AS $$
DECLARE
  was "chain_undo";
  columns text;
BEGIN
  SELECT * INTO was FROM "chain_undo" WHERE "id" = change;
  PERFORM set_config('parley.undoing', 'on', true);
  IF was."before" IS NULL THEN
    EXECUTE format('DELETE FROM %I WHERE %I = $1', was."relation", was."keyColumn") USING was."rowKey";
  ELSE
    SELECT string_agg(format('%1$I = r.%1$I', name), ', ') INTO columns FROM jsonb_object_keys(was."before") name;
    EXECUTE format('UPDATE %1$I t SET %2$s FROM jsonb_populate_record(NULL::%1$I, $1) r WHERE t.%3$I = $2', was."relation", columns, was."keyColumn")
      USING was."before", was."rowKey";
  END IF;
  PERFORM set_config('parley.undoing', '', true);
  DELETE FROM "chain_undo" WHERE "id" = change;
END
$$ LANGUAGE plpgsql;

CREATE TRIGGER "hold_undo" AFTER INSERT OR UPDATE ON "hold" FOR EACH ROW EXECUTE FUNCTION "note_undo"('goalId');
CREATE TRIGGER "payout_undo" AFTER INSERT OR UPDATE ON "payout" FOR EACH ROW EXECUTE FUNCTION "note_undo"('id');
CREATE TRIGGER "dispute_undo" AFTER INSERT OR UPDATE ON "dispute" FOR EACH ROW EXECUTE FUNCTION "note_undo"('id');
CREATE TRIGGER "offer_undo" AFTER INSERT OR UPDATE ON "offer" FOR EACH ROW EXECUTE FUNCTION "note_undo"('id');
CREATE TRIGGER "credit_withdrawal_undo" AFTER INSERT OR UPDATE ON "credit_withdrawal" FOR EACH ROW EXECUTE FUNCTION "note_undo"('id');
CREATE TRIGGER "channel_undo" AFTER INSERT OR UPDATE ON "channel" FOR EACH ROW EXECUTE FUNCTION "note_undo"('id');

-- Transfers were called by their transaction's hash. The log is read once more from its beginning, which reverses them and posts them
-- by what happened. A hash that no block has makes the reader go back.
UPDATE "chain_cursor" c SET "blockHash" = '0x', "block" = coalesce((SELECT min(l."block") FROM "chain_log" l WHERE l."chainId" = c."chainId"), c."block")
  WHERE EXISTS (SELECT 1 FROM "ledger_transfer" WHERE "key" LIKE 'settle:%:0x%' OR "key" LIKE 'channels:0x%' OR "key" LIKE 'withdraw:%');

-- What a removed block settled, claimed or closed may go back, by `undo_chain_change` alone.
CREATE OR REPLACE FUNCTION "refuse_payout_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."amount" <> OLD."amount" OR NEW."payee" <> OLD."payee" OR NEW."step" <> OLD."step" OR NEW."goalId" <> OLD."goalId" THEN
    RAISE EXCEPTION 'a payout keeps its rail, payee, step and amount';
  END IF;
  IF OLD."state" IN ('paid', 'credited', 'split', 'refunded') AND NEW."state" <> OLD."state"
    AND NOT (OLD."rail" = 'stripe' AND OLD."state" = 'credited' AND NEW."state" IN ('paid', 'refunded'))
    AND coalesce(current_setting('parley.undoing', true), '') <> 'on' THEN
    RAISE EXCEPTION 'a settled payout stays settled';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION "refuse_channel_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."receiver" <> OLD."receiver" OR NEW."payer" <> OLD."payer" OR NEW."authorizer" <> OLD."authorizer" OR NEW."agentId" <> OLD."agentId" OR NEW."contract" <> OLD."contract" THEN
    RAISE EXCEPTION 'a channel keeps its parties and its contract';
  END IF;
  IF coalesce(current_setting('parley.undoing', true), '') = 'on' THEN RETURN NEW; END IF;
  IF NEW."earned" < OLD."earned" OR NEW."claimed" < OLD."claimed" THEN
    RAISE EXCEPTION 'what is earned or claimed in a channel only grows';
  END IF;
  IF OLD."state" = 'closed' AND NEW."state" <> 'closed' THEN
    RAISE EXCEPTION 'a closed channel stays closed';
  END IF;
  RETURN NEW;
END $$;

-- Where the chain has removed a top-up or an opening, what was earned before stands above what the contract holds, until it is back.
-- A voucher above the deposit is refused where it is offered.
ALTER TABLE "channel" DROP CONSTRAINT "channel_sums";
ALTER TABLE "channel" ADD CONSTRAINT "channel_sums" CHECK ("earned" >= 0 AND "claimed" >= 0 AND "deposit" >= 0 AND "pendingAmount" >= "earned");
ALTER TABLE "channel" DROP CONSTRAINT "channel_top_up_of_an_open_one";
ALTER TABLE "channel" ADD CONSTRAINT "channel_top_up_of_an_open_one" CHECK ("topUp" IS NULL OR "state" IN ('opening', 'open'));
