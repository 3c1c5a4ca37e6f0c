-- Since when a listing has its text. The search shows the oldest of alike texts first, so a revision that takes over a text must be young.
-- The default is for a server of the former version, which does not know the column.
alter table "listing" add column "textSince" timestamptz(3) not null default now();
update "listing" set "textSince" = "publishedAt";
