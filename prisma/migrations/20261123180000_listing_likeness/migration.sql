ALTER TABLE "listing" ADD COLUMN "likeness" TEXT NOT NULL DEFAULT '';
CREATE INDEX "listing_likeness_idx" ON "listing"("likeness");
