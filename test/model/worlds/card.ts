/**
 * One goal paid by card: a charge, a charter that the client approves, vetoes or leaves, one publisher's share, the rest for the client.
 * Stripe may not answer, answer late, refuse for a while, lose a webhook, fail a refund, or take the payment back for the client's bank.
 * The publisher may never open an account.
 */

import type { CardObject } from '../../../server/ports.ts'
import type { CardHold } from '../../../server/settlement/holds/hold.ts'
import type { CardPayment, CardPaymentEvent } from '../../../server/settlement/stripe/card-payment.ts'
import type { Move, World } from '../explore.ts'
import type { Rules } from '../rules.ts'
import { hash } from './escrow-calls.ts'
import { at } from './goal.ts'

type Part = {
  readonly payment: CardPayment
  /** The state at Stripe, which the server may not know yet. */
  readonly made: 'nothing' | 'pending' | 'done' | 'failed'
  /** How often it was made: more than once would be paid twice. */
  readonly times: number
}
export type CardState = {
  readonly now: number
  readonly hold: CardHold
  readonly parts: readonly Part[]
  readonly account: 'none' | 'ready'
  /** What the client has signed about the team's charter. */
  readonly word: 'none' | 'approved' | 'vetoed'
  readonly dispute: 'none' | 'open' | 'won' | 'lost'
  /** The state of the dispute that the server has recorded. */
  readonly recordedDispute: 'none' | 'open' | 'won' | 'lost'
  readonly failures: number
  readonly partyAt: number
}
export type CardProfile = { readonly name: string; readonly failures: number; readonly canDispute: boolean }

const startTime = 1_900_000_000
const day = 86_400
const total = 100_000_000n
const owed = 70_000_001n
const expiry = startTime + 14 * day
const vetoSeconds = 2 * day

export function cardWorld(profile: CardProfile, rules: Rules): World<CardState> {
  return {
    name: profile.name,
    starts: [startOf(profile, rules)],
    keyOf,
    movesOf: (from) => movesOf(from, profile, rules),
    isFunded: ({ hold, parts, dispute }) =>
      !('settledTx' in hold) || dispute === 'open' || (dispute !== 'lost' && parts.some((part) => isOpen(part, parts))),
    faultOf: faultOf,
    moveFaultOf: (from, { to }) => moveFaultOf(from, to),
    ageOf: ({ now, partyAt }) => now - partyAt,
    maxSeconds: (14 + 60 + 8) * day,
  }
}

/**
 * A part that a later one stands for is over: a refund that became a credit, a share that lapsed. The client's credit is the client's:
 * it waits for an account of the client's alone, and is listed among the exceptions.
 */
function isOpen(part: Part, parts: readonly Part[]): boolean {
  const { state, key } = part.payment
  if (state === 'posted' || (isClientCredit(part) && state === 'intent')) return false
  return state !== 'failed_final' || !parts.some((one) => one.payment.subject === key)
}

const isClientCredit = ({ payment }: Part) => payment.key.startsWith('refund-credit:')

function startOf(profile: CardProfile, rules: Rules): CardState {
  const terms = {
    client: hash(1),
    total,
    workBy: startTime + 7 * day,
    reviewBy: 0,
    expiry,
    feeBps: 250,
    feeTo: hash(2),
    evaluator: hash(3),
    authorizer: hash(5),
    vetoSeconds,
    briefHash: hash(4),
  }
  const base = { goalId: 'goal', asset: 'usd', createdAt: at(startTime), version: 1, rail: 'stripe', terms }
  const opening = { ...base, state: 'authorizing', authorization: null } as unknown as CardHold
  const hold = rules.advanceHold(opening, { type: 'fund', tx: 'pi' }) as CardHold
  return {
    now: startTime,
    hold,
    parts: [],
    account: 'none',
    word: 'none',
    dispute: 'none',
    recordedDispute: 'none',
    failures: profile.failures,
    partyAt: startTime,
  }
}

function keyOf({ now, hold, parts, account, word, dispute, recordedDispute, failures, partyAt }: CardState): string {
  const all = parts.map(({ payment: p, made, times }) =>
    [
      p.key,
      p.state,
      p.attempt,
      p.cents,
      p.retryAt?.getTime(),
      p.preparedAt?.getTime(),
      p.claimBy?.getTime(),
      p.failure !== null,
      made,
      times,
    ].join('/'),
  )
  return [now, hold.state, isCharterInForce(hold), ...all, account, word, dispute, recordedDispute, failures, partyAt].join()
}

