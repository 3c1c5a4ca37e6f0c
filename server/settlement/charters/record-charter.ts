import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { charterUnpayable, holdWrongState } from '../errors.ts'
import { advanceHold, type CardHold, type EscrowHold, type Hold } from '../holds/hold.ts'
import { type HoldCharterStep, listCharters, lockHold, paidStates, saveHold } from '../holds/hold-store.ts'
import { isFundedCharter, isQuoted } from '../holds/quoted-charter.ts'
import { scheduleSealing } from '../holds/schedule-sealing.ts'
import { requirePayable } from '../holds/write-payouts.ts'
import { updateUnknownCharterAlarm } from './find-charter-unknown-to-server.ts'
import { vetoWindowEnd } from './is-card-charter-payable.ts'
import { approvalSeconds, canPropose } from './next-sealing.ts'

export type RecordCharter = {
  readonly goalId: string
  readonly version: number
  readonly charterHash: `0x${string}`
  readonly steps: readonly HoldCharterStep[]
  /** For the escrow: one per payee, in order of first appearance. Null if the payee has no key. */
  readonly memberSignatures?: readonly (EscrowMemberSignature | null)[]
}

/**
 * Stores a charter that its team has signed. The client's approval (`authorizeCharter`) puts it in force. Without approval it is
 * in force after the veto window: on the escrow rail it is proposed on chain for that. A quoted goal takes only the charter that its
 * client funded. Idempotent for the same content.
 */
export async function recordCharter(tx: Context, input: RecordCharter): Promise<void> {
  const hold = await lockHold(tx, input.goalId)
  if (isQuoted(hold)) return recordQuotedCharter(tx, hold, input)
  const [newest] = await listCharters(tx, input.goalId)
  if (newest?.version === input.version && newest.hash === input.charterHash) return
  if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'take a charter')
  if (newest && input.version <= newest.version)
    throw charterUnpayable('The settlement already has a charter with this version.', { version: input.version, newest: newest.version })
  requirePayable(hold, input.steps)
  const payees = [...new Set([...input.steps].sort((a, b) => a.step - b.step).map((step) => step.payee.toLowerCase()))]
  requireSigned(hold, input, payees.length)
  const paid = await tx.db.payout.findFirst({ where: { goalId: input.goalId, state: { in: ['disputed', ...paidStates] } } })
  if (paid) throw charterUnpayable('A step is already paid or disputed, so the charter in force cannot change.', { step: paid.step })

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
      memberSignatures: (input.memberSignatures ?? []).map((given, index) => given ?? { signer: `${payees[index]}`, signature: '0x' }),
      createdAt: tx.clock.now(),
    },
  })
  if (hold.failure !== null) await saveHold(tx, advanceHold(hold, { type: 'refuse', failure: null }))
  if (hold.rail === 'escrow') {
    // A member may have sealed it on chain already.
    await updateUnknownCharterAlarm(tx, hold)
    await scheduleProposal(tx, hold, input.version)
  } else await scheduleVetoEnd(tx, hold)
  await appendAudit(tx, {
    stream: holdAuditStreamName(input.goalId),
    action: 'hold.record_charter',
    after: { version: input.version, charter_hash: input.charterHash },
  })
}

/** The team of a quoted goal has formed. Its charter has been in force since the funding, so work may begin. */
async function recordQuotedCharter(tx: Context, hold: Hold, { goalId, version, charterHash }: RecordCharter): Promise<void> {
  if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'take a charter')
  if (!isFundedCharter(hold, { version, charterHash }))
    throw charterUnpayable('The client has funded the quoted charter, and no other can follow it.', { version })
  await enqueue(tx, { type: 'team.recorded', goal_id: goalId as never, version })
  await appendAudit(tx, {
    stream: holdAuditStreamName(goalId),
    action: 'hold.record_charter',
    after: { version, charter_hash: charterHash, quoted: true },
  })
}

/** Schedules a proposal for the case that the client does not approve in time. Without a session key the charter is proposed at once. */
async function scheduleProposal(tx: Context, { goalId, terms }: EscrowHold, version: number): Promise<void> {
  const now = tx.clock.now()
  const wait = /^0x0+$/.test(terms.authorizer) ? 0 : approvalSeconds
  if (!canPropose(terms, seconds(now) + wait)) return
  await scheduleSealing(tx, { goalId, version, at: new Date(now.getTime() + wait * 1_000) })
}

/** On the card rail: schedules the end of the newest charter's veto window, if it has one. */
async function scheduleVetoEnd(tx: Context, { goalId, terms }: CardHold): Promise<void> {
  const charters = await listCharters(tx, goalId)
  const [newest] = charters
  const end = newest ? vetoWindowEnd(newest, charters, terms) : null
  if (newest && end !== null) await scheduleSealing(tx, { goalId, version: newest.version, at: new Date(end * 1_000) })
}

/** One entry per payee. A payee without a signature accepted in the conversation, and the evaluator's signature replaces its own. */
function requireSigned(hold: Hold, { memberSignatures = [] }: RecordCharter, payees: number): void {
  if (hold.rail === 'escrow' && memberSignatures.length !== payees)
    throw charterUnpayable('The charter needs an entry for every payee: its signature, or null.', {
      signatures: memberSignatures.length,
      payees,
    })
}
