import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import type { EscrowEvent } from '../ports.ts'
import { wake } from '../wake.ts'
import { advanceHold, bitsOf, type FundedHold, type Hold, holdChain, isFunded } from './hold.ts'
import { draftTransfers, draftWithdrawal } from './ledger.ts'
import { balancesOf, postLedger } from './post-ledger.ts'
import { settledBits, settledSteps } from './settled-steps.ts'
import { listCharters, lockHold, saveHold } from './store.ts'
import { writePayouts } from './write-payouts.ts'

type Hex = `0x${string}`

/**
 * Applies what one transaction did to one plan, all of it or nothing. The only place where money becomes paid. Applying it
 * again changes nothing; a plan that is none of ours is passed over.
 */
export async function recordRailEvents(tx: Context, events: readonly EscrowEvent[]): Promise<void> {
  const [first] = events
  if (!first) return
  if (first.planId === null) return recordWithdrawals(tx, events)
  const row = await tx.db.hold.findUnique({ where: { planId: first.planId }, select: { goalId: true } })
  if (!row) return
  let hold = await lockHold(tx, row.goalId)
  const before = hold.state
  let isNew = false
  for (const draft of draftTransfers(hold.goalId, events)) isNew = (await postLedger(tx, draft)) || isNew
  for (const event of events) {
    if (event.name === 'PlanFunded') hold = await applyFunded(tx, hold, event)
    if (event.name === 'PlanSealed') hold = await applySealed(tx, hold, event)
    if (event.name === 'StepsSettled') await applySettled(tx, hold, events)
    if (event.name === 'PlanClosed') hold = await applyClosed(tx, hold, events)
  }
  if (hold.state === before && !isNew) return
  await appendAudit(tx, {
    chain: holdChain(hold.goalId),
    action: 'hold.record',
    before: { state: before },
    after: { state: hold.state, tx: first.txHash, block: first.block, events: events.map((event) => event.name) },
  })
  await wake(tx, { topic: 'goal', id: hold.goalId })
}

async function recordWithdrawals(tx: Context, events: readonly EscrowEvent[]): Promise<void> {
  for (const event of events) {
    if (event.name !== 'CreditWithdrawn') continue
    const [fees, credit] = [`fees:${event.args.account}`, `credit:${event.args.account}`]
    const held = await balancesOf(tx, [fees, credit])
    const draft = draftWithdrawal(event, { fees: held.get(fees) ?? 0n, credit: held.get(credit) ?? 0n })
    if (draft) await postLedger(tx, draft)
  }
}

async function applyFunded(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  if (isFunded(hold)) return hold
  const authorized = await saveHold(tx, advanceHold(hold, { type: 'fund', tx: event.txHash }))
  await enqueue(tx, { type: 'hold.authorized', goal_id: hold.goalId })
  return authorized
}

/** The charter in force is the chain's. Payouts follow it; those of the version before are replaced. */
async function applySealed(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  const version = Number(event.args.version)
  const hash = String(event.args.charterHash) as Hex
  if (!isFunded(hold) || (hold.charter && hold.charter.version >= version)) return hold
  const charter = (await listCharters(tx, hold.goalId)).find((one) => one.version === version && one.hash === hash)
  if (!charter) {
    tx.log.error({ goal: hold.goalId, version, hash }, 'the escrow has sealed a charter that was never handed over')
    return hold
  }
  const sealed = await saveHold(tx, advanceHold(hold, { type: 'seal', charter: { version, hash } }))
  await writePayouts(tx, sealed, charter)
  return sealed
}

async function applySettled(tx: Context, hold: Hold, events: readonly EscrowEvent[]): Promise<void> {
  const payouts = await tx.db.payout.findMany({ where: { goalId: hold.goalId, state: { not: 'replaced' } } })
  const [first] = events
  for (const { step, outcome } of settledSteps(payouts, events)) {
    const payout = payouts.find((one) => one.step === step)
    if (!payout || !first || payout.state === 'paid' || payout.state === 'credited') continue
    await tx.db.payout.update({ where: { id: payout.id }, data: { state: outcome, tx: first.txHash, paidAt: new Date(first.at * 1_000) } })
  }
}

/** Nothing moves any more: what was paid stays paid, everything else has gone back. */
async function applyClosed(tx: Context, hold: Hold, events: readonly EscrowEvent[]): Promise<Hold> {
  const [first] = events
  if (!first || !isFunded(hold) || 'settledTx' in hold) return hold
  await tx.db.payout.updateMany({ where: { goalId: hold.goalId, state: { in: ['sealed', 'paying'] } }, data: { state: 'refunded' } })
  const paid = await tx.db.payout.findMany({ where: { goalId: hold.goalId, state: { in: ['paid', 'credited'] } } })
  const closed = await saveHold(tx, closeAs(hold, events, first.txHash, bitsOf(paid.map((payout) => payout.step))))
  const type = closed.state === 'captured' ? 'hold.captured' : closed.state === 'voided' ? 'hold.voided' : 'hold.reclaimed'
  await enqueue(tx, { type, goal_id: hold.goalId })
  return closed
}

function closeAs(hold: FundedHold, events: readonly EscrowEvent[], tx: Hex, paid: bigint): Hold {
  const settlement = events.find((event) => event.name === 'StepsSettled')
  if (!settlement) return advanceHold(hold, { type: 'close', to: 'reclaimed', tx })
  const conclusionHash = String(settlement.args.conclusionHash) as Hex
  const bits = paid | settledBits(events)
  if (bits === 0n) return advanceHold(hold, { type: 'close', to: 'voided', tx, conclusionHash })
  return advanceHold(hold, { type: 'close', to: 'captured', tx, bits, conclusionHash })
}
