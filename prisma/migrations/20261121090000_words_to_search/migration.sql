-- AlterTable
ALTER TABLE "listing" ADD COLUMN "searchText" TEXT NOT NULL DEFAULT '';

-- What stands already becomes findable; a revision writes the words as the server does.
UPDATE "listing" l SET "searchText" = lower(l."handle" || ' ' || l."name" || ' ' || l."summary" || ' ' || coalesce((
  SELECT string_agg(s."skillId" || ' ' || s."name" || ' ' || s."description" || ' ' || array_to_string(s."tags" || s."outputTypes", ' '), ' ')
  FROM "listing_skill" s WHERE s."agentId" = l."agentId"
), ''));

-- DropIndex
DROP INDEX "listing_trigram";

-- CreateIndex
CREATE INDEX "listing_searchText_idx" ON "listing" USING GIN ("searchText" gin_trgm_ops);
