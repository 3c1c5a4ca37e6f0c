ALTER TABLE "channel" ADD COLUMN "openerId" TEXT;
-- Earlier channels do not name their opener: the agent that asked the first call opened it.
UPDATE "channel" c SET "openerId" = (SELECT "callerId" FROM "call" WHERE "channelId" = c."id" ORDER BY "askedAt" LIMIT 1);
