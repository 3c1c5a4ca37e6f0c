-- Notifications by e-mail and webhook: settings, the queue, and the mails of an installation without a mail server.
create table "notification_setting" (
  "personId" text not null,
  "email" text,
  "emailConfirmedAt" timestamptz(3),
  "emailConfirmedByMail" boolean not null default false,
  "emailEvents" text[],
  "codeHash" text,
  "codeExpiresAt" timestamptz(3),
  "codeFailures" integer not null default 0,
  "webhookUrl" text,
  "webhookSecret" text,
  "webhookEvents" text[],
  "checkedAt" timestamptz(3) not null,
  constraint "notification_setting_pkey" primary key ("personId")
);
create index "notification_setting_checkedAt_idx" on "notification_setting" ("checkedAt");

create table "notification" (
  "id" text not null,
  "personId" text not null,
  "channel" text not null,
  "event" text not null,
  "subject" text not null,
  "itemId" text,
  "until" timestamptz(3),
  "state" text not null,
  "attempts" integer not null default 0,
  "nextAttemptAt" timestamptz(3) not null,
  "status" integer,
  "error" text,
  "createdAt" timestamptz(3) not null,
  "finishedAt" timestamptz(3),
  constraint "notification_pkey" primary key ("id")
);
create unique index "notification_personId_event_subject_channel_key" on "notification" ("personId", "event", "subject", "channel");
create index "notification_state_nextAttemptAt_idx" on "notification" ("state", "nextAttemptAt");
create index "notification_personId_createdAt_idx" on "notification" ("personId", "createdAt");
create index "notification_itemId_idx" on "notification" ("itemId");

create table "outbox_mail" (
  "id" text not null,
  "personId" text not null,
  "recipient" text not null,
  "subject" text not null,
  "text" text not null,
  "html" text not null,
  "createdAt" timestamptz(3) not null,
  constraint "outbox_mail_pkey" primary key ("id")
);
create index "outbox_mail_personId_createdAt_idx" on "outbox_mail" ("personId", "createdAt");
