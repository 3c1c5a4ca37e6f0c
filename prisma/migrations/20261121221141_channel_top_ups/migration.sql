-- More money for an open channel, on its payer's signature.
ALTER TABLE "channel" ADD COLUMN "topUp" JSONB;
ALTER TABLE "channel" ADD CONSTRAINT "channel_top_up_of_an_open_one" CHECK ("topUp" IS NULL OR "state" = 'open');
