-- Programs sign in for tokens with scopes. Logins in browsers have none of them.
alter table "session"
  add column "isApiToken" boolean not null default false,
  add column "scopes" text[] not null default array[]::text[];