function movesOf(from: CardState, profile: CardProfile, rules: Rules): Move<CardState>[] {
  const moves: Move<CardState>[] = []
  const add = (name: string, by: Move<CardState>['by'], to: CardState | null) => {
    if (to) moves.push({ name, by, to: by === 'client' || by === 'payee' ? { ...to, partyAt: from.now } : to })
  }
  const { hold, now } = from
  if (hold.state === 'authorized' && now < expiry) {
    const content = { conclusionHash: hash(7), disputeBy: null }
    if (isCharterInForce(hold))
      add('accept', 'client', { ...from, hold: rules.advanceHold(hold, { type: 'capture', bits: 1n, ...content }) as CardHold })
    add('return', 'client', { ...from, hold: rules.advanceHold(hold, { type: 'void', ...content }) as CardHold })
  }
  for (const move of onCharter(from, rules)) add(move.name, move.by, move.to)
  if (from.account === 'none') add('open account', 'payee', { ...from, account: 'ready' })
  if (profile.canDispute && from.dispute === 'none' && now < expiry) add('dispute', 'client', { ...from, dispute: 'open' })
  if (from.dispute === 'open') for (const dispute of ['won', 'lost'] as const) add(`bank: ${dispute}`, 'stripe', { ...from, dispute })
  if (from.recordedDispute !== from.dispute) add('record dispute', 'stripe', recordDispute(from, rules))
  if (from.parts.length === 0 && (hold.state === 'capturing' || hold.state === 'voiding' || (rules.reclaimsCards && isReclaim(from))))
    add('plan', 'server', plan(from, rules))
  for (const [i, part] of from.parts.entries()) for (const move of onPart(from, part, i, rules)) add(move.name, move.by, move.to)
  // How long the bank takes is not counted.
  const isBusy = moves.some(({ by }) => by === 'server' || by === 'stripe')
  const next = isBusy ? null : nextMoment(from)
  if (next !== null) add('time', 'time', { ...from, now: next })
  return moves.map((move) => ({ ...move, to: close(move.to, rules) }))
}

const isCharterInForce = (hold: CardHold): boolean => 'charter' in hold && hold.charter !== null

/** The client approves or vetoes the charter, or is silent until its window ends, as `settle-card-hold.ts` has it. */
function onCharter(from: CardState, rules: Rules): Move<CardState>[] {
  const { hold, word, now } = from
  if (hold.state !== 'authorized' || isCharterInForce(hold) || now >= expiry) return []
  const signed = { signer: hash(1), signature: hash(8) } as const
  const own = { createdAt: at(startTime), authorization: word === 'approved' ? signed : null, veto: word === 'vetoed' ? signed : null }
  if (rules.isCardCharterPayable(own, [own], hold.terms, at(now))) {
    const sealed = rules.advanceHold(hold, { type: 'seal', charter: { version: 1, hash: '0x01' } }) as CardHold
    return [{ name: 'charter in force', by: 'server', to: { ...from, hold: sealed } }]
  }
  if (word !== 'none') return []
  return [
    { name: 'approve', by: 'client', to: { ...from, word: 'approved' } },
    { name: 'veto', by: 'client', to: { ...from, word: 'vetoed' } },
  ]
}

const isReclaim = ({ hold, now }: CardState) => hold.state === 'authorized' && now > expiry
const isContested = ({ recordedDispute }: CardState) => recordedDispute === 'open' || recordedDispute === 'lost'

function nextMoment({ now, parts, hold }: CardState): number | null {
  const own = parts.flatMap(({ payment: p }) => {
    const isSent = p.state === 'submitted' && p.preparedAt ? [p.preparedAt.getTime() / 1_000 + 23 * 3_600] : []
    const isWaiting = p.state === 'submitted' || p.state === 'seen' || p.state === 'failed_retryable'
    return [
      ...isSent,
      isWaiting && p.retryAt ? p.retryAt.getTime() / 1_000 : 0,
      p.state === 'intent' && p.claimBy ? p.claimBy.getTime() / 1_000 + 1 : 0,
    ]
  })
  const moments = [
    ...own.map(Math.ceil),
    isCharterInForce(hold) ? 0 : startTime + vetoSeconds,
    'settledTx' in hold ? 0 : startTime + day,
    'settledTx' in hold ? 0 : expiry + 61,
  ].filter((one) => one > now)
  return moments.length === 0 ? null : Math.min(...moments)
}

