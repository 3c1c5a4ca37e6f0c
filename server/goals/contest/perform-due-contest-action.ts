import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { enqueue, schedule } from '../../delivery/index.ts'
import { voidHold } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { advanceGoal, type Goal } from '../goal.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { trySelectEntry } from './apply-entry-choice.ts'
import { declineWaitingEntries } from './decline-waiting-entries.ts'
import type { ContestEntry } from './entry.ts'
import { listEntriesUnchecked } from './entry-store.ts'
import { type ContestAction, nextContestAction } from './next-contest-action.ts'
import { readContestTerms } from './read-contest-terms.ts'

/** Part of the transaction that opens a contest. */
export async function scheduleContest(tx: Context, goal: Goal): Promise<void> {
  if (goal.contest === null) return
  const runAt = new Date(goal.contest.entries_by)
  await schedule(tx, 'expire-contest', { goalId: goal.id }, { runAt, jobKey: `contest:${goal.id}` })
}

/**
 * Run by a job when entries close, and when the client's time to choose ends. Without an entry, or without a choice where silence refunds,
 * everything goes back to the client. Where silence pays, the earliest entry is chosen.
 */
export async function performDueContestAction(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    if (goal.state !== 'open' || goal.contest === null) return
    const terms = await readContestTerms(tx, goal)
    const action = nextContestAction(terms, await listEntriesUnchecked(tx, goalId), tx.clock.now())
    if ('wait' in action) return schedule(tx, 'expire-contest', { goalId }, { runAt: action.wait, jobKey: `contest:${goalId}` })
    if ('choose' in action && (await selectFirst(tx, goal, action.choose))) return
    await endContest(tx, goal, 'end' in action ? action.end : 'without_choice')
  })
}

/** Chooses the first entry that can be paid; false if none can. */
async function selectFirst(tx: Context, goal: Goal, entries: readonly ContestEntry[]): Promise<boolean> {
  for (const entry of entries) {
    if (await trySelectEntry(tx, { goal, entry, by: 'silence', reason: 'The client made no choice, and an earlier entry was chosen.' }))
      return true
  }
  return false
}

const endings: { readonly [reason in Extract<ContestAction, { end: unknown }>['end']]: string } = {
  without_entries: 'No entry arrived in time.',
  without_choice: 'The client chose no entry in time.',
  without_pass: 'No entry passed the check in time.',
}

async function endContest(tx: Context, goal: Goal, reason: keyof typeof endings): Promise<void> {
  const conclusion = await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'conclusion',
    kind: 'contest.ended',
    text: `${endings[reason]} Everything is refunded.`,
    data: { goal_id: goal.id, reason },
  })
  const ended = advanceGoal(goal, { type: 'goal.end', outcome: 'failed', seq: conclusion.seq, at: tx.clock.now(), answer: null })
  await saveGoal(tx, ended)
  await declineWaitingEntries(tx, goal.id, endings[reason])
  await voidHold(tx, { goalId: goal.id, conclusionHash: `0x${conclusion.hash}` })
  await appendAudit(tx, { stream: goal.id, action: 'contest.expire', before: { state: goal.state }, after: { state: ended.state, reason } })
  await enqueue(tx, { type: 'goal.concluded', goal_id: goal.id as never, outcome: 'failed' })
  await sendSignal(tx, { topic: 'goal', id: goal.id })
}
