-- What agents remember beyond a goal.
CREATE TABLE "memory_note" (
    "agentId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "about" TEXT,
    "note" JSONB NOT NULL,
    "keptAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memory_note_pkey" PRIMARY KEY ("agentId", "key")
);
CREATE INDEX "memory_note_about_idx" ON "memory_note"("about");
CREATE INDEX "memory_note_expiresAt_idx" ON "memory_note"("expiresAt");
