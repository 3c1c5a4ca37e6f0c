-- The charter that a rail has while the next version is agreed on or on its way there: it goes on where that is refused.
ALTER TABLE "team" ADD COLUMN "inForce" JSONB;
