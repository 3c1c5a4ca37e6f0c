-- Until when the money of returned steps stays where it is, in Unix seconds.
ALTER TABLE "hold" ADD COLUMN "disputeBy" INTEGER;
ALTER TABLE "hold" ADD CONSTRAINT "hold_dispute_on_escrow" CHECK ("disputeBy" IS NULL OR "rail" = 'escrow');
