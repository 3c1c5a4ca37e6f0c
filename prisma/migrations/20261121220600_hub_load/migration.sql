-- What each hub told of its load, every few seconds; a hub keeps the last minutes of its own.
CREATE TABLE "hub_load" (
  "hub" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "name" TEXT NOT NULL,
  "figures" JSONB NOT NULL,
  CONSTRAINT "hub_load_pkey" PRIMARY KEY ("hub", "at")
);
CREATE INDEX "hub_load_at_idx" ON "hub_load"("at");
