-- How many lines a transfer has is part of it: none can be added to one that stands.
ALTER TABLE "ledger_transfer" ADD COLUMN "lines" INTEGER;
ALTER TABLE "ledger_transfer" DISABLE TRIGGER "ledger_transfer_append_only";
UPDATE "ledger_transfer" t SET "lines" = (SELECT count(*) FROM "ledger_entry" e WHERE e."transferId" = t."id");
ALTER TABLE "ledger_transfer" ENABLE TRIGGER "ledger_transfer_append_only";
ALTER TABLE "ledger_transfer" ALTER COLUMN "lines" SET NOT NULL;

CREATE FUNCTION "check_transfer_whole"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  transfer text := CASE TG_TABLE_NAME WHEN 'ledger_transfer' THEN to_jsonb(NEW)->>'id' ELSE to_jsonb(NEW)->>'transferId' END;
  said integer;
  found integer;
BEGIN
  SELECT "lines" INTO said FROM "ledger_transfer" WHERE "id" = transfer;
  SELECT count(*) INTO found FROM "ledger_entry" WHERE "transferId" = transfer;
  IF said IS DISTINCT FROM found OR found < 2 THEN
    RAISE EXCEPTION 'ledger transfer % says % lines and has %', transfer, said, found;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_transfer_whole" AFTER INSERT ON "ledger_transfer" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_transfer_whole"();
CREATE CONSTRAINT TRIGGER "ledger_entry_counted" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "check_transfer_whole"();

-- What is held for somebody is never less than nothing. One at a time for each account, so that two that would each do
-- no harm do none together.
CREATE FUNCTION "check_account_covered"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held numeric;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('ledger:' || NEW."account" || ':' || NEW."asset", 0));
  SELECT sum("debit") - sum("credit") INTO held FROM "ledger_entry" WHERE "account" = NEW."account" AND "asset" = NEW."asset";
  IF held < 0 THEN
    RAISE EXCEPTION 'ledger account % would hold % of %', NEW."account", held, NEW."asset";
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "ledger_entry_covered" AFTER INSERT ON "ledger_entry" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW."credit" > 0 AND (NEW."account" LIKE 'escrow:%' OR NEW."account" LIKE 'fees:%' OR NEW."account" LIKE 'credit:%'))
  EXECUTE FUNCTION "check_account_covered"();

-- Emptying a table goes around row triggers.
CREATE TRIGGER "ledger_transfer_never_emptied" BEFORE TRUNCATE ON "ledger_transfer" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "ledger_entry_never_emptied" BEFORE TRUNCATE ON "ledger_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE INDEX "ledger_entry_account_asset_idx" ON "ledger_entry" ("account", "asset");
DROP INDEX "ledger_entry_account_idx";
