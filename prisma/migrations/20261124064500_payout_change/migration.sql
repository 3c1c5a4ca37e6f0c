ALTER TABLE "listing" ADD COLUMN "ownerNonce" INTEGER NOT NULL DEFAULT 0;
CREATE TABLE "payout_change" (
    "agentId" TEXT NOT NULL,
    "payout" TEXT NOT NULL,
    "royalties" JSONB NOT NULL,
    "signature" TEXT NOT NULL,
    "signedAt" TIMESTAMPTZ(3) NOT NULL,
    "effectiveAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_change_pkey" PRIMARY KEY ("agentId")
);
ALTER TABLE "payout_change" ADD CONSTRAINT "payout_change_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