function wanted(key: string, kind: CardPayment['kind'], cents: bigint, more: Partial<CardPayment> = {}): Part {
  const nothing = { idempotencyKey: null, call: null, preparedAt: null, retryAt: null, objectId: null, url: null, failure: null }
  const paid = { paidIntent: null, paidCharge: null, paidFeeCents: null, claimBy: null, ownerId: null, subject: null }
  const base = { id: key, key, kind, goalId: 'goal', cents, state: 'intent' as const, attempt: 0, createdAt: at(startTime) }
  return { payment: { ...base, ...nothing, ...paid, ...more }, made: 'nothing', times: 0 }
}

function plan(from: CardState, rules: Rules): CardState {
  const { hold, now } = from
  const all = total / 10_000n
  if (hold.state !== 'capturing') return { ...from, parts: [wanted(isReclaim(from) ? 'reclaim:goal' : 'refund:goal', 'refund', all)] }
  const { shares, refund } = rules.allocateCents(all, hold.terms.feeBps, new Map([['owner', owed]]))
  const claimBy = from.account === 'ready' ? null : at(now + rules.claimDays * day)
  const share = wanted('transfer:goal:owner', 'transfer', shares.get('owner') ?? 0n, { ownerId: 'owner', claimBy })
  return { ...from, parts: [share, wanted('refund:goal', 'refund', refund)] }
}

/** What may happen to one payment next, as `drive-payment.ts` has it. */
function onPart(from: CardState, part: Part, i: number, rules: Rules): Move<CardState>[] {
  const { payment } = part
  const moves: Move<CardState>[] = []
  const put = (to: Part | null, more: Partial<CardState> = {}) =>
    to && { ...from, ...more, parts: from.parts.map((one, j) => (j === i ? to : one)) }
  const note = (event: CardPaymentEvent, more: Partial<Part> = {}): Part | null => {
    const next = rules.advancePayment(payment, event)
    return next && { ...part, ...more, payment: next }
  }
  const add = (name: string, by: 'server' | 'stripe', to: CardState | null) => to && moves.push({ name, by, to })
  const now = at(from.now)
  const mayGo = payment.retryAt === null || payment.retryAt <= now
  const isHeld =
    payment.kind === 'transfer' ? from.account !== 'ready' || isContested(from) : payment.kind === 'refund' && isContested(from)
  if ((payment.state === 'intent' || (payment.state === 'failed_retryable' && mayGo)) && !isHeld)
    add('prepare', 'server', put(note({ type: 'prepare', call: {} as never, at: now })))
  if (payment.state === 'prepared') add('send', 'server', put(note({ type: 'submit' })))
  if (payment.state === 'submitted' && mayGo) for (const move of onAnswer(from, part, { put, note, rules })) moves.push(move)
  if (payment.state === 'seen' && mayGo && (part.made !== 'pending' || from.failures > 0))
    add(
      'look again',
      'stripe',
      put(note({ type: 'object', object: objectOf(part), at: now }), part.made === 'pending' ? { failures: from.failures - 1 } : {}),
    )
  if (part.made === 'pending') {
    add('Stripe has done it', 'stripe', put({ ...part, made: 'done' }))
    if (payment.kind === 'refund' && from.failures > 0)
      add('Stripe has failed', 'stripe', put({ ...part, made: 'failed' }, { failures: from.failures - 1 }))
  }
  if (payment.state === 'final') add('post', 'server', post(from, part, put(note({ type: 'post' }))))
  const isLate =
    payment.state === 'intent' && payment.kind === 'transfer' && payment.claimBy !== null && payment.claimBy < now && !isClientCredit(part)
  if (isLate && from.recordedDispute !== 'open') add('lapse', 'server', lapse(from, i, rules))
  const isCredited = from.parts.some((one) => one.payment.subject === payment.key)
  if (payment.kind === 'refund' && payment.state === 'failed_final' && !isCredited && !isContested(from))
    add('credit refund', 'server', credit(from, part))
  return moves
}

