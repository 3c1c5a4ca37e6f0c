-- When the text and the files of an entry were erased.
alter table "entry" add column "erasedAt" timestamptz(3);
