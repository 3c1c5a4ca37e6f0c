-- CreateTable
CREATE TABLE "reconciliation" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "mode" TEXT NOT NULL,
    "chainId" INTEGER NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "fromBlock" INTEGER NOT NULL,
    "toBlock" INTEGER NOT NULL,
    "evenBlock" INTEGER NOT NULL,
    "evenBlockHash" TEXT NOT NULL,
    "matched" INTEGER NOT NULL,
    "isEven" BOOLEAN NOT NULL,
    "report" JSONB NOT NULL,

    CONSTRAINT "reconciliation_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "reconciliation_at_idx" ON "reconciliation"("at");
ALTER TABLE "reconciliation" ADD CONSTRAINT "reconciliation_mode" CHECK ("mode" IN ('full', 'incremental'));

-- CreateTable
CREATE TABLE "reconciled_transfer" (
    "transferId" TEXT NOT NULL,
    "reconciliationId" TEXT NOT NULL,

    CONSTRAINT "reconciled_transfer_pkey" PRIMARY KEY ("transferId")
);
ALTER TABLE "reconciled_transfer" ADD CONSTRAINT "reconciled_transfer_transferId_fkey" FOREIGN KEY ("transferId") REFERENCES "ledger_transfer"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciled_transfer" ADD CONSTRAINT "reconciled_transfer_reconciliationId_fkey" FOREIGN KEY ("reconciliationId") REFERENCES "reconciliation"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was found stays what was found.
CREATE TRIGGER "reconciliation_append_only" BEFORE UPDATE OR DELETE ON "reconciliation" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "reconciled_transfer_append_only" BEFORE UPDATE OR DELETE ON "reconciled_transfer" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
