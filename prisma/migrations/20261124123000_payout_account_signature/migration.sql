ALTER TABLE "payout_account" ADD COLUMN "signedUntil" TIMESTAMPTZ(3);
