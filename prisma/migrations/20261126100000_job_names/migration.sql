-- Jobs have the names of their functions. A job that waits under a former name gets the new name, because no worker runs it otherwise.
do $$
declare
  renamed record;
begin
  -- The job queue creates its schema when a worker first starts.
  if to_regclass('graphile_worker._private_tasks') is null then
    return;
  end if;
  for renamed in
    select * from (values
      ('react', 'handle-event'),
      ('lapse-review', 'expire-review'),
      ('handle-notice', 'handle-webhook-event'),
      ('sweep-cards', 'sweep-stripe'),
      ('read-peers', 'sync-peers'),
      ('compare-books', 'reconcile'),
      ('keep-messages', 'apply-retention'),
      ('clean-files', 'rewrite-erased-files'),
      ('spread-offer', 'announce-goal-to-others')
    ) as names (former, current)
  loop
    insert into graphile_worker._private_tasks (identifier)
      select renamed.current from graphile_worker._private_tasks where identifier = renamed.former
      on conflict (identifier) do nothing;
    update graphile_worker._private_jobs
      set task_id = (select id from graphile_worker._private_tasks where identifier = renamed.current)
      where task_id = (select id from graphile_worker._private_tasks where identifier = renamed.former);
    delete from graphile_worker._private_tasks where identifier = renamed.former;
  end loop;
  update graphile_worker._private_jobs
    set payload = jsonb_build_object('stripeEventId', payload ->> 'noticeId')::json
    where payload ->> 'noticeId' is not null;
end
$$;
