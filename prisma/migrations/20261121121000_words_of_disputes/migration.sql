-- New words of an enum can be used only once they are committed: they come in a migration of their own.
ALTER TYPE "PayoutState" ADD VALUE 'disputed';
ALTER TYPE "PayoutState" ADD VALUE 'split';
