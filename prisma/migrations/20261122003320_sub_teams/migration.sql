-- Teams in teams: a goal has several rooms, a step may be part of another, and who has a task leads a team for it.
DROP INDEX "conversation_goalId_key";
CREATE INDEX "conversation_goalId_idx" ON "conversation"("goalId");

ALTER TABLE "step" ADD COLUMN "parent" INTEGER,
ADD COLUMN "groupId" TEXT,
ADD COLUMN "recorded" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN "dropped" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "step" ADD CONSTRAINT "step_part_of" CHECK (("parent" IS NULL) = ("groupId" IS NULL) AND ("parent" IS NULL OR "parent" < "step"));

CREATE TABLE "sub_team" (
    "groupId" TEXT NOT NULL,
    "goalId" TEXT NOT NULL,
    "parentGroupId" TEXT NOT NULL,
    "taskId" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "agentId" TEXT NOT NULL,
    "leadId" TEXT NOT NULL,
    "state" "TeamState" NOT NULL DEFAULT 'forming',
    "version" INTEGER,
    "charter" JSONB,
    "charterHash" TEXT,
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "sealedAt" TIMESTAMPTZ(3),
    "recordedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "rowVersion" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sub_team_pkey" PRIMARY KEY ("groupId")
);
CREATE UNIQUE INDEX "sub_team_taskId_key" ON "sub_team"("taskId");
CREATE INDEX "sub_team_goalId_idx" ON "sub_team"("goalId");
CREATE INDEX "sub_team_goalId_charterHash_idx" ON "sub_team"("goalId", "charterHash");
ALTER TABLE "sub_team" ADD CONSTRAINT "sub_team_proposal" CHECK (("version" IS NULL) = ("charter" IS NULL) AND ("version" IS NULL) = ("charterHash" IS NULL));
ALTER TABLE "sub_team" ADD CONSTRAINT "sub_team_ended" CHECK (("endedAt" IS NULL) = ("outcome" IS NULL));

CREATE TABLE "sub_team_member" (
    "groupId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "did" TEXT NOT NULL,
    "answer" "MemberAnswer" NOT NULL,
    "reason" TEXT,
    "envelopeId" UUID,
    "signer" TEXT,
    "signature" TEXT,

    CONSTRAINT "sub_team_member_pkey" PRIMARY KEY ("groupId","agentId")
);
ALTER TABLE "sub_team_member" ADD CONSTRAINT "sub_team_member_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "sub_team"("groupId") ON DELETE RESTRICT ON UPDATE CASCADE;
