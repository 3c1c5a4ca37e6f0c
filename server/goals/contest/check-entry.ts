import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { getInbox } from '../../registry/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { readFileUnchecked } from '../../tasks/index.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'
import { goalFromRow, lockGoal } from '../store.ts'
import { advanceEntry, type EntryVerdict } from './entry.ts'
import { getEntryUnchecked, saveEntry } from './entry-store.ts'
import { runEntryCheck } from './run-entry-check.ts'
import { trySelectEntry } from './select-entry.ts'

/** Runs the contest's check on a submitted entry. The first entry that passes is chosen. Does nothing without a check. */
export async function checkEntry(ctx: Context, entryId: string): Promise<void> {
  const entry = await getEntryUnchecked(ctx, entryId)
  const goal = goalFromRow(await getGoalRowUnchecked(ctx, entry.goalId))
  if (goal.contest?.check === undefined || entry.verdict !== null || entry.state !== 'submitted') return
  const files = await Promise.all(entry.files.map(async ({ sha256 }) => ({ sha256, bytes: await readFileUnchecked(ctx, sha256) })))
  const verdict = await runEntryCheck(goal.contest.check, files)
  await inTransaction(ctx, (tx) => recordVerdict(tx, entryId, verdict))
}

async function recordVerdict(tx: Context, entryId: string, verdict: EntryVerdict): Promise<void> {
  const { goalId } = await getEntryUnchecked(tx, entryId)
  const goal = await lockGoal(tx, goalId)
  const entry = await getEntryUnchecked(tx, entryId)
  if (entry.state !== 'submitted' || entry.verdict !== null) return
  const checked = advanceEntry(entry, { type: 'entry.check', verdict })
  await saveEntry(tx, checked)
  await postSystemMessage(tx, {
    roomId: await getInbox(tx, entry.agentId),
    kind: 'entry.checked',
    data: { goal_id: goalId, entry_id: entryId, passed: verdict.isPassed, reasons: [...verdict.reasons] },
  })
  if (verdict.isPassed && goal.state === 'open')
    await trySelectEntry(tx, { goal, entry: checked, by: 'check', reason: 'Another entry passed the check first.' })
  await sendSignal(tx, { topic: 'goal', id: goalId })
}
