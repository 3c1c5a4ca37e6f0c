-- The processing fee that a client pays on top of the budget, and what Stripe took of the charge.
ALTER TABLE "card_hold" ADD COLUMN "processingFeeCents" BIGINT NOT NULL DEFAULT 0;
-- The evidence that a dispute was answered with.
ALTER TABLE "card_hold" ADD COLUMN "evidenceDueBy" TIMESTAMPTZ(3);
ALTER TABLE "card_hold" ADD COLUMN "evidenceSubmittedAt" TIMESTAMPTZ(3);
ALTER TABLE "card_payment" ADD COLUMN "paidFeeCents" BIGINT;