/** A share that was in flight when the client's bank decided is asked back. */
function post({ recordedDispute }: CardState, { payment }: Part, posted: CardState | null): CardState | null {
  if (recordedDispute !== 'lost' || payment.kind !== 'transfer' || posted === null) return posted
  return { ...posted, parts: [...posted.parts, wanted(`reversal:${payment.key}`, 'reversal', payment.cents)] }
}

type Tools = {
  readonly put: (to: Part | null, more?: Partial<CardState>) => CardState | null
  readonly note: (event: CardPaymentEvent, more?: Partial<Part>) => Part | null
  readonly rules: Rules
}

/** What Stripe answers to a call under one key: what it made, now or before; or nothing, having made it or not. */
function onAnswer(from: CardState, part: Part, { put, note, rules }: Tools): Move<CardState>[] {
  const now = at(from.now)
  const moves: Move<CardState>[] = []
  const add = (name: string, to: CardState | null) => to && moves.push({ name, by: 'stripe', to })
  const isOld = rules.isIdempotencyKeyExpired(part.payment, now)
  // What is repeated under a key that Stripe has forgotten is made once more.
  const isForgotten = part.payment.preparedAt !== null && from.now - part.payment.preparedAt.getTime() / 1_000 >= day
  const made: Part =
    part.made === 'nothing' || isForgotten
      ? { ...part, made: part.payment.kind === 'refund' ? 'pending' : 'done', times: part.times + 1 }
      : part
  const found =
    part.made === 'nothing'
      ? note({ type: 'refuse', sentence: 'unknown', remedy: 'time', at: now })
      : note({ type: 'object', object: objectOf(part), at: now })
  const isRefused = part.payment.kind === 'refund' && part.made === 'nothing' && (from.dispute === 'open' || from.dispute === 'lost')
  if (isRefused) {
    add('refuse while disputed', put(note({ type: 'refuse', sentence: 'disputed', remedy: 'time', at: now })))
    return moves
  }
  if (isOld) add('ask what became of it', put(found))
  else add('answer', put(note({ type: 'object', object: objectOf(made), at: now }, made)))
  if (from.failures === 0 || isOld) return moves
  const failures = from.failures - 1
  const wait = { type: 'wait', sentence: 'no answer', at: now } as const
  const tomorrow = from.now + day
  const late = { ...wait, at: at(tomorrow) }
  add('no answer for a day, and done', put(note(late, made), { failures, now: tomorrow }))
  add('no answer for a day, and not done', put(note(late), { failures, now: tomorrow }))
  add('no answer, and done', put(note(wait, made), { failures }))
  add('no answer, and not done', put(note(wait), { failures }))
  add(
    'refuse for now',
    part.made === 'nothing' ? put(note({ type: 'refuse', sentence: 'balance', remedy: 'time', at: now }), { failures }) : null,
  )
  const isForGood = part.payment.kind === 'refund' && part.made === 'nothing'
  add('refuse for good', isForGood ? put(note({ type: 'refuse', sentence: 'card closed', remedy: 'none', at: now }), { failures }) : null)
  return moves
}

function objectOf({ payment, made }: Part): CardObject {
  const state = made === 'done' ? 'done' : made === 'failed' ? 'failed' : 'pending'
  const { kind, goalId, cents } = payment
  const base = { kind, goalId, cents, id: `obj:${payment.key}`, paymentId: payment.id, currency: 'usd', at: 0, url: null, payment: null }
  return { ...base, state, failure: state === 'failed' ? 'failed' : null, reversedCents: 0n } as CardObject
}

/** A share that no one has claimed goes back to the client. */
function lapse(from: CardState, i: number, rules: Rules): CardState {
  const part = from.parts[i] as Part
  const ended = rules.advancePayment(part.payment, { type: 'end', failure: 'late' })
  const parts = from.parts.map((one, j) => (j === i && ended ? { ...one, payment: ended } : one))
  return {
    ...from,
    parts: [...parts, wanted('lapse:goal:owner', 'refund', part.payment.cents, { subject: part.payment.key, ownerId: 'owner' })],
  }
}

/** What the card cannot take back becomes the client's credit. */
function credit(from: CardState, { payment }: Part): CardState {
  const claimBy = at(from.now + 1)
  return {
    ...from,
    parts: [
      ...from.parts,
      wanted(`refund-credit:${payment.key}`, 'transfer', payment.cents, { subject: payment.key, ownerId: 'client', claimBy }),
    ],
  }
}

