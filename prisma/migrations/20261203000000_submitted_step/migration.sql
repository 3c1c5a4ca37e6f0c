-- The transaction that submitted a step to the escrow, and whether the room was notified of it.
alter table "payout" add column "submittedTx" text;
alter table "payout" add column "isSubmissionNotified" boolean not null default false;
-- A person who gets notifications of results also gets them of work that was submitted without a review.
update "notification_setting" set "emailEvents" = array_append("emailEvents", 'submission') where 'review' = any("emailEvents");
update "notification_setting" set "webhookEvents" = array_append("webhookEvents", 'submission') where 'review' = any("webhookEvents");
