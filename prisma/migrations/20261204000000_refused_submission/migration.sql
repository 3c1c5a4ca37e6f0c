-- When the escrow refused a payee's signature that submits a step. The server does not send it again.
alter table "step_submission" add column "refusedAt" timestamptz(3);
-- The steps that were submitted before the column existed. A later charter or veto has dropped older submissions.
update "payout" p set "submittedTx" = l."txHash"
from "hold" h join "chain_log" l on l."planId" = h."planId" and l."name" = 'StepsSubmitted'
where p."goalId" = h."goalId" and p."state" <> 'replaced' and p."submittedTx" is null
  and mod(floor((l."args"->>'bits')::numeric / power(2::numeric, p."step" - 1)), 2) = 1
  and not exists (select 1 from "chain_log" r where r."planId" = l."planId" and r."name" in ('PlanSealed', 'CharterVetoed')
    and (r."block", r."logIndex") > (l."block", l."logIndex"));
