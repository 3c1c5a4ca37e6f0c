-- Work of which half is paid, because the client did not answer and the terms split it.
alter type "Acceptance" add value if not exists 'split';
alter table "hold" add column "captureHalves" bigint;
