-- CreateTable
CREATE TABLE "hold_charter" (
    "goalId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "charterHash" TEXT NOT NULL,
    "steps" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hold_charter_pkey" PRIMARY KEY ("goalId","version")
);

-- AddForeignKey
ALTER TABLE "hold_charter" ADD CONSTRAINT "hold_charter_goalId_fkey" FOREIGN KEY ("goalId") REFERENCES "hold"("goalId") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was signed stays what it was.
CREATE TRIGGER "hold_charter_append_only" BEFORE UPDATE OR DELETE ON "hold_charter" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "hold_charter" ADD CONSTRAINT "hold_charter_version" CHECK ("version" BETWEEN 1 AND 65535);
