-- A note's hash in the audit is keyed by a salt that is erased with the note: a short one can't be guessed from it. Notes from
-- before, and of hubs that do not know of it yet, were hashed without.
ALTER TABLE "memory_note" ADD COLUMN "salt" BYTEA NOT NULL DEFAULT ''::bytea;
