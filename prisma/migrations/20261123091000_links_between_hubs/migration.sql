-- Where other hubs reach this one; null of a hub that they don't.
ALTER TABLE "hub_load" ADD COLUMN "link" TEXT;
