-- The client approves each charter, by its wallet or by a session key that the terms name.
ALTER TABLE "hold" ADD COLUMN "authorizer" TEXT, ADD COLUMN "vetoSeconds" INTEGER;
UPDATE "hold" SET "authorizer" = '0x0000000000000000000000000000000000000000', "vetoSeconds" = 0 WHERE "rail" = 'escrow';

CREATE TABLE "charter_authorization" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "signer" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "charter_authorization_pkey" PRIMARY KEY ("goalId","version"),
    CONSTRAINT "charter_authorization_charter" FOREIGN KEY ("goalId","version") REFERENCES "hold_charter"("goalId","version")
);
CREATE TRIGGER "charter_authorization_append_only" BEFORE UPDATE OR DELETE ON "charter_authorization" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

CREATE TABLE "charter_veto" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "signer" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "charter_veto_pkey" PRIMARY KEY ("goalId","version")
);
CREATE TRIGGER "charter_veto_append_only" BEFORE UPDATE OR DELETE ON "charter_veto" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

CREATE TABLE "charter_sealing" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "charter_sealing_pkey" PRIMARY KEY ("goalId","version"),
    CONSTRAINT "charter_sealing_charter" FOREIGN KEY ("goalId","version") REFERENCES "hold_charter"("goalId","version")
);
CREATE INDEX "charter_sealing_dueAt_idx" ON "charter_sealing"("dueAt");

CREATE TABLE "step_submission" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "outputsHash" TEXT NOT NULL,
    "signer" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "step_submission_pkey" PRIMARY KEY ("goalId","version","step")
);

CREATE TABLE "batched_settlement" (
    "transactionId" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,

    CONSTRAINT "batched_settlement_pkey" PRIMARY KEY ("transactionId","goalId"),
    CONSTRAINT "batched_settlement_transaction" FOREIGN KEY ("transactionId") REFERENCES "chain_transaction"("id")
);
CREATE INDEX "batched_settlement_goalId_idx" ON "batched_settlement"("goalId");
