import type { Context } from '../../context.ts'
import { inSavepoint } from '../../db/savepoint.ts'
import { Prisma } from '../../db.ts'
import { DomainError, isDatabaseAway } from '../../errors.ts'
import type { EscrowEvent } from '../../ports.ts'
import { joinTrace, withSpan } from '../../telemetry/index.ts'
import { addDeadLetter, type EventSubject, subjectName } from './chain-dead-letter-store.ts'
import { hitFailpoint } from './failpoint.ts'
import { listFrozenSubjects } from './frozen-subjects.ts'
import type { EventGroup } from './group-events.ts'

/** Applies the events of one group to the rows of its subject. */
export type ApplyGroup = (tx: Context, group: EventGroup) => Promise<void>

/**
 * Applies event groups in order. A group that fails becomes a dead letter with its events and the error. Its goal, channel or
 * account is then frozen, and later groups of the same subject become dead letters, too. All other groups are applied. A transient
 * error of the database or the node throws instead, so that the whole range rolls back. `unstored`: groups with an event that
 * could not be stored, and why.
 */
export async function applyEventGroups(
  tx: Context,
  groups: readonly EventGroup[],
  unstored: ReadonlyMap<EventGroup, unknown>,
  record: ApplyGroup,
): Promise<void> {
  const subjectOf = await findSubjects(tx, groups)
  const frozen = await listFrozenSubjects(tx)
  for (const group of groups) {
    const subject = subjectOf(group)
    if (subject === null) continue
    const name = subjectName(subject)
    const error = unstored.get(group) ?? (frozen.has(name) ? blockedByEarlierFailure : await tryApplyGroup(tx, group, subject, record))
    if (error === null) {
      await hitFailpoint(tx, 'event_recorded')
      continue
    }
    frozen.add(name)
    await addDeadLetter(tx, group, subject, error)
  }
}

const blockedByEarlierFailure = new Error('An earlier event of the same goal, channel or account could not be booked.')

/** Applies one group in a savepoint. Returns the error, if any; then the group has no effect. */
export async function tryApplyGroup(tx: Context, group: EventGroup, subject: EventSubject, record: ApplyGroup): Promise<unknown> {
  try {
    await inSavepoint(tx, async () => {
      await applyGroup(tx, group, subject, record)
      // Runs the deferred checks now, so that a later group does not fail because of this one.
      await tx.db.$executeRaw`select set_config('parley.booking', '', true)`
    })
    return null
  } catch (error) {
    if (isTransient(error)) throw error
    return error ?? new Error('unknown')
  }
}

async function applyGroup(tx: Context, group: EventGroup, subject: EventSubject, record: ApplyGroup): Promise<void> {
  const [first] = group.events
  const booking = { chainId: tx.market.chainId, block: first.block, subject: subjectName(subject) }
  // Sets for the undo triggers which block changes the rows from here on: see `handleReorg`.
  await tx.db.$executeRaw`select set_config('parley.booking', ${JSON.stringify(booking)}, true)`
  const own = await traceOfTransaction(tx, group.events)
  if (own) await withSpan(own, { name: 'chain log', kind: 'consumer' }, (traced) => record(traced, group))
  else await record(tx, group)
}

/** The subject of each group; null if it concerns no row of this server. */
async function findSubjects(tx: Context, groups: readonly EventGroup[]): Promise<(group: EventGroup) => EventSubject | null> {
  const planIds = [...new Set(groups.flatMap((group) => group.planId ?? []))]
  const channelIds = [...new Set(groups.flatMap((group) => group.channelId ?? []))]
  const holds = await tx.db.hold.findMany({ where: { planId: { in: planIds } }, select: { planId: true, goalId: true } })
  const contract = tx.market.channels ?? ''
  const channels = await tx.db.channel.findMany({ where: { id: { in: channelIds }, contract }, select: { id: true } })
  const goalOf = new Map(holds.map((hold) => [hold.planId, hold.goalId]))
  const ours = new Set(channels.map(({ id }) => id))
  return ({ planId, channelId, account, contract: at }) => {
    const goalId = goalOf.get(planId)
    if (goalId !== undefined) return { kind: 'goal', goalId }
    if (channelId !== null && ours.has(channelId)) return { kind: 'channel', channelId }
    return account === null ? null : { kind: 'account', contract: at, account }
  }
}

/** Continues the trace of the request that sent the transaction. Null if it is unknown or tracing is off. */
async function traceOfTransaction(tx: Context, events: readonly EscrowEvent[]): Promise<Context | null> {
  if (tx.ports.traces === null) return null
  const candidate = await tx.db.signedTransaction.findUnique({
    where: { hash: events[0]?.txHash ?? '' },
    select: { transaction: { select: { traceparent: true } } },
  })
  const trace = candidate?.transaction.traceparent
  return trace ? joinTrace(tx, trace) : null
}

/**
 * Whether a retry may succeed: the database or the node is down, or two transactions conflicted. Checks error codes only, because
 * error texts can contain user-chosen values.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'hold.chain_unavailable' || error.code === 'server.unavailable'
  if (isDatabaseAway(error)) return true
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false
  return error.code === 'P2034' || /Code: `(40\w{3}|55P03)`/.test(error.message)
}
