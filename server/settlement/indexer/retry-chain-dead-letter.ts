import { appendAudit } from '../../audit/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { requireOperator } from '../../policy/index.ts'
import { tryApplyGroup } from '../chain-events/apply-event-groups.ts'
import { errorText, eventGroupFromRow, signalSubject, subjectName, subjectOf } from '../chain-events/chain-dead-letter-store.ts'
import { clearFrozenAlarms } from '../chain-events/frozen-subjects.ts'
import { deadLetterNotFound, deadLetterWrongState } from '../errors.ts'
import { lockCursor } from './index-events.ts'
import { routeEventGroup } from './route-event-group.ts'

export type RetriedDeadLetter = {
  readonly id: string
  readonly state: 'open' | 'booked'
  readonly booked: number
  readonly error: string | null
}

/**
 * An operator retries dead letters: all of the same subject, in chain order, until one fails again. If none is left, the subject
 * is no longer frozen.
 * @throws permission.denied for all but operators; dead_letter.not_found, dead_letter.wrong_state
 */
export async function retryChainDeadLetter(ctx: Context, input: { readonly id: string }): Promise<RetriedDeadLetter> {
  requireOperator(ctx, 'dead-letter.retry')
  return inTransaction(ctx, async (tx) => {
    await lockCursor(tx)
    const row = await tx.db.chainDeadLetter.findUnique({ where: { id: input.id } })
    if (!row) throw deadLetterNotFound(input.id)
    if (row.state !== 'open') throw deadLetterWrongState(input.id, row.state)
    const subject = subjectOf(row)
    const { chainId, goalId, channelId, account, contract } = row
    const waiting = await tx.db.chainDeadLetter.findMany({
      where: { chainId, goalId, channelId, account, contract, state: 'open' },
      orderBy: [{ block: 'asc' }, { logIndex: 'asc' }],
    })
    const system = actingAs(tx, { kind: 'system', name: 'chain' })
    const triedAt = tx.clock.now()
    let booked = 0
    let failure: string | null = null
    for (const one of waiting) {
      const error = await tryApplyGroup(system, eventGroupFromRow(one), subject, routeEventGroup)
      failure = error === null ? null : errorText(error)
      const change = failure === null ? { state: 'booked' as const } : { error: failure }
      await tx.db.chainDeadLetter.update({ where: { id: one.id }, data: { ...change, triedAt, attempts: { increment: 1 } } })
      if (failure !== null) break
      booked++
    }
    const { state } = await tx.db.chainDeadLetter.findUniqueOrThrow({ where: { id: row.id }, select: { state: true } })
    const after = { id: row.id, booked, left: waiting.length - booked, error: failure }
    await appendAudit(tx, { stream: subjectName(subject), action: 'dead-letter.retry', before: { waiting: waiting.length }, after })
    await clearFrozenAlarms(tx)
    await signalSubject(tx, subject)
    return { id: row.id, state: state === 'booked' ? 'booked' : 'open', booked, error: failure }
  })
}
