-- The card rail: what Stripe was asked to do, and what it has said.
CREATE TYPE "CardDispute" AS ENUM ('open', 'won', 'lost');
CREATE TYPE "CardPaymentKind" AS ENUM ('checkout', 'transfer', 'refund', 'reversal');
CREATE TYPE "CardPaymentState" AS ENUM ('intent', 'prepared', 'submitted', 'seen', 'final', 'posted', 'failed_retryable', 'failed_final');
CREATE TYPE "PayoutAccountState" AS ENUM ('opening', 'incomplete', 'ready');

CREATE TABLE "card_hold" (
    "goalId" TEXT NOT NULL,
    "rail" "Rail" NOT NULL DEFAULT 'stripe',
    "paymentIntent" TEXT,
    "charge" TEXT,
    "disputeId" TEXT,
    "dispute" "CardDispute",
    "disputedAt" TIMESTAMPTZ(3),

    CONSTRAINT "card_hold_pkey" PRIMARY KEY ("goalId")
);
CREATE UNIQUE INDEX "card_hold_paymentIntent_key" ON "card_hold"("paymentIntent");
CREATE UNIQUE INDEX "card_hold_charge_key" ON "card_hold"("charge");
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "hold"("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;
-- Only a hold on the card rail has such a row.
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_of_card_rail" CHECK ("rail" = 'stripe');
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_rail_is_the_holds" FOREIGN KEY ("goalId", "rail") REFERENCES "hold" ("goalId", "rail");
ALTER TABLE "card_hold" ADD CONSTRAINT "card_hold_dispute_whole" CHECK (num_nonnulls("disputeId", "dispute", "disputedAt") IN (0, 3));

CREATE TABLE "card_payment" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" "CardPaymentKind" NOT NULL,
    "goalId" TEXT NOT NULL,
    "cents" BIGINT NOT NULL,
    "ownerId" TEXT,
    "subject" TEXT,
    "state" "CardPaymentState" NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "idempotencyKey" TEXT,
    "call" JSONB,
    "preparedAt" TIMESTAMPTZ(3),
    "retryAt" TIMESTAMPTZ(3),
    "objectId" TEXT,
    "url" TEXT,
    "failure" TEXT,
    "paidIntent" TEXT,
    "paidCharge" TEXT,
    "claimBy" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "card_payment_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "card_payment_key_key" ON "card_payment"("key");
CREATE UNIQUE INDEX "card_payment_idempotencyKey_key" ON "card_payment"("idempotencyKey");
CREATE UNIQUE INDEX "card_payment_kind_objectId_key" ON "card_payment"("kind", "objectId");
CREATE INDEX "card_payment_goalId_idx" ON "card_payment"("goalId");
CREATE INDEX "card_payment_ownerId_idx" ON "card_payment"("ownerId");
CREATE INDEX "card_payment_state_idx" ON "card_payment"("state");
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "card_hold"("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_amount" CHECK ("cents" > 0);
-- Without its key and content on disk nothing was ever sent.
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_sent_has_key" CHECK (
  "state" = 'intent' OR "state" = 'failed_final' OR ("idempotencyKey" IS NOT NULL AND "call" IS NOT NULL AND "preparedAt" IS NOT NULL)
);
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_paid_checkout" CHECK (
  "kind" <> 'checkout' OR "state" NOT IN ('final', 'posted') OR ("paidIntent" IS NOT NULL AND "paidCharge" IS NOT NULL)
);
ALTER TABLE "card_payment" ADD CONSTRAINT "card_payment_seen_has_object" CHECK ("state" NOT IN ('seen', 'final', 'posted') OR "objectId" IS NOT NULL);

CREATE FUNCTION "refuse_card_payment_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."key" <> OLD."key" OR NEW."kind" <> OLD."kind" OR NEW."goalId" <> OLD."goalId" OR NEW."cents" <> OLD."cents"
    OR NEW."ownerId" IS DISTINCT FROM OLD."ownerId" OR NEW."subject" IS DISTINCT FROM OLD."subject" THEN
    RAISE EXCEPTION 'a card payment keeps what it is for';
  END IF;
  IF OLD."state" = 'posted' AND NEW."state" <> 'posted' THEN
    RAISE EXCEPTION 'a posted card payment stays posted';
  END IF;
  IF NEW."attempt" = OLD."attempt" AND OLD."idempotencyKey" IS NOT NULL
    AND (NEW."idempotencyKey" IS DISTINCT FROM OLD."idempotencyKey" OR NEW."call" IS DISTINCT FROM OLD."call") THEN
    RAISE EXCEPTION 'what is sent under a key stays what it was';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "card_payment_keeps_terms" BEFORE UPDATE ON "card_payment" FOR EACH ROW EXECUTE FUNCTION "refuse_card_payment_change"();

CREATE TABLE "payout_account" (
    "ownerId" TEXT NOT NULL,
    "state" "PayoutAccountState" NOT NULL,
    "accountId" TEXT,
    "openKey" TEXT NOT NULL,
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "wants" TEXT[],
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_account_pkey" PRIMARY KEY ("ownerId")
);
CREATE UNIQUE INDEX "payout_account_accountId_key" ON "payout_account"("accountId");
CREATE UNIQUE INDEX "payout_account_openKey_key" ON "payout_account"("openKey");
ALTER TABLE "payout_account" ADD CONSTRAINT "payout_account_ready_has_id" CHECK ("state" = 'opening' OR "accountId" IS NOT NULL);

CREATE TABLE "stripe_event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "account" TEXT NOT NULL DEFAULT '',
    "objectId" TEXT NOT NULL DEFAULT '',
    "body" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "handledAt" TIMESTAMPTZ(3),

    CONSTRAINT "stripe_event_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "stripe_event_handledAt_idx" ON "stripe_event"("handledAt");

CREATE FUNCTION "refuse_stripe_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."id" <> OLD."id" OR NEW."type" <> OLD."type" OR NEW."body" <> OLD."body" THEN
    RAISE EXCEPTION 'an event stays as it arrived';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "stripe_event_kept" BEFORE UPDATE ON "stripe_event" FOR EACH ROW EXECUTE FUNCTION "refuse_stripe_event_change"();
CREATE TRIGGER "stripe_event_not_deleted" BEFORE DELETE ON "stripe_event" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- A share that waited for its publisher's payout account is paid later, or goes back when nobody claimed it.
CREATE OR REPLACE FUNCTION "refuse_payout_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."amount" <> OLD."amount" OR NEW."payee" <> OLD."payee" OR NEW."step" <> OLD."step" OR NEW."goalId" <> OLD."goalId" THEN
    RAISE EXCEPTION 'a payout keeps its rail, payee, step and amount';
  END IF;
  IF OLD."state" IN ('paid', 'credited', 'refunded') AND NEW."state" <> OLD."state"
    AND NOT (OLD."rail" = 'stripe' AND OLD."state" = 'credited' AND NEW."state" IN ('paid', 'refunded')) THEN
    RAISE EXCEPTION 'a settled payout stays settled';
  END IF;
  RETURN NEW;
END $$;
