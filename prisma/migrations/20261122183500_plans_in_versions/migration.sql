-- The plan of a room in words, one row for each version.
CREATE TABLE "plan_version" (
    "groupId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "authorId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "plan_version_pkey" PRIMARY KEY ("groupId", "version")
);
