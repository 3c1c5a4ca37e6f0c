-- The charter that the client funds with the terms of a quoted goal.
alter table "hold" add column "termsCharter" text;
alter table "hold" add column "quotedCharter" jsonb;
alter table "hold" add constraint "hold_quoted_charter_complete" check (("termsCharter" is null) = ("quotedCharter" is null));
-- Its version is 0.
alter table "hold_charter" drop constraint "hold_charter_version";
alter table "hold_charter" add constraint "hold_charter_version" check ("version" between 0 and 65535);
