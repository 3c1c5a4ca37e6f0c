-- Messages that can't be delivered: their readers get the placeholder at that number, and their rooms go on.
CREATE TABLE "quarantined_message" (
    "groupId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "why" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "placeholder" TEXT NOT NULL,
    "releasedAt" TIMESTAMPTZ(3),

    CONSTRAINT "quarantined_message_pkey" PRIMARY KEY ("groupId","seq")
);
CREATE INDEX "quarantined_message_releasedAt_at_idx" ON "quarantined_message"("releasedAt", "at");
CREATE TRIGGER "quarantined_message_stays" BEFORE DELETE ON "quarantined_message" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
