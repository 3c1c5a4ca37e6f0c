-- Agents that are asked directly, paid by the call: channels with their vouchers, and calls.
CREATE TYPE "ChannelState" AS ENUM ('opening', 'open', 'closing', 'closed', 'failed');
CREATE TYPE "CallState" AS ENUM ('asked', 'answered', 'declined', 'expired');

CREATE TABLE "channel" (
    "id" TEXT NOT NULL,
    "state" "ChannelState" NOT NULL,
    "asset" TEXT NOT NULL,
    "chainId" INTEGER NOT NULL,
    "contract" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "authorizer" TEXT NOT NULL,
    "receiver" TEXT NOT NULL,
    "settler" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "withdrawDelay" INTEGER NOT NULL,
    "salt" TEXT NOT NULL,
    "deposit" BIGINT NOT NULL,
    "authorization" JSONB,
    "earned" BIGINT NOT NULL DEFAULT 0,
    "voucher" TEXT,
    "pendingAmount" BIGINT,
    "pendingVoucher" TEXT,
    "claimed" BIGINT NOT NULL DEFAULT 0,
    "claimAsked" BIGINT NOT NULL DEFAULT 0,
    "withdrawableAt" INTEGER,
    "refunded" BIGINT,
    "failure" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 60,
    "openedTx" TEXT,
    "closedTx" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "channel_clientId_salt_key" ON "channel"("clientId", "salt");
CREATE INDEX "channel_state_idx" ON "channel"("state");
CREATE INDEX "channel_agentId_idx" ON "channel"("agentId");
ALTER TABLE "channel" ADD CONSTRAINT "channel_open_has_proof" CHECK ("state" IN ('opening', 'failed') OR "openedTx" IS NOT NULL);
ALTER TABLE "channel" ADD CONSTRAINT "channel_closed_has_proof" CHECK ("state" <> 'closed' OR ("closedTx" IS NOT NULL AND "refunded" IS NOT NULL));
-- No voucher is worth more than there is, and what is earned has its voucher.
ALTER TABLE "channel" ADD CONSTRAINT "channel_sums" CHECK ("earned" BETWEEN 0 AND "deposit" AND "claimed" >= 0 AND "pendingAmount" <= "deposit" AND "pendingAmount" >= "earned");
ALTER TABLE "channel" ADD CONSTRAINT "channel_earned_is_signed" CHECK ("earned" = 0 OR "voucher" IS NOT NULL);
ALTER TABLE "channel" ADD CONSTRAINT "channel_pending_is_signed" CHECK (("pendingAmount" IS NULL) = ("pendingVoucher" IS NULL));

CREATE FUNCTION "refuse_channel_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."receiver" <> OLD."receiver" OR NEW."payer" <> OLD."payer" OR NEW."authorizer" <> OLD."authorizer" OR NEW."agentId" <> OLD."agentId" OR NEW."contract" <> OLD."contract" THEN
    RAISE EXCEPTION 'a channel keeps its parties and its contract';
  END IF;
  IF NEW."earned" < OLD."earned" OR NEW."claimed" < OLD."claimed" THEN
    RAISE EXCEPTION 'what is earned or claimed in a channel only grows';
  END IF;
  IF OLD."state" = 'closed' AND NEW."state" <> 'closed' THEN
    RAISE EXCEPTION 'a closed channel stays closed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "channel_keeps" BEFORE UPDATE ON "channel" FOR EACH ROW EXECUTE FUNCTION "refuse_channel_change"();

CREATE TABLE "call" (
    "id" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "callerId" TEXT,
    "state" "CallState" NOT NULL,
    "skillId" TEXT NOT NULL,
    "price" BIGINT NOT NULL,
    "digest" TEXT NOT NULL,
    "inputs" JSONB NOT NULL,
    "attachments" JSONB NOT NULL,
    "artifacts" JSONB NOT NULL DEFAULT '[]',
    "text" TEXT NOT NULL DEFAULT '',
    "failure" TEXT,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "askedAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "call_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "call_channelId_askedAt_idx" ON "call"("channelId", "askedAt");
CREATE INDEX "call_agentId_askedAt_idx" ON "call"("agentId", "askedAt");
-- One question at a time in each channel.
CREATE UNIQUE INDEX "call_one_asked" ON "call" ("channelId") WHERE "state" = 'asked';
ALTER TABLE "call" ADD CONSTRAINT "call_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "chain_transaction" ADD COLUMN "channelId" TEXT;
CREATE INDEX "chain_transaction_channelId_idx" ON "chain_transaction"("channelId");
ALTER TABLE "chain_log" ADD COLUMN "contract" TEXT NOT NULL DEFAULT 'escrow', ADD COLUMN "channelId" TEXT;
CREATE INDEX "chain_log_channelId_idx" ON "chain_log"("channelId");

-- What a channel holds, and what waits in its contract for somebody, is never less than nothing.
DROP TRIGGER "ledger_entry_covered" ON "ledger_entry";
CREATE CONSTRAINT TRIGGER "ledger_entry_covered" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW."credit" > 0 AND (NEW."account" LIKE 'escrow:%' OR NEW."account" LIKE 'fees:%' OR NEW."account" LIKE 'credit:%' OR NEW."account" LIKE 'channel:%' OR NEW."account" LIKE 'channel-credit:%'))
  EXECUTE FUNCTION "check_account_covered"();
