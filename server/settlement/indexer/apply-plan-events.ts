import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { applyCharterSealedEvent, applyCharterVetoedEvent, findApprovedCharter } from '../charters/apply-charter-events.ts'
import { updateUnknownCharterAlarm } from '../charters/find-charter-unknown-to-server.ts'
import { matchesSealedEvent, type SealedEventArgs } from '../charters/matches-sealed-event.ts'
import { applyDisputeOpenedEvent, applySplit, lapseDisputes, lapseOffers } from '../disputes/apply-dispute-events.ts'
import { advanceHold, type EscrowHold, type FundedHold, type Hold, type HoldEvent, isFunded, stepsToBits } from '../holds/hold.ts'
import { listCharters, lockHold, paidStates, saveHold } from '../holds/hold-store.ts'
import { isQuoted, putQuotedCharterInForce } from '../holds/quoted-charter.ts'
import { scheduleSealNow } from '../holds/schedule-sealing.ts'
import { settledStepBits, stepOutcomesFromEvents } from '../holds/step-outcomes-from-events.ts'
import { draftPlanTransfers } from '../ledger/draft-plan-transfers.ts'
import { postLedgerTransfer } from '../ledger/ledger-store.ts'
import { applyStepsSubmitted } from './apply-steps-submitted.ts'

type Hex = `0x${string}`

const decidesCharter = new Set(['PlanSealed', 'CharterVetoed', 'PlanClosed'])
const recordedWithoutMoney = new Set(['StepDisputed', 'StepsSubmitted'])
const settlingNames = new Set(['StepsSettled', 'StepsDefaulted', 'StepSplit', 'StepRuled', 'OfferAccepted'])

/**
 * Applies the events of one transaction to one plan, atomically. Only this function marks escrow payouts as paid. Idempotent.
 * Ignores plans of other servers.
 */
export async function applyPlanEvents(tx: Context, events: readonly EscrowEvent[]): Promise<void> {
  const [first] = events
  if (!first?.planId) return
  const row = await tx.db.hold.findUnique({ where: { planId: first.planId }, select: { goalId: true } })
  if (!row) return
  let hold = await lockHold(tx, row.goalId)
  const before = hold.state
  let isNew = false
  if (settledStepBits(events) !== 0n || events.some((event) => event.name === 'StepSplit')) await requireOwnCharter(tx, hold, events)
  for (const draft of draftPlanTransfers(hold.goalId, events)) isNew = (await postLedgerTransfer(tx, draft)) || isNew
  for (const event of events) {
    if (event.name === 'PlanFunded') hold = await applyFunded(tx, hold, event)
    if (event.name === 'PlanSealed') hold = await applyCharterSealedEvent(tx, hold, event)
    if (event.name === 'CharterVetoed') hold = await applyCharterVetoedEvent(tx, hold, event)
    if (event.name === 'CloseRequested') await scheduleSealNow(tx, hold.goalId)
    if (event.name === 'StepDisputed' && isFunded(hold)) await applyDisputeOpenedEvent(tx, hold, event)
    if (event.name === 'StepsSubmitted') await applyStepsSubmitted(tx, hold, event)
    if (settlingNames.has(event.name)) await applySettled(tx, hold, events)
    await applySplit(tx, hold.goalId, event)
    if (event.name === 'StepsSettled' || event.name === 'StepsDefaulted') await lapseOffers(tx, hold.goalId, settledStepBits([event]))
    if (event.name === 'PlanClosed') hold = await applyClosed(tx, hold, events)
  }
  if (events.some((event) => decidesCharter.has(event.name)))
    await updateUnknownCharterAlarm(tx, { goalId: hold.goalId, planId: first.planId })
  if (hold.state === before && !isNew && !events.some((event) => recordedWithoutMoney.has(event.name))) return
  await appendAudit(tx, {
    stream: holdAuditStreamName(hold.goalId),
    action: 'hold.record',
    before: { state: before },
    after: { state: hold.state, tx: first.txHash, block: first.block, events: events.map((event) => event.name) },
  })
  await sendSignal(tx, { topic: 'goal', id: hold.goalId })
}

/**
 * Requires that the paid charter is one of this server's. Under another charter the same bits pay other accounts.
 * @throws Error, so that the event group becomes a dead letter and freezes the goal
 */
async function requireOwnCharter(tx: Context, hold: Hold, events: readonly EscrowEvent[]): Promise<void> {
  if (hold.rail !== 'escrow') return
  const own = events.findLast((event) => event.name === 'PlanSealed')
  const where = { planId: hold.planId, name: 'PlanSealed' }
  const logged = own ? null : await tx.db.chainLog.findFirst({ where, orderBy: [{ block: 'desc' }, { logIndex: 'desc' }] })
  const sealed = (own?.args ?? logged?.args ?? null) as SealedEventArgs | null
  if (sealed === null || (await listCharters(tx, hold.goalId)).some((one) => matchesSealedEvent(one, sealed))) return
  throw new Error(`the escrow has paid steps of a charter that was never handed over, version ${sealed.version}`)
}

