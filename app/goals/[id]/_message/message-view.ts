/** The view model of one envelope in the team chat: sender, speech act, text, and moved money. */
import {
  type ArtifactRef,
  type ConversationState,
  type DeliveredEnvelope,
  formatAmount,
  readConversationState,
  readSpeechAct,
  type SpeechAct,
  scalarText,
} from '@parley/protocol'
import type { Translate } from '../../../_messages/translate-types.ts'
import type { MarketView } from '../_run/run-view.ts'
import { readArtifactRef } from './read-artifact-ref.ts'

export type Speaker = {
  readonly did: string
  readonly name: string
  readonly role: 'server' | 'client' | 'principal' | 'member' | 'unknown'
}

export type MessageBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactRef }
  | {
      readonly kind: 'charter'
      readonly hash: string
      readonly version: number
      readonly steps: readonly ChartedStep[]
      readonly total: string
    }
  | { readonly kind: 'fact'; readonly name: string; readonly text: string; readonly tx: string | null }
  | { readonly kind: 'data'; readonly name: string; readonly json: string }
export type ChartedStep = {
  readonly step: number
  readonly title: string
  readonly agentId: string
  readonly amount: string
  readonly mode: string
}

export type MessageView = {
  readonly id: string
  readonly seq: number
  readonly at: Date
  readonly speaker: Speaker
  readonly state: ConversationState
  readonly act: SpeechAct
  readonly taskId: string | null
  readonly to: readonly string[]
  readonly asks: boolean
  readonly blocks: readonly MessageBlock[]
  /** Set on messages about money. */
  readonly money: { readonly label: string; readonly tx: string | null } | null
  readonly signature: 'own key' | 'delegated' | 'vouched by the server' | 'none'
}

type Words = Translate<'views.message'>
type Data = { readonly [field: string]: unknown }
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const record = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})
const digits = /^\d{1,30}$/

type Facts = Pick<Showing, 'nameOf' | 'market' | 't'> & { readonly speakerOf: (did: string) => Speaker }

/** Of an unreadable message: one line in its place. */
export function viewMessage(envelope: DeliveredEnvelope, facts: Facts): MessageView {
  try {
    return readMessage(envelope, facts)
  } catch {
    return unreadable(envelope, facts.t)
  }
}

function readMessage(envelope: DeliveredEnvelope, facts: Facts): MessageView {
  const speaker = facts.speakerOf(text(envelope.sender_id))
  const all = list(envelope.parts).flatMap((part) => blocksOf(record(part), { ...facts, role: speaker.role }))
  // Data for machines is hidden if the message has a text; the raw message shows it.
  const blocks = all.some((block) => block.kind !== 'data') ? all.filter((block) => block.kind !== 'data') : all
  const described = text(envelope.task_desc)
  if (described && !blocks.some((block) => block.kind === 'text')) blocks.unshift({ kind: 'text', text: described })
  return {
    ...placeOf(envelope),
    speaker,
    state: readConversationState(envelope.state),
    act: readSpeechAct(envelope.type),
    taskId: text(envelope.task_id) || null,
    to: list(envelope.to).filter((did) => typeof did === 'string'),
    asks: envelope.expects === 'reply',
    blocks,
    money: moneyOf(envelope, facts, speaker.role),
    signature: minHashSignatureOf(envelope),
  }
}

function minHashSignatureOf({ sig }: DeliveredEnvelope): MessageView['signature'] {
  if (!sig) return 'none'
  if (sig.alg !== 'session') return 'own key'
  return sig.delegation ? 'delegated' : 'vouched by the server'
}

function placeOf({ id, seq, received_at }: DeliveredEnvelope) {
  const at = new Date(text(received_at))
  return { id: text(id) || `#${String(seq)}`, seq: typeof seq === 'number' ? seq : 0, at: Number.isNaN(at.getTime()) ? new Date(0) : at }
}

function unreadable(envelope: DeliveredEnvelope, t: Words): MessageView {
  return {
    ...placeOf(envelope),
    speaker: { did: '', name: t('unknownSender'), role: 'unknown' },
    state: 'discussion',
    act: 'discussion',
    taskId: null,
    to: [],
    asks: false,
    blocks: [{ kind: 'fact', name: 'unreadable', text: t('unreadable'), tx: null }],
    money: null,
    signature: 'none',
  }
}

function amountOf(value: unknown, market: MarketView): string {
  return typeof value === 'string' && digits.test(value) ? `${formatAmount(BigInt(value), market.decimals)} ${market.symbol}` : ''
}

/** Money comes only from the server's `payment`, and from the charter of a principal. Any member can write a text. */
function moneyOf(envelope: DeliveredEnvelope, { market, t }: Facts, role: Speaker['role']): MessageView['money'] {
  if (role === 'server') return paymentOf(record(envelope.payment), market, t)
  if (role !== 'principal') return null
  const charter = list(envelope.parts)
    .map((part) => record(record(part).data))
    .find((data) => data.kind === 'charter')
  const reserved = charter ? amountOf(record(charter.charter).total, market) : ''
  return reserved ? { label: t('toShare', { amount: reserved }), tx: null } : null
}

