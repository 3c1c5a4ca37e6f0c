-- The last row of a subject's record, once whoever writes to it now has committed. A function, because each of its statements
-- sees what was committed before it began: one statement alone would see the record as it was before the waiting.
CREATE FUNCTION "end_of_record"("subject" text) RETURNS TABLE ("n" int, "hash" text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || "subject", 0));
  RETURN QUERY SELECT a."n", a."hash" FROM "audit_row" a WHERE a."chain" = "subject" ORDER BY a."n" DESC LIMIT 1;
END $$;
