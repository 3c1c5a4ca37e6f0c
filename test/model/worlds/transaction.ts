/**
 * One transaction of the server and its nonce. It is broadcast, mined, removed by a reorganization, replaced with a higher fee, given up,
 * or displaced. It is retried with a nonce after that of the attempt before, which a reorganization may free. The node may refuse, lose and
 * delay; the chain includes in the end what is offered, or its cancellation.
 */
import type { ChainObservation, ChainTransaction, SignedTransaction } from '../../../server/settlement/chain/transaction.ts'
import type { Move, World } from '../explore.ts'
import { rules as product, type Rules } from '../rules.ts'

export type TransactionState = {
  readonly now: number
  readonly row: ChainTransaction
  /** Newest first. */
  readonly candidates: readonly Pick<SignedTransaction, 'n' | 'isCancel' | 'createdAt'>[]
  /** What the chain has in the nonce's place. */
  readonly mined: 'none' | 'call' | 'cancel'
  /** The effect stands on chain, how often. */
  readonly effects: number
  readonly isRead: boolean
  /** How often the outside can still do us wrong. */
  readonly failures: number
  /** The node leaves this offer out at any price. */
  readonly isIgnored: boolean
  /** The attempt before, and whether its nonce is free again. */
  readonly before: ChainTransaction | null
  readonly isBeforeFree: boolean
}
export type TransactionProfile = { readonly name: string; readonly failures: number; readonly attempts: number }

const start = 1_900_000_000_000
const day = 86_400

export function transactionWorld(profile: TransactionProfile, rules: Rules): World<TransactionState> {
  return {
    name: profile.name,
    starts: [
      {
        ...fresh(1, profile.attempts),
        ...{ now: start, effects: 0, failures: profile.failures, isIgnored: false, before: null, isBeforeFree: false },
      },
    ],
    keyOf: ({ now, row, candidates, mined, effects, isRead, failures, isIgnored, before, isBeforeFree }) => {
      const offers = candidates.map((one) => `${one.n}${one.isCancel}${one.createdAt.getTime() - start}`)
      return [
        now - start,
        row.state,
        row.attempt,
        row.retryAt?.getTime(),
        row.block,
        ...offers,
        mined,
        effects,
        isRead,
        failures,
        isIgnored,
        before?.nonce,
        isBeforeFree,
      ].join()
    },
    movesOf: (from) => movesOf(from, profile, rules),
    isFunded: ({ row }) => row.state !== 'posted',
    faultOf: ({ effects }) => (effects > 1 ? 'One effect came about twice.' : null),
    moveFaultOf: (_from, { to }) => (to.row.state === 'posted' && to.effects === 0 ? 'A transaction was posted without its effect.' : null),
    ageOf: ({ now }) => (now - start) / 1_000,
    maxSeconds: 2 * day,
  }
}

function fresh(attempt: number, attempts: number): Pick<TransactionState, 'row' | 'candidates' | 'mined' | 'isRead'> {
  const nothing = {
    nonce: null,
    hash: null,
    block: null,
    blockHash: null,
    failure: null,
    retryAt: null,
    reopenedAt: null,
    cancelRequestedAt: null,
  }
  const row = { id: '1', key: 'settle', purpose: 'settle', goalId: 'goal', value: 1n, attempt, attempts, state: 'rail_chosen', ...nothing }
  return { row: row as ChainTransaction, candidates: [], mined: 'none', isRead: false }
}

function movesOf(from: TransactionState, profile: TransactionProfile, rules: Rules): Move<TransactionState>[] {
  const { row, now } = from
  const moves: Move<TransactionState>[] = []
  const add = (name: string, by: 'server' | 'chain' | 'time', to: TransactionState | null) => to && moves.push({ name, by, to })
  const note = (sighting: ChainObservation, more: Partial<TransactionState> = {}): TransactionState | null => {
    const columns = rules.advanceTransaction(row, sighting)
    return columns ? { ...from, ...more, row: { ...row, ...columns } } : null
  }
  const at = new Date(now)
  const isOut = row.state === 'prepared' || row.state === 'submitted' || row.state === 'reorged'
  if (row.state === 'rail_chosen') {
    const candidate = { n: 1, isCancel: false, createdAt: at }
    add('sign', 'server', { ...from, row: { ...row, state: 'prepared', nonce: row.attempt, hash: '0x1' }, candidates: [candidate] })
    if (from.failures > 0)
      add('refuse', 'chain', note({ type: 'refused', failure: 'no', isFinal: false, at }, { failures: from.failures - 1 }))
  }
  if (isOut && row.state !== 'submitted') add('broadcast', 'server', note({ type: 'broadcast' }))
  if (row.state === 'submitted' && from.failures > 0 && !from.isIgnored)
    add('ignore', 'chain', { ...from, isIgnored: true, failures: from.failures - 1 })
  const [newest] = from.candidates
  if (isOut && newest) {
    if (from.mined === 'none') for (const one of from.isBeforeFree ? [] : inclusions(from)) add('include', 'chain', one)
    else add('see', 'server', note({ type: 'mined', receipt: receiptOf(from) }))
    const isOverdue = now - newest.createdAt.getTime() >= rules.replaceAfterMs
    const offer = from.mined === 'none' && isOverdue ? nextOffer(from, rules) : null
    if (offer)
      add(offer, 'server', { ...from, candidates: [{ n: newest.n + 1, isCancel: offer === 'cancel', createdAt: at }, ...from.candidates] })
  }
  addMined(from, note, add)
  addBefore(from, rules, add)
  if (row.state === 'failed_retryable' || row.state === 'replaced' || row.state === 'failed_final') {
    const decideNextAttempt = rules.decideNextAttempt(row, { attempts: profile.attempts, isSameCall: true, now: at })
    if (decideNextAttempt === 'new')
      add('try again', 'server', {
        ...from,
        ...fresh(row.attempt + 1, profile.attempts),
        isIgnored: false,
        before: row.nonce === null ? from.before : row,
      })
  }
  const next = nextMoment(from)
  if (next !== null) add('time', 'time', { ...from, now: next })
  return moves
}