function paymentOf(payment: Data, market: MarketView, t: Words): MessageView['money'] {
  const tx = text(payment.tx) || null
  switch (payment.kind) {
    case 'hold.authorized':
      return { label: t('setAside', { amount: amountOf(payment.amount, market) }), tx }
    case 'charter.recorded':
      return { label: t('reserved', { amount: amountOf(payment.total, market) }), tx }
    case 'hold.captured': {
      const amounts = list(payment.payouts).map((one) => text(record(one).amount))
      const sum = amounts.reduce((total, amount) => (digits.test(amount) ? total + BigInt(amount) : total), 0n)
      return { label: t('paid', { amount: `${formatAmount(sum, market.decimals)} ${market.symbol}` }), tx }
    }
    case 'hold.voided':
      return { label: t('refunded'), tx }
    default:
      return null
  }
}

const serverKinds = [
  'goal.claimed',
  'goal.unfinished',
  'charter.submitted',
  'charter.confirmed',
  'charter.refused',
  'charter.recorded',
  'charter.withdrawn',
  'task.expired',
  'task.returned',
  'criteria.checked',
  'review.reminder',
  'deadline.extended',
  'goal.paused',
  'goal.resumed',
  'revision.requested',
  'revision.expired',
  'work.expired',
  'dispute.window',
  'hold.authorized',
  'hold.captured',
  'hold.voided',
  'message.tombstone',
  'message.erased',
  'artifact.erased',
]
/** The server's text of these messages is complete. */
const spokenKinds = serverKinds.filter((kind) => kind !== 'hold.captured')

function isBelieved(kind: string, role: Speaker['role']): boolean {
  return serverKinds.includes(kind)
    ? role === 'server'
    : kind === 'charter' || kind === 'task' || kind === 'plan'
      ? role === 'principal'
      : true
}

type Showing = {
  readonly role: Speaker['role']
  readonly nameOf: (agentId: string) => string
  readonly market: MarketView
  readonly t: Words
}

function blocksOf(part: Data, showing: Showing): MessageBlock[] {
  const blocks: MessageBlock[] = []
  const textOf = text(part.text)
  if (textOf) blocks.push({ kind: 'text', text: textOf })
  if (part.artifact) {
    const artifact = readArtifactRef(part.artifact)
    if (artifact) blocks.push({ kind: 'artifact', artifact })
  }
  const data = record(part.data)
  const hasText = showing.role === 'server' && spokenKinds.includes(text(data.kind))
  if (part.data && !hasText) blocks.push(dataBlock(data, showing))
  return blocks
}

function dataBlock(data: Data, { market, role, nameOf, t }: Showing): MessageBlock {
  const kind = text(data.kind)
  const plain: MessageBlock = { kind: 'data', name: kind || 'data', json: JSON.stringify(data, null, 2) }
  if (!isBelieved(kind, role)) return plain
  const fact = (textOf: string): MessageBlock => ({ kind: 'fact', name: kind, text: textOf, tx: text(data.tx) || null })
  switch (kind) {
    case 'charter':
      return charterBlock(data, market)
    case 'charter.seal':
      return fact(t('sealsCharter'))
    case 'charter.accept':
      return fact(t('signsCharter', { hash: shortHash(text(data.charter_hash)) }))
    case 'hold.captured':
      return fact(
        list(data.payouts)
          .map((one) => t('receives', { name: nameOf(text(record(one).agent_id)), amount: amountOf(record(one).amount, market) }))
          .join(' · '),
      )
    case 'goal':
      return fact(
        t('acceptedWhen', {
          criteria: list(data.criteria)
            .map((one) => text(record(one).text))
            .join(' · '),
        }),
      )
    case 'goal.stopped':
      return fact(t('goalStopped'))
    case 'task':
      return fact(t('step', { step: scalarText(data.step), skill: text(data.skill_id) }))
    case 'plan':
      return fact(planSentence(data, market, t))
    default:
      return plain
  }
}

function charterBlock(data: Data, market: MarketView): MessageBlock {
  const charter = record(data.charter)
  const steps = list(charter.steps).map((one): ChartedStep => {
    const step = record(one)
    return {
      step: typeof step.step === 'number' ? step.step : 0,
      title: text(step.title),
      agentId: text(step.agent_id),
      amount: amountOf(step.amount, market),
      mode: text(step.mode),
    }
  })
  const version = typeof charter.version === 'number' ? charter.version : 0
  return { kind: 'charter', hash: text(data.charter_hash), version, steps, total: amountOf(charter.total, market) }
}

function planSentence(data: Data, market: MarketView, t: Words): string {
  const estimate = amountOf(data.estimate, market)
  const parts = [
    t('plan', { count: list(data.steps).length }),
    ...(estimate ? [t('planCosts', { amount: estimate })] : []),
    ...(text(data.mode) ? [t('planMode', { mode: text(data.mode) })] : []),
  ]
  return `${parts.join(', ')}.`
}

export function shortHash(hash: string): string {
  return hash.length > 14 ? `${hash.slice(0, 8)}…${hash.slice(-4)}` : hash
}

/** Up to two letters for an avatar. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\-_.]+/).filter((word) => /\p{L}|\p{N}/u.test(word))
  const letters = words.length > 1 ? [words[0], words[1]].map((word) => word?.[0] ?? '').join('') : (words[0] ?? '?').slice(0, 2)
  return letters.toUpperCase()
}
