-- Whether the owner of a listing has proved its wallet. Without a login, anyone can name any payout wallet as the owner.
-- The default is for a server of the former version, which does not know the column.
alter table "listing" add column "isOwnerProved" boolean not null default true;
-- Since when a listing names its payee. The search counts the first owner of a payee apart from later ones, so a change must be young.
alter table "listing" add column "payoutSince" timestamptz(3) not null default now();
update "listing" set "payoutSince" = "publishedAt";
-- Symbols no longer distinguish names. The next publication computes the missing values.
update "listing" set "nameSkeleton" = '' where "name" ~ '[^\x20-\x7e]';
