-- Disputes, offers to settle them, and credits that are withdrawn.
CREATE TYPE "DisputeState" AS ENUM ('signed', 'open', 'ruling', 'ruled', 'agreed', 'lapsed', 'refused');
CREATE TYPE "OfferState" AS ENUM ('made', 'accepting', 'accepted', 'lapsed');
CREATE TYPE "Party" AS ENUM ('client', 'payee');
CREATE TYPE "WithdrawalState" AS ENUM ('signed', 'done', 'refused');

CREATE TABLE "dispute" (
    "id" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "charterVersion" INTEGER NOT NULL,
    "by" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "artifacts" TEXT[],
    "evidenceHash" TEXT NOT NULL,
    "signature" TEXT,
    "state" "DisputeState" NOT NULL,
    "failure" TEXT,
    "told" "DisputeState",
    "openedTx" TEXT,
    "openedAt" TIMESTAMPTZ(3),
    "payeeBps" INTEGER,
    "reason" TEXT,
    "rulingHash" TEXT,
    "ruledBy" TEXT,
    "closedTx" TEXT,
    "closedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "dispute_goalId_step_key" ON "dispute"("goalId", "step");
CREATE INDEX "dispute_state_idx" ON "dispute"("state");
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_of_a_hold" FOREIGN KEY ("goalId") REFERENCES "hold"("goalId");
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_open_has_proof" CHECK ("state" IN ('signed', 'refused') OR ("openedTx" IS NOT NULL AND "openedAt" IS NOT NULL));
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_closed_has_proof" CHECK ("state" NOT IN ('ruled', 'agreed', 'lapsed') OR ("closedTx" IS NOT NULL AND "closedAt" IS NOT NULL AND "payeeBps" BETWEEN 0 AND 10000));

CREATE TABLE "offer" (
    "id" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "charterVersion" INTEGER NOT NULL,
    "payeeBps" INTEGER NOT NULL,
    "deadline" INTEGER NOT NULL,
    "party" "Party" NOT NULL,
    "signature" TEXT NOT NULL,
    "answer" TEXT,
    "state" "OfferState" NOT NULL,
    "failure" TEXT,
    "tx" TEXT,
    "isTold" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "offer_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "offer_goalId_step_idx" ON "offer"("goalId", "step");
CREATE INDEX "offer_state_idx" ON "offer"("state");
-- One proposal of each party stands at a time, and one is on its way to the chain.
CREATE UNIQUE INDEX "offer_one_made" ON "offer" ("goalId", "step", "party") WHERE "state" = 'made';
CREATE UNIQUE INDEX "offer_one_accepting" ON "offer" ("goalId", "step") WHERE "state" = 'accepting';
ALTER TABLE "offer" ADD CONSTRAINT "offer_of_a_hold" FOREIGN KEY ("goalId") REFERENCES "hold"("goalId");
ALTER TABLE "offer" ADD CONSTRAINT "offer_share" CHECK ("payeeBps" BETWEEN 0 AND 10000);

CREATE TABLE "credit_withdrawal" (
    "id" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "deadline" INTEGER NOT NULL,
    "nonce" INTEGER NOT NULL,
    "signature" TEXT NOT NULL,
    "state" "WithdrawalState" NOT NULL,
    "amount" BIGINT,
    "tx" TEXT,
    "failure" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credit_withdrawal_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "credit_withdrawal_account_idx" ON "credit_withdrawal"("account");
CREATE INDEX "credit_withdrawal_state_idx" ON "credit_withdrawal"("state");
CREATE UNIQUE INDEX "credit_withdrawal_one_signed" ON "credit_withdrawal" ("account") WHERE "state" = 'signed';
ALTER TABLE "credit_withdrawal" ADD CONSTRAINT "withdrawal_done_has_proof" CHECK ("state" <> 'done' OR ("tx" IS NOT NULL AND "amount" IS NOT NULL));

-- A step may be paid in part: what its payee was sent stands beside what was agreed.
ALTER TABLE "payout" ADD COLUMN "paidAmount" BIGINT;
ALTER TABLE "payout" ADD CONSTRAINT "payout_paid_amount" CHECK ("paidAmount" IS NULL OR ("paidAmount" BETWEEN 0 AND "amount" AND "state" IN ('paid', 'credited', 'split', 'refunded')));
ALTER TABLE "payout" DROP CONSTRAINT "payout_paid_has_proof";
ALTER TABLE "payout" ADD CONSTRAINT "payout_paid_has_proof" CHECK ("state" NOT IN ('paid', 'credited', 'split') OR ("tx" IS NOT NULL AND "paidAt" IS NOT NULL));

CREATE OR REPLACE FUNCTION "refuse_payout_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."amount" <> OLD."amount" OR NEW."payee" <> OLD."payee" OR NEW."step" <> OLD."step" OR NEW."goalId" <> OLD."goalId" THEN
    RAISE EXCEPTION 'a payout keeps its rail, payee, step and amount';
  END IF;
  IF OLD."state" IN ('paid', 'credited', 'split', 'refunded') AND NEW."state" <> OLD."state"
    AND NOT (OLD."rail" = 'stripe' AND OLD."state" = 'credited' AND NEW."state" IN ('paid', 'refunded')) THEN
    RAISE EXCEPTION 'a settled payout stays settled';
  END IF;
  RETURN NEW;
END $$;
