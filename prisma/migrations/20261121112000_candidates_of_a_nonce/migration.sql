-- The states of an attempt.
CREATE TYPE "TransferState_new" AS ENUM ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged', 'final', 'posted', 'replaced', 'failed_retryable', 'failed_final');
ALTER TABLE "chain_transaction" ALTER COLUMN "state" TYPE "TransferState_new" USING (
  CASE "state"::text WHEN 'final' THEN 'posted' WHEN 'reverted' THEN 'failed_final' ELSE "state"::text END::"TransferState_new"
);
DROP TYPE "TransferState";
ALTER TYPE "TransferState_new" RENAME TO "TransferState";

-- AlterTable
ALTER TABLE "chain_transaction"
  ADD COLUMN "value" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "wish" JSONB,
  ADD COLUMN "callTo" TEXT,
  ADD COLUMN "callData" TEXT,
  ADD COLUMN "callWei" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "callGas" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "attempt" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "retryAt" TIMESTAMPTZ(3),
  ADD COLUMN "reopenedAt" TIMESTAMPTZ(3),
  ADD COLUMN "postedAt" TIMESTAMPTZ(3),
  ALTER COLUMN "nonce" DROP NOT NULL,
  ALTER COLUMN "hash" DROP NOT NULL;

-- CreateTable
CREATE TABLE "chain_candidate" (
    "hash" TEXT NOT NULL,
    "transactionId" TEXT NOT NULL,
    "nonce" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,
    "raw" TEXT NOT NULL,
    "maxFeePerGas" BIGINT NOT NULL,
    "maxPriorityFeePerGas" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_candidate_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "chain_candidate_transactionId_n_key" ON "chain_candidate"("transactionId", "n");
DROP INDEX "chain_transaction_hash_key";
CREATE INDEX "chain_transaction_hash_idx" ON "chain_transaction"("hash");
CREATE UNIQUE INDEX "chain_transaction_id_nonce_key" ON "chain_transaction"("id", "nonce");

-- AddForeignKey
ALTER TABLE "chain_candidate" ADD CONSTRAINT "chain_candidate_transactionId_nonce_fkey" FOREIGN KEY ("transactionId", "nonce") REFERENCES "chain_transaction"("id", "nonce") ON DELETE RESTRICT ON UPDATE CASCADE;

INSERT INTO "chain_candidate" ("hash", "transactionId", "nonce", "n", "raw", "maxFeePerGas", "maxPriorityFeePerGas", "createdAt")
  SELECT "hash", "id", "nonce", 1, "raw", 0, 0, "createdAt" FROM "chain_transaction";
ALTER TABLE "chain_transaction" DROP COLUMN "raw";

-- What no code may break ------------------------------------------------------------------------------------------

-- Bytes that may have been sent are never changed and never forgotten, and neither is the nonce they carry.
CREATE TRIGGER "chain_candidate_append_only" BEFORE UPDATE OR DELETE ON "chain_candidate" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
-- Whatever may have been sent has a nonce; what has none was never sent.
ALTER TABLE "chain_transaction" ADD CONSTRAINT "chain_transaction_sent_has_nonce" CHECK ("state" NOT IN ('prepared', 'submitted', 'seen', 'reorged', 'final', 'posted', 'replaced') OR ("nonce" IS NOT NULL AND "hash" IS NOT NULL));
ALTER TABLE "chain_transaction" ADD CONSTRAINT "chain_transaction_seen_has_block" CHECK ("state" NOT IN ('seen', 'final', 'posted') OR ("block" IS NOT NULL AND "blockHash" IS NOT NULL));
ALTER TABLE "chain_transaction" ADD CONSTRAINT "chain_transaction_attempts" CHECK ("attempt" BETWEEN 1 AND "attempts" AND "value" >= 0);
