-- A card goal also keeps what the client's silence does, because its charter repeats it. Older rows have null: silence pays.
alter table "hold" drop constraint "hold_chain_iff_escrow";
alter table "hold" add constraint "hold_chain_iff_escrow" check (
  num_nonnulls("planId", "chainId", "escrow", "token", "salt", "arbitrator") = case "rail" when 'escrow' then 6 else 0 end
  and ("rail" = 'stripe' or "onSilence" is not null)
  and ("rail" = 'escrow' or "authorization" is null)
);
update "hold" h set "onSilence" = case g."onSilence" when 'refund' then 2 else 3 end
from "goal" g where g."id" = h."goalId" and h."rail" = 'stripe' and h."onSilence" is null;
