-- The result of the rules for a goal's criteria, and what the terms say about a silent client.
alter table "goal" add column "checkedReviewHours" integer;
alter table "goal" add column "onSilence" text not null default 'pay';
alter table "goal" add column "checks" jsonb;
