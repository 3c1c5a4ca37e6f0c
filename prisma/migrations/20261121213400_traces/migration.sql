-- What asked for a transaction, so that its way to the chain and back can be followed from there.
ALTER TABLE "chain_transaction" ADD COLUMN "trace" TEXT;
