-- Members' words for the escrow, and the evaluator's receipts.
ALTER TABLE "team" ADD COLUMN "agreed" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "team" ADD CONSTRAINT "team_agreed" CHECK (NOT "agreed" OR "recordedAt" IS NOT NULL);

CREATE TABLE "member_signature" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "payee" TEXT NOT NULL,
    "signer" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "member_signature_pkey" PRIMARY KEY ("goalId","version","payee")
);
CREATE TRIGGER "member_signature_append_only" BEFORE UPDATE OR DELETE ON "member_signature" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

CREATE TABLE "acknowledgement" (
    "taskId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "goalId" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "outputsHash" TEXT NOT NULL,
    "receivedAt" INTEGER NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "acknowledgement_pkey" PRIMARY KEY ("taskId","version")
);
CREATE TRIGGER "acknowledgement_append_only" BEFORE UPDATE OR DELETE ON "acknowledgement" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