async function applyFunded(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  if (isFunded(hold)) return hold
  const requested = await findRequestedSettlement(tx, hold.goalId)
  const funded = await saveHold(tx, advanceHold(hold, { type: 'fund', tx: event.txHash }))
  await enqueue(tx, { type: 'hold.authorized', goal_id: hold.goalId })
  const resume = (at: Hold) => (requested ? saveHold(tx, advanceHold(at, requested)) : at)
  // The payouts of a quoted charter follow its funding, also those of a settlement that is requested again.
  if (isQuoted(hold)) return putQuotedCharterInForce(tx, await resume(funded))
  const charter = hold.rail === 'escrow' ? await findApprovedCharter(tx, hold) : null
  return resume(charter ? await saveHold(tx, advanceHold(funded, { type: 'seal', charter })) : funded)
}

/** The settlement that was requested before a reorganization removed the funding. It resumes when the funding is mined again. */
async function findRequestedSettlement(tx: Context, goalId: string): Promise<Extract<HoldEvent, { type: 'capture' | 'void' }> | null> {
  const { captureBits: bits, captureHalves, conclusionHash: hash, disputeBy } = await tx.db.hold.findUniqueOrThrow({ where: { goalId } })
  if (hash === null) return null
  const conclusionHash = hash as Hex
  if (bits === null) return { type: 'void', conclusionHash, disputeBy }
  return { type: 'capture', bits, halves: captureHalves ?? 0n, conclusionHash, disputeBy }
}

async function applySettled(tx: Context, hold: Hold, events: readonly EscrowEvent[]): Promise<void> {
  const payouts = await tx.db.payout.findMany({ where: { goalId: hold.goalId, state: { not: 'replaced' } } })
  const [first] = events
  for (const { step, outcome, amount } of stepOutcomesFromEvents(payouts, events)) {
    const payout = payouts.find((one) => one.step === step)
    if (!payout || !first || payout.state === 'refunded' || paidStates.some((state) => state === payout.state)) continue
    await tx.db.payout.update({
      where: { id: payout.id },
      data: { state: outcome, paidAmount: amount, tx: first.txHash, paidAt: new Date(first.at * 1_000) },
    })
  }
}

/** Applies `PlanClosed`: paid steps stay paid, all other money was refunded. */
async function applyClosed(tx: Context, hold: Hold, events: readonly EscrowEvent[]): Promise<Hold> {
  const [first] = events
  if (!first || !isFunded(hold) || hold.rail !== 'escrow' || 'settledTx' in hold) return hold
  const { goalId } = hold
  await tx.db.payout.updateMany({ where: { goalId, state: { in: ['sealed', 'paying', 'disputed'] } }, data: { state: 'refunded' } })
  await lapseDisputes(tx, goalId, first)
  const paid = await tx.db.payout.findMany({ where: { goalId, state: { in: [...paidStates] } } })
  const conclusion = await findConclusion(tx, hold, events)
  const closed = await saveHold(tx, closedHold(hold, conclusion, first.txHash, stepsToBits(paid.map((payout) => payout.step))))
  const type = closed.state === 'captured' ? 'hold.captured' : closed.state === 'voided' ? 'hold.voided' : 'hold.reclaimed'
  await enqueue(tx, { type, goal_id: hold.goalId })
  return closed
}

/**
 * Conclusion hash for which the plan was closed, from this transaction or from the earlier `PlanClosing`. Null if the plan expired
 * without a conclusion.
 */
async function findConclusion(tx: Context, hold: EscrowHold, events: readonly EscrowEvent[]): Promise<Hex | null> {
  const now = events.find((event) => event.name === 'StepsSettled')
  if (now) return String(now.args.conclusionHash) as Hex
  const { planId } = hold
  const closing = await tx.db.chainLog.findFirst({ where: { planId, name: 'PlanClosing' }, orderBy: { block: 'asc' } })
  if (!closing) return null
  const then = await tx.db.chainLog.findFirst({ where: { planId, name: 'StepsSettled', txHash: closing.txHash } })
  const args = then?.args as { readonly conclusionHash?: unknown } | undefined
  return args?.conclusionHash === undefined ? null : (String(args.conclusionHash) as Hex)
}

/** The closed hold that results from the plan's closing. */
export function closedHold(hold: FundedHold, conclusionHash: Hex | null, tx: Hex, bits: bigint): Hold {
  if (conclusionHash === null) return advanceHold(hold, { type: 'close', to: 'reclaimed', tx })
  if (bits === 0n) return advanceHold(hold, { type: 'close', to: 'voided', tx, conclusionHash })
  return advanceHold(hold, { type: 'close', to: 'captured', tx, bits, conclusionHash })
}
