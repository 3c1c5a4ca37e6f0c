import type { EscrowEvent } from '../../ports.ts'
import { amountOf, type LedgerAccount, type Move, min, netEntries, type TransferDraft } from './ledger.ts'

/** Events that state why money leaves a plan. */
const reasonNames = new Set(['StepsSettled', 'StepsDefaulted', 'StepSplit', 'StepRuled', 'OfferAccepted'])

/**
 * Drafts the ledger transfers of one transaction for one plan: one for the funding, and one per reason for payments.
 */
export function draftPlanTransfers(goalId: string, events: readonly EscrowEvent[]): TransferDraft[] {
  const escrow = `escrow:${goalId}` as LedgerAccount
  const drafts: TransferDraft[] = []
  const [first] = events
  if (!first) return drafts
  const draft = (key: string, memo: string, moves: readonly Move[]) => {
    const entries = netEntries(moves)
    if (entries.length > 0) drafts.push({ key, goalId, memo, tx: first.txHash, at: first.at, entries })
  }
  draft(
    `fund:${goalId}`,
    'The client sets the money aside.',
    events.filter(isFunding).map((event) => ({ from: account('client', event, 'client'), to: escrow, amount: amountOf(event, 'total') })),
  )
  for (const section of splitByReason(events)) {
    const moves = section.flatMap((event) => payoutMoves(escrow, event))
    if (moves.length > 0) draft(planFactKey(goalId, section), memoOf(new Set(section.map((event) => event.name))), moves)
  }
  return drafts
}

/** Splits payment events by the event that states their reason. Events before the first reason belong to it. */
function splitByReason(events: readonly EscrowEvent[]): EscrowEvent[][] {
  const sections: EscrowEvent[][] = []
  for (const event of events) {
    if (isFunding(event)) continue
    const current = sections.at(-1)
    const isNext = reasonNames.has(event.name) && current?.some((one) => reasonNames.has(one.name))
    if (current && !isNext) current.push(event)
    else sections.push([event])
  }
  return sections
}

/**
 * Key of the business fact behind a payment. A step is paid or split once and a plan is closed once, so each fact has one key in
 * any transaction.
 */
function planFactKey(goalId: string, section: readonly EscrowEvent[]): string {
  const reason = section.find((event) => reasonNames.has(event.name))
  if (reason?.args.step !== undefined) return `split:${goalId}:${Number(reason.args.step) + 1}`
  const bits = BigInt(String(reason?.args.bits ?? 0))
  if (bits > 0n) return `settle:${goalId}:${bits}`
  if (section.some((event) => event.name === 'PlanClosed')) return `close:${goalId}`
  if (section.some((event) => event.name === 'PlanClosing')) return `closing:${goalId}`
  throw new Error(`money left the plan of ${goalId} and no event says why: ${section.map((event) => event.name).join(', ')}`)
}

function memoOf(names: ReadonlySet<string>): string {
  if (names.has('StepsSettled')) return 'Concluded steps are paid, and the rest is refunded.'
  if (names.has('StepSplit')) return 'The client did not answer, so half of a step is paid by the terms.'
  if (names.has('StepRuled')) return 'A disputed step is split as the arbitrator ruled.'
  if (names.has('OfferAccepted')) return 'A step is split as client and payee agreed.'
  if (names.has('StepsDefaulted')) return 'The review time ended without an answer, so steps are paid by default.'
  return 'The plan has expired, so the rest is refunded.'
}

const isFunding = (event: EscrowEvent): boolean => event.name === 'PlanFunded'

function payoutMoves(from: LedgerAccount, event: EscrowEvent): Move[] {
  switch (event.name) {
    case 'Paid':
      return [{ from, to: account('payee', event, 'payee'), amount: amountOf(event, 'amount') }]
    case 'Credited':
      return [{ from, to: account('credit', event, 'account'), amount: amountOf(event, 'amount') }]
    case 'RoyaltyCredited':
      return [{ from, to: account('credit', event, 'to'), amount: amountOf(event, 'amount') }]
    case 'FeeCredited':
      return [{ from, to: account('fees', event, 'feeTo'), amount: amountOf(event, 'amount') }]
    case 'Refunded':
      return [{ from, to: account('client', event, 'client'), amount: amountOf(event, 'amount') }]
    default:
      return []
  }
}

/**
 * Drafts the withdrawal of a credit. The contract pays the whole credit of an account, so our part is the balance of its two
 * ledger accounts. The rest comes from plans of other servers. `nth`: ordinal of the account's withdrawal.
 */
export function draftWithdrawal(
  event: EscrowEvent,
  held: { readonly fees: bigint; readonly credit: bigint },
  nth: number,
): TransferDraft | null {
  const to = account('wallet', event, 'to')
  const total = amountOf(event, 'amount')
  const fees = min(held.fees, total)
  const credit = min(held.credit, total - fees)
  const entries = netEntries([
    { from: account('fees', event, 'account'), to, amount: fees },
    { from: account('credit', event, 'account'), to, amount: credit },
  ])
  if (entries.length === 0) return null
  const key = `withdrawn:escrow:${event.args.account}:${nth}`
  return { key, goalId: null, memo: 'A credit is withdrawn.', tx: event.txHash, at: event.at, entries }
}

function account(kind: 'client' | 'payee' | 'fees' | 'credit' | 'wallet', event: EscrowEvent, arg: string): LedgerAccount {
  return `${kind}:${String(event.args[arg])}` as LedgerAccount
}
