-- A hold's rail is chosen when it is opened: what only the escrow has stands in a row exactly where the escrow is its rail.
ALTER TABLE "hold" ALTER COLUMN "planId" DROP NOT NULL,
ALTER COLUMN "chainId" DROP NOT NULL,
ALTER COLUMN "escrow" DROP NOT NULL,
ALTER COLUMN "token" DROP NOT NULL,
ALTER COLUMN "salt" DROP NOT NULL;

ALTER TABLE "hold" ADD CONSTRAINT "hold_chain_iff_escrow" CHECK (
  num_nonnulls("planId", "chainId", "escrow", "token", "salt") = CASE "rail" WHEN 'escrow' THEN 5 ELSE 0 END
  AND ("rail" = 'escrow' OR "authorization" IS NULL)
);

CREATE FUNCTION "refuse_rail_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."rail" <> OLD."rail" OR NEW."total" <> OLD."total" OR NEW."asset" <> OLD."asset" OR NEW."client" <> OLD."client" THEN
    RAISE EXCEPTION 'a hold keeps its rail, client, asset and total';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "hold_keeps_rail" BEFORE UPDATE ON "hold" FOR EACH ROW EXECUTE FUNCTION "refuse_rail_change"();

-- Money never changes rails on its way: a payout's rail is its hold's.
CREATE UNIQUE INDEX "hold_goalId_rail_key" ON "hold" ("goalId", "rail");
ALTER TABLE "payout" ADD CONSTRAINT "payout_rail_is_the_holds" FOREIGN KEY ("goalId", "rail") REFERENCES "hold" ("goalId", "rail");
