import { feeOn } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import type { EscrowMemberSignature } from '../ports.ts'
import { charterUnpayable, holdWrongState } from './errors.ts'
import { advanceHold, type Hold, holdChain } from './hold.ts'
import { type CharterStep, listCharters, lockHold, paidStates, saveHold } from './store.ts'

export type RecordCharter = {
  readonly goalId: string
  readonly version: number
  readonly charterHash: `0x${string}`
  readonly steps: readonly CharterStep[]
  /** For the escrow: every payee's in order of first appearance, or none. */
  readonly memberSignatures?: readonly EscrowMemberSignature[]
}

/**
 * Takes over a charter that its team has signed, to be sealed in the escrow by `submitSeal`. It is in force, and its payouts
 * are there, when the escrow's log says so (`team.recorded`). Repeating it with the same content changes nothing.
 */
export async function recordCharter(tx: Context, input: RecordCharter): Promise<void> {
  const hold = await lockHold(tx, input.goalId)
  const [newest] = await listCharters(tx, input.goalId)
  if (newest?.version === input.version && newest.hash === input.charterHash) return
  if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'take a charter')
  if (newest && input.version <= newest.version)
    throw charterUnpayable('A charter of this version was handed over before.', { version: input.version, newest: newest.version })
  requirePayable(hold, input.steps)
  const paid = await tx.db.payout.findFirst({ where: { goalId: input.goalId, state: { in: ['disputed', ...paidStates] } } })
  if (paid) throw charterUnpayable('A step was paid or disputed already, so the charter in force stays.', { step: paid.step })

  await tx.db.holdCharter.create({
    data: {
      goalId: input.goalId,
      version: input.version,
      charterHash: input.charterHash,
      steps: input.steps.map(({ royalties = [], ...step }) => ({
        ...step,
        payee: step.payee.toLowerCase(),
        amount: step.amount.toString(),
        royalties: royalties.map(({ to, bps }) => ({ to: to.toLowerCase(), bps })),
      })),
      memberSignatures: (input.memberSignatures ?? []).map(({ signer, signature }) => ({ signer, signature })),
      createdAt: tx.clock.now(),
    },
  })
  if (hold.failure !== null) await saveHold(tx, advanceHold(hold, { type: 'refuse', failure: null }))
  await appendAudit(tx, {
    chain: holdChain(input.goalId),
    action: 'hold.record_charter',
    after: { version: input.version, charter_hash: input.charterHash },
  })
}

/** What the escrow would refuse is refused here, where it costs nothing. */
function requirePayable(hold: Hold, steps: readonly CharterStep[]): void {
  const { terms } = hold
  const never = new Set([`0x${'0'.repeat(40)}`, terms.evaluator, ...(hold.rail === 'escrow' ? [hold.escrow, hold.terms.arbitrator] : [])])
  for (const [index, step] of [...steps].sort((a, b) => a.step - b.step).entries()) {
    if (step.step !== index + 1) throw charterUnpayable('The steps are not numbered from 1 without a gap.', { step: step.step })
    if (never.has(step.payee.toLowerCase()))
      throw charterUnpayable('A payee is the zero address, the escrow, the evaluator or the arbitrator.', {
        step: step.step,
        payee: step.payee,
      })
  }
  for (const { step, royalties = [] } of steps) {
    for (const { to } of royalties)
      if (never.has(to.toLowerCase()))
        throw charterUnpayable('A royalty goes to the zero address, the escrow, the evaluator or the arbitrator.', { step, to })
  }
  const sum = steps.reduce((total, step) => total + step.amount, 0n)
  const needed = sum + feeOn(sum, terms.feeBps)
  if (steps.length === 0 || needed > terms.total)
    throw charterUnpayable('The steps and the fee on them must come to no more than the hold, and be one at least.', {
      needed: needed.toString(),
      total: terms.total.toString(),
    })
}
