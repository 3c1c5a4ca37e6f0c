-- Whom a listing passes a share of its pay on to, and what of it a charter has fixed.
CREATE TABLE "listing_royalty" (
    "agentId" TEXT NOT NULL,
    "upstreamId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "bps" INTEGER NOT NULL,

    CONSTRAINT "listing_royalty_pkey" PRIMARY KEY ("agentId","upstreamId"),
    CONSTRAINT "listing_royalty_share" CHECK ("bps" BETWEEN 1 AND 5000),
    CONSTRAINT "listing_royalty_self" CHECK ("agentId" <> "upstreamId")
);
CREATE INDEX "listing_royalty_upstreamId_idx" ON "listing_royalty"("upstreamId");
ALTER TABLE "listing_royalty" ADD CONSTRAINT "listing_royalty_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "listing_royalty" ADD CONSTRAINT "listing_royalty_upstreamId_fkey" FOREIGN KEY ("upstreamId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "step" ADD COLUMN "royalties" JSONB NOT NULL DEFAULT '[]';
