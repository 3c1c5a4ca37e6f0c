-- A hold says until when work is reviewed, who rules where it is disputed, and what silence means.
ALTER TABLE "hold" ADD COLUMN "reviewBy" INTEGER, ADD COLUMN "arbitrator" TEXT, ADD COLUMN "onSilence" INTEGER;
UPDATE "hold" SET "reviewBy" = "expiry" - 86400;
UPDATE "hold" SET "arbitrator" = '0x0000000000000000000000000000000000000000', "onSilence" = 0 WHERE "rail" = 'escrow';
ALTER TABLE "hold" ALTER COLUMN "reviewBy" SET NOT NULL;
ALTER TABLE "hold" ADD CONSTRAINT "hold_times_in_order" CHECK ("workBy" <= "reviewBy" AND "reviewBy" <= "expiry");

ALTER TABLE "hold" DROP CONSTRAINT "hold_chain_iff_escrow";
ALTER TABLE "hold" ADD CONSTRAINT "hold_chain_iff_escrow" CHECK (
  num_nonnulls("planId", "chainId", "escrow", "token", "salt", "arbitrator", "onSilence") = CASE "rail" WHEN 'escrow' THEN 7 ELSE 0 END
  AND ("rail" = 'escrow' OR "authorization" IS NULL)
);

ALTER TABLE "hold_charter" ADD COLUMN "memberSignatures" JSONB NOT NULL DEFAULT '[]';
