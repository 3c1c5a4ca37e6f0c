import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { getAgentInboxId } from '../../registry/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { readFileUnchecked } from '../../tasks/index.ts'
import { goalFromRow, lockGoal } from '../goal-store.ts'
import { getGoalRowUnchecked } from '../read-goals.ts'
import { trySelectEntry } from './apply-entry-choice.ts'
import { advanceEntry, type EntryVerdict } from './entry.ts'
import { getEntryUnchecked, saveEntry } from './entry-store.ts'
import { runEntryCheck } from './run-entry-check.ts'

/** A round starts no check after this time, so that the process can stop. */
const roundMs = 10_000

/**
 * A round of checks: of each client with open contests, the earliest entry without a verdict. Hashes come first, because they need no time.
 * Then the clients with the fewest checks so far, in random order. So the entries of some do not delay those of others for long. It runs
 * beside the job queue, because the tests of one entry can take 25 s of processor time. Returns the number of checked entries.
 */
export async function checkNextEntryOfEachClient(ctx: Context): Promise<number> {
  const due = await ctx.db.$queryRaw<{ id: string }[]>`
    select "id" from (
      select distinct on (g."clientId") e."id", g."clientId", g."contest" -> 'check' ->> 'kind' as "kind" from goal g join entry e on e."goalId" = g."id"
      where g."state" = 'open' and g."contest" -> 'check' is not null and e."state" = 'submitted' and e."isPassed" is null
      order by g."clientId", e."submittedAt", e."id"
    ) earliest order by ("kind" <> 'sha256'), (
      select count(*) from goal g join entry e on e."goalId" = g."id"
      where g."clientId" = earliest."clientId" and g."contest" is not null and e."isPassed" is not null
    ), random()`
  const failures: unknown[] = []
  const end = ctx.clock.now().getTime() + roundMs
  let checked = 0
  for (const { id } of due) {
    if (ctx.clock.now().getTime() > end) break
    await checkEntry(ctx, id).catch((error: unknown) => failures.push(error))
    checked++
  }
  // After a failed round the loop waits longer. The others were checked.
  if (failures.length > 0) throw failures[0]
  return checked
}

/** Runs the contest's check on a submitted entry. The first entry that passes is chosen. Does nothing without a check. */
async function checkEntry(ctx: Context, entryId: string): Promise<void> {
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
    roomId: await getAgentInboxId(tx, entry.agentId),
    kind: 'entry.checked',
    data: { goal_id: goalId, entry_id: entryId, passed: verdict.isPassed, reasons: [...verdict.reasons] },
  })
  if (verdict.isPassed && goal.state === 'open')
    await trySelectEntry(tx, { goal, entry: checked, by: 'check', reason: 'Another entry passed the check first.' })
  await sendSignal(tx, { topic: 'goal', id: goalId })
}
