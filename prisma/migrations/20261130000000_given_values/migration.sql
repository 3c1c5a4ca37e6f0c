-- What a client gives for typed inputs of skills beside the text of its goal.
alter table "goal" add column "givenValues" jsonb not null default '[]';
