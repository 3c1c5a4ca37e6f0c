import type { ChooseEntry } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findTeam } from '../../teams/index.ts'
import { entryNotFound, goalNotClient, goalNotFound, goalWrongState } from '../errors.ts'
import type { Goal } from '../goal.ts'
import { lockGoal } from '../goal-store.ts'
import { applyEntryChoice } from './apply-entry-choice.ts'
import { isChoiceOpen } from './chosen-entry-charter-state.ts'
import { advanceEntry, type ContestEntry } from './entry.ts'
import { findChosenEntry, getEntryUnchecked, saveEntry } from './entry-store.ts'

export type ChosenEntry = { readonly goal_id: string; readonly entry_id: string; readonly version: number }

/**
 * The client chooses an entry of its contest, before or after its end. The charter with its price then waits for the client's approval. After
 * a veto of that charter, or if the rail rejects it permanently, the client can choose another entry.
 * @throws goal.not_client, goal.wrong_state, entry.not_found, entry.wrong_state, entry.refused
 */
export async function chooseEntry(ctx: Context, input: ChooseEntry): Promise<ChosenEntry> {
  await permit(ctx, 'entry.choose')
  const { actor } = ctx
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    // A stranger gets the same answer as for an unknown private goal.
    if (actor.kind !== 'person' || goal.clientId !== actor.did)
      throw goal.visibility === 'private' || goal.openedAt === null ? goalNotFound(goal.id) : goalNotClient(actor.kind)
    await claimIdempotencyKey(tx, input.entry_id, input)
    const entry = await getEntryUnchecked(tx, input.entry_id)
    if (entry.goalId !== goal.id) throw entryNotFound(entry.id)
    const chosen = await findChosenEntry(tx, goal.id)
    if (chosen?.id === entry.id) return { goal_id: goal.id, entry_id: entry.id, version: (await findTeam(tx, goal.id))?.version ?? 0 }
    await requireUndecided(tx, goal, chosen)
    const { version } = await applyEntryChoice(tx, { goal, entry, by: 'client', reason: input.reason })
    return { goal_id: goal.id, entry_id: entry.id, version }
  })
}

/** Passes before a choice, and after the charter of one was vetoed or rejected. */
async function requireUndecided(tx: Context, goal: Goal, chosen: ContestEntry | null): Promise<void> {
  if (goal.contest === null) throw goalWrongState('no contest', 'entry.choose')
  if (!(await isChoiceOpen(tx, goal, chosen)))
    throw goalWrongState(chosen ? `${goal.state} with a chosen entry` : goal.state, 'entry.choose')
  if (chosen === null) return
  const reason = 'Its charter was vetoed or rejected.'
  await saveEntry(tx, advanceEntry(chosen, { type: 'entry.decline', reason, at: tx.clock.now() }))
}
