-- A concluded goal is continued by another, under a hold of its own.
ALTER TABLE "goal" ADD COLUMN "followsId" TEXT;
ALTER TABLE "goal" ADD CONSTRAINT "goal_followsId_fkey" FOREIGN KEY ("followsId") REFERENCES "goal"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "goal_followsId_idx" ON "goal"("followsId");
