import type { ChainDeadLetter as Row } from '../../../prisma/client/client.ts'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { requireOperator } from '../../policy/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { raiseAlarm } from '../alarms/operator-alarms.ts'
import { channelAuditStreamName, holdAuditStreamName } from './audit-stream-name.ts'
import type { EventGroup } from './group-events.ts'

/** What a group of events concerns, and what is frozen if the group cannot be applied. */
export type EventSubject =
  | { readonly kind: 'goal'; readonly goalId: string }
  | { readonly kind: 'channel'; readonly channelId: string }
  | { readonly kind: 'account'; readonly contract: EscrowEvent['contract']; readonly account: string }

export type DeadLetterView = Omit<Row, 'chainId'>

const maxErrorLength = 2_000
const maxShown = 200

/** Unique name of a subject. It is also the name of its audit stream. */
export function subjectName(subject: EventSubject): string {
  if (subject.kind === 'goal') return holdAuditStreamName(subject.goalId)
  if (subject.kind === 'channel') return channelAuditStreamName(subject.channelId)
  return `credit:${subject.contract}:${subject.account}`
}

export function subjectOf(row: Pick<Row, 'goalId' | 'channelId' | 'contract' | 'account'>): EventSubject {
  if (row.goalId !== null) return { kind: 'goal', goalId: row.goalId }
  if (row.channelId !== null) return { kind: 'channel', channelId: row.channelId }
  return { kind: 'account', contract: row.contract === 'channels' ? 'channels' : 'escrow', account: row.account ?? '' }
}

/** Stores a failed group as a dead letter, with its events and the error. From now on its subject is frozen. */
export async function addDeadLetter(tx: Context, group: EventGroup, subject: EventSubject, error: unknown): Promise<void> {
  const [first] = group.events
  const { chainId } = tx.market
  const of = {
    contract: group.contract,
    goalId: subject.kind === 'goal' ? subject.goalId : null,
    channelId: subject.kind === 'channel' ? subject.channelId : null,
    account: subject.kind === 'account' ? subject.account : null,
    logIndex: first.logIndex,
    txHash: first.txHash,
  }
  // A reindex can bring the same group again while it waits.
  if ((await tx.db.chainDeadLetter.count({ where: { chainId, state: 'open', ...of } })) > 0) return
  const name = subjectName(subject)
  const reason = errorText(error)
  const now = tx.clock.now()
  await tx.db.chainDeadLetter.create({
    data: {
      id: tx.ids.uuid(),
      chainId,
      state: 'open',
      ...of,
      block: first.block,
      blockHash: first.blockHash,
      events: toStorableJson({ claimed: group.claimed.toString(), events: group.events }),
      error: reason,
      createdAt: now,
      triedAt: now,
    },
  })
  await appendAudit(tx, { stream: name, action: 'dead-letter.add', after: { tx: first.txHash, block: first.block, error: reason } })
  tx.log.error(
    { event: 'chain.events_dead_lettered', subject: name, tx: first.txHash, block: first.block, err: error },
    'Chain events could not be booked and are dead letters now.',
  )
  await raiseAlarm(tx, { kind: 'unbooked_events', subject: name, facts: { block: first.block, tx: first.txHash } })
  await signalSubject(tx, subject)
}

/** Restores the event group of a dead letter. */
export function eventGroupFromRow(row: Row): EventGroup {
  const { claimed, events } = row.events as unknown as { claimed: string; events: EventGroup['events'] }
  const [first] = events
  const account = row.account
  return {
    contract: first.contract,
    planId: account ? null : first.planId,
    channelId: account ? null : first.channelId,
    account,
    claimed: BigInt(claimed),
    events,
  }
}

/** Signals the pages of its parties to refresh. */
export async function signalSubject(tx: Context, subject: EventSubject): Promise<void> {
  if (subject.kind === 'goal') await sendSignal(tx, { topic: 'goal', id: subject.goalId })
  if (subject.kind === 'channel') await sendSignal(tx, { topic: 'channel', id: subject.channelId })
}

/** Open dead letters for operators, in chain order. @throws permission.denied */
export async function listChainDeadLetters(ctx: Context): Promise<DeadLetterView[]> {
  requireOperator(ctx, 'dead-letter.list')
  return ctx.db.chainDeadLetter.findMany({
    where: { chainId: ctx.market.chainId, state: 'open' },
    orderBy: [{ block: 'asc' }, { logIndex: 'asc' }],
    take: maxShown,
    omit: { chainId: true },
  })
}

export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return toStorableText(text.trim().split('\n').slice(-6).join('\n')).slice(0, maxErrorLength)
}

/** JSON that PostgreSQL accepts: bigints as decimal strings, no U+0000. */
function toStorableJson(value: unknown): object {
  return JSON.parse(
    toStorableText(JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))),
  ) as object
}

function toStorableText(text: string): string {
  return text.replaceAll('\\u0000', '').replaceAll('\u0000', '').toWellFormed()
}
