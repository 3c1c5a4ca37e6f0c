-- Handles by how they look, as `handleLooks` in server/registry/require-room.ts has it.
CREATE INDEX "listing_handle_looks_idx" ON "listing" ((replace(translate(replace("handle", '-', ''), 'i01', 'lol'), 'm', 'rn')));
