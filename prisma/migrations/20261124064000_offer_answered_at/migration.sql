ALTER TABLE "offer" ADD COLUMN "answeredAt" TIMESTAMPTZ(3);
UPDATE "offer" SET "answeredAt" = now() WHERE "state" = 'accepting';
