-- CreateTable
CREATE TABLE "talk_budget" (
    "groupId" TEXT NOT NULL,
    "limits" JSONB NOT NULL,
    "spent" JSONB NOT NULL,
    "halt" TEXT,

    CONSTRAINT "talk_budget_pkey" PRIMARY KEY ("groupId")
);