type Note = (sighting: ChainObservation, more?: Partial<TransactionState>) => TransactionState | null
type Add = (name: string, by: 'server' | 'chain' | 'time', to: TransactionState | null) => unknown

function addMined(from: TransactionState, note: Note, add: Add): void {
  const { row, mined, failures } = from
  const at = new Date(from.now)
  if (row.state === 'seen') {
    add('bury', 'server', note({ type: mined === 'cancel' ? 'cancelled' : 'settled', receipt: receiptOf(from), at }))
    const removed = { mined: 'none' as const, effects: from.effects - (mined === 'call' ? 1 : 0), failures: failures - 1, isIgnored: false }
    if (failures > 0) add('reorganize', 'chain', note({ type: 'vanished' }, removed))
  }
  if (row.state === 'final') {
    if (!from.isRead) add('read the log', 'server', { ...from, isRead: true })
    else add('post', 'server', note({ type: 'posted' }))
  }
}

/** A reorganization frees the nonce of the attempt before, while the one behind it waits. */
function addBefore(from: TransactionState, { shouldFillNonce }: Rules, add: Add): void {
  const { before, row, mined, failures, isBeforeFree } = from
  if (before === null || mined !== 'none') return
  if (!isBeforeFree && failures > 0) add('reorganize before', 'chain', { ...from, isBeforeFree: true, failures: failures - 1 })
  const counts = { count: before.nonce ?? 0, highest: row.nonce ?? 0 }
  if (isBeforeFree && shouldFillNonce(before, counts)) add('fill the nonce', 'server', { ...from, isBeforeFree: false })
}

const receiptOf = ({ mined }: TransactionState) =>
  ({ hash: mined === 'cancel' ? '0x2' : '0x1', block: 5, blockHash: '0x5', succeeded: true, hasEvents: true }) as never

/** The chain includes the call; or the cancellation, where it left the call out, or leaves it out by that. */
function inclusions(from: TransactionState): TransactionState[] {
  const call: TransactionState = { ...from, mined: 'call', effects: from.effects + 1 }
  const cancel: TransactionState = { ...from, mined: 'cancel', failures: from.failures - (from.isIgnored ? 0 : 1) }
  const isOffered = from.candidates.some((one) => one.isCancel)
  return [...(from.isIgnored ? [] : [call]), ...(isOffered && cancel.failures >= 0 ? [cancel] : [])]
}

function nextOffer({ row, candidates, now, isBeforeFree }: TransactionState, rules: Rules): 'more' | 'cancel' | null {
  const waiting = {
    transaction: row,
    candidates: candidates as SignedTransaction[],
    isNext: !isBeforeFree,
    now: new Date(now),
    cancelAfterMs: rules.cancelAfterMs,
  }
  if (rules.shouldCancelStuckNonce(waiting)) return 'cancel'
  const [newest] = candidates
  return newest && !newest.isCancel && newest.n < 3 ? 'more' : null
}

/** Offers for more are looked at three times, then when the nonce is abandoned. */
function nextMoment({ now, row, candidates, mined }: TransactionState): number | null {
  const first = candidates.at(-1)
  const [newest] = candidates
  const isOut = row.state === 'submitted' && mined === 'none'
  const offers =
    isOut && first && newest ? [newest.createdAt.getTime() + product.replaceAfterMs, first.createdAt.getTime() + product.cancelAfterMs] : []
  const moments = [...offers, row.retryAt?.getTime() ?? 0].filter((one) => one > now)
  return moments.length === 0 ? null : Math.min(...moments)
}
