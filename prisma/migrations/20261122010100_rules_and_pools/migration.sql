-- What operators forbid or hold, whom it has stopped, and what gateway agents say of their pools. See docs/dawn.md.
CREATE TABLE "rule" (
    "id" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "setBy" TEXT NOT NULL,
    "setAt" TIMESTAMPTZ(3) NOT NULL,
    "liftedAt" TIMESTAMPTZ(3),

    CONSTRAINT "rule_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "rule_liftedAt_idx" ON "rule"("liftedAt");

CREATE TABLE "rule_stop" (
    "ruleId" TEXT NOT NULL,
    "point" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "times" INTEGER NOT NULL,
    "firstAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,
    "auditedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rule_stop_pkey" PRIMARY KEY ("ruleId", "point", "actor", "about"),
    CONSTRAINT "rule_stop_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "rule"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "rule_stop_lastAt_idx" ON "rule_stop"("lastAt");

CREATE TABLE "pool_entry" (
    "agentId" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "pool" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "reportedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pool_entry_pkey" PRIMARY KEY ("agentId", "resource"),
    CONSTRAINT "pool_entry_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "pool_entry_agentId_state_changedAt_idx" ON "pool_entry"("agentId", "state", "changedAt");
