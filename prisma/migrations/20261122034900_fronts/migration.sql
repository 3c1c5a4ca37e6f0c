-- The listing under which a resource of a pool is hired and paid here.
ALTER TABLE "pool_entry" ADD COLUMN "frontId" TEXT;
CREATE UNIQUE INDEX "pool_entry_frontId_key" ON "pool_entry"("frontId");
ALTER TABLE "pool_entry" ADD CONSTRAINT "pool_entry_frontId_fkey" FOREIGN KEY ("frontId") REFERENCES "listing"("agentId") ON DELETE RESTRICT ON UPDATE CASCADE;
