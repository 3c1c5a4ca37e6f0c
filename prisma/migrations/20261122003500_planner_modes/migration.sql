-- Two more ways to plan a goal; and, for the one in which its client confirms, what was put before it and what it said.
ALTER TYPE "Planner" ADD VALUE 'hybrid';
ALTER TYPE "Planner" ADD VALUE 'copilot';
ALTER TABLE "conversation" ADD COLUMN "asksClient" BOOLEAN NOT NULL DEFAULT false;
CREATE TYPE "CharterDraftState" AS ENUM ('submitted', 'confirmed', 'refused');
CREATE TABLE "charter_draft" (
  "goalId" TEXT NOT NULL,
  "charterHash" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "charter" JSONB NOT NULL,
  "why" TEXT NOT NULL,
  "state" "CharterDraftState" NOT NULL,
  "steps" INTEGER[] NOT NULL,
  "refusedStep" INTEGER,
  "reason" TEXT,
  "submittedAt" TIMESTAMPTZ(3) NOT NULL,
  "saidAt" TIMESTAMPTZ(3),
  "rowVersion" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "charter_draft_pkey" PRIMARY KEY ("goalId", "charterHash"),
  CONSTRAINT "charter_draft_refused_for_a_reason" CHECK (("state" = 'refused') = ("reason" IS NOT NULL)),
  CONSTRAINT "charter_draft_said_once_it_is_not_submitted" CHECK (("state" = 'submitted') = ("saidAt" IS NULL))
);
CREATE UNIQUE INDEX "charter_draft_goalId_number_key" ON "charter_draft"("goalId", "number");
