-- What the client wrote first, if the goal's text is a suggested reading of it.
alter table "goal" add column "originalText" text;
