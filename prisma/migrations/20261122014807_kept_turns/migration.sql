-- Whose turn it is, in rooms whose client wants turns kept.
ALTER TABLE "talk_budget" ADD COLUMN "turn" JSONB;
