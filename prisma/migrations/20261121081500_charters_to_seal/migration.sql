-- What was signed stays what it was.
CREATE TRIGGER "hold_charter_append_only" BEFORE UPDATE OR DELETE ON "hold_charter" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "hold_charter" ADD CONSTRAINT "hold_charter_version" CHECK ("version" BETWEEN 1 AND 65535);
