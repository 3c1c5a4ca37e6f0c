-- One agent that holds a task: also after its work was split. A new value can only be used after the transaction that adds it.
drop index "task_one_active";
create unique index "task_one_active" on "task" ("goalId", "step")
  where "state" in ('submitted', 'working', 'input_required', 'auth_required', 'completed') and ("acceptance" is null or "acceptance" in ('pending', 'accepted', 'split'));
