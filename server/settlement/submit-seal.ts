import type { EscrowTerms } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import { sealCard } from './card/settle-card.ts'
import { advanceHold, holdChain, onEscrow } from './hold.ts'
import { prepareTransaction } from './prepare-transaction.ts'
import { escrowCharter, listCharters, loadHold, lockHold, saveHold } from './store.ts'
import { submit } from './submit.ts'

const attempts = 3
/** In the terms' defaults. */
const dropsSilent = 2

export function sealKey(goalId: string, version: number): string {
  return `seal:${goalId}:${version}`
}

/** Has the newest charter sealed, where it is newer than the one in force. */
export async function submitSeal(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return sealCard(ctx, goalId)
  await submit(ctx, async (tx) => {
    const hold = onEscrow(await lockHold(tx, goalId))
    if (hold.state !== 'authorized' || hold.failure !== null) return null
    const charters = await listCharters(tx, goalId)
    const [charter] = charters
    if (!charter || charter.version <= (hold.charter?.version ?? 0)) return null
    const plan = await tx.ports.rail.plan(hold.planId)
    if (plan.status !== 1 || plan.version >= charter.version) return null
    const needsLeavers = plan.agreed && !dropsSilentMembers(hold.terms)
    const replaced = needsLeavers ? charters.find((one) => one.version === plan.version) : undefined
    const prepared = await prepareTransaction(tx, {
      key: sealKey(goalId, charter.version),
      purpose: 'seal',
      goalId,
      call: {
        kind: 'seal',
        terms: hold.terms,
        version: charter.version,
        charter: escrowCharter(charter),
        memberSignatures: dropsSilentMembers(hold.terms) ? charter.memberSignatures : [],
        ...(replaced && { replaced: escrowCharter(replaced) }),
      },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    // The charter before it stays in force; the team hears of it and may propose another.
    await saveHold(tx, advanceHold(hold, { type: 'refuse', failure: prepared.refused }))
    await appendAudit(tx, {
      chain: holdChain(goalId),
      action: 'hold.refuse_charter',
      after: { version: charter.version, failure: prepared.refused },
    })
    await enqueue(tx, { type: 'hold.failed', goal_id: goalId })
    return null
  })
}

/**
 * Where the terms let a member be dropped that has gone silent, an agreed charter gives way to one that its own members have
 * signed. Where they do not, the members who leave must sign too, and one agent's death would hold up the team until
 * expiry: there, members' signatures stay with us.
 */
function dropsSilentMembers(terms: EscrowTerms): boolean {
  return (terms.onSilence & dropsSilent) !== 0
}
