-- What a step's amount is counted in: a sum over two currencies is none.
ALTER TABLE "step_outcome" ADD COLUMN "asset" TEXT;
UPDATE "step_outcome" SET "asset" = "hold"."asset" FROM "hold" WHERE "hold"."goalId" = "step_outcome"."goalId";
ALTER TABLE "step_outcome" ALTER COLUMN "asset" SET NOT NULL;
