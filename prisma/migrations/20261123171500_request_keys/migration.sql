-- What was asked for under an id that its sender chose: the same id with another body is a conflict.
CREATE TABLE "request_key" (
    "actor" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_key_pkey" PRIMARY KEY ("actor","command","key")
);
