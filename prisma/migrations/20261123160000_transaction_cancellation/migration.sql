-- A nonce that the chain does not take is used up by a transaction that does nothing.
ALTER TABLE "chain_transaction" ADD COLUMN "cancelAskedAt" TIMESTAMPTZ(3);
ALTER TABLE "chain_candidate" ADD COLUMN "isCancel" BOOLEAN NOT NULL DEFAULT false;

-- What a sending key had for gas when it was last looked at: wei, as decimals.
ALTER TABLE "chain_nonce" ADD COLUMN "balance" TEXT, ADD COLUMN "lowMark" TEXT, ADD COLUMN "balanceAt" TIMESTAMPTZ(3);

-- What operators must know of the chain and of our means on it, as long as it lasts.
CREATE TABLE "chain_alarm" (
    "chainId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_alarm_pkey" PRIMARY KEY ("chainId","kind","subject")
);

-- The settlement token as its contract described it.
CREATE TABLE "chain_token" (
    "chainId" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT,
    "decimals" INTEGER NOT NULL,
    "symbol" TEXT NOT NULL,
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chain_token_pkey" PRIMARY KEY ("chainId","address")
);
