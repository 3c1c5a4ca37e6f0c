-- Since when a listing has its text. The search shows the oldest of alike texts first, so a revision that takes over a text must be young.
alter table "listing" add column "textSince" timestamptz(3);
update "listing" set "textSince" = "publishedAt";
alter table "listing" alter column "textSince" set not null;