/** A dispute that is lost ends what was not sent, asks back what was, and closes the hold. */
function recordDispute(from: CardState, rules: Rules): CardState {
  const recordedDispute = from.dispute
  if (recordedDispute !== 'lost') return { ...from, recordedDispute }
  const ended = from.parts.map((part): Part => {
    const isUnsent = part.payment.state === 'intent' || part.payment.state === 'failed_retryable'
    const next = isUnsent ? rules.advancePayment(part.payment, { type: 'end', failure: 'lost' }) : null
    return next ? { ...part, payment: { ...next, state: 'posted' as const, cents: 0n } } : part
  })
  const reversals = from.parts
    .filter(({ payment }) => payment.kind === 'transfer' && payment.state === 'posted')
    .map(({ payment }) => wanted(`reversal:${payment.key}`, 'reversal', payment.cents))
  const hold =
    'settledTx' in from.hold ? from.hold : (rules.advanceHold(from.hold, { type: 'close', to: 'reclaimed', tx: 'dp' }) as CardHold)
  return { ...from, recordedDispute, hold, parts: [...ended, ...reversals] }
}

/** Once Stripe has done all of the settlement; shares that wait for an account have left the hold. */
function close(state: CardState, rules: Rules): CardState {
  const { hold, parts } = state
  const isDone = parts.length > 0 && parts.filter((part) => isOpen(part, parts)).every(({ payment }) => payment.claimBy !== null)
  if ('settledTx' in hold || !isDone || state.recordedDispute === 'open') return state
  if (hold.state === 'capturing')
    return {
      ...state,
      hold: rules.advanceHold(hold, { type: 'close', to: 'captured', tx: 'tr', bits: 1n, conclusionHash: hash(7) }) as CardHold,
    }
  if (hold.state === 'voiding')
    return { ...state, hold: rules.advanceHold(hold, { type: 'close', to: 'voided', tx: 're', conclusionHash: hash(7) }) as CardHold }
  return { ...state, hold: rules.advanceHold(hold, { type: 'close', to: 'reclaimed', tx: 're' }) as CardHold }
}

function faultOf({ parts, dispute }: CardState): string | null {
  if (parts.some(({ times }) => times > 1)) return 'Stripe was made to do one thing twice.'
  const sent = parts
    .filter(({ made, payment }) => made === 'done' && payment.kind !== 'reversal')
    .reduce((sum, { payment }) => sum + payment.cents, 0n)
  if (dispute !== 'lost' && sent > total / 10_000n) return 'More was sent than was charged.'
  const first = parts.filter(({ payment }) => payment.subject === null && payment.kind !== 'reversal')
  const all = first.reduce((sum, { payment }) => sum + payment.cents, 0n)
  const fee = parts.some(({ payment }) => payment.kind === 'transfer' && payment.key.startsWith('transfer:')) ? 175n : 0n
  const isWhole = first.some(({ payment }) => payment.cents === 0n) || all + fee === total / 10_000n
  return parts.length === 0 || isWhole ? null : `Shares, fee and refund come to ${all + fee} cents.`
}

function moveFaultOf(from: CardState, to: CardState): string | null {
  const isUnvetoed = to.word === 'none' && to.now >= startTime + vetoSeconds
  if (!isCharterInForce(from.hold) && isCharterInForce(to.hold) && to.word !== 'approved' && !isUnvetoed)
    return 'A charter is in force that the client has not approved, within its veto window or after a veto.'
  if (!isCharterInForce(to.hold) && to.parts.some(({ payment }) => payment.key.startsWith('transfer:')))
    return 'A share is sent under no charter.'
  for (const [i, { payment }] of to.parts.entries()) {
    const before = from.parts[i]
    const isReversed = to.parts.some((one) => one.payment.key === `reversal:${payment.key}`)
    const isPaid = payment.kind === 'transfer' && payment.state === 'posted' && payment.cents > 0n && !isClientCredit({ payment } as Part)
    if (to.recordedDispute === 'lost' && isPaid && !isReversed) return 'A share of a payment that the client has back was not asked back.'
    const isLapsed = payment.key.startsWith('lapse:') && before === undefined
    const share = to.parts.find((one) => one.payment.key === payment.subject)
    if (isLapsed && (share?.payment.claimBy?.getTime() ?? 0) > from.now * 1_000) return 'A share lapsed before its date.'
  }
  return null
}
