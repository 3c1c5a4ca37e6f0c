import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { getAgentInboxId } from '../../registry/index.ts'
import { advanceEntry } from './entry.ts'
import { listEntriesUnchecked, saveEntry } from './entry-store.ts'

/** Part of a transaction: declines all entries that wait, and gives their agents the reason. */
export async function declineWaitingEntries(tx: Context, goalId: string, reason: string): Promise<void> {
  for (const entry of await listEntriesUnchecked(tx, goalId)) {
    if (entry.state !== 'submitted') continue
    await saveEntry(tx, advanceEntry(entry, { type: 'entry.decline', reason, at: tx.clock.now() }))
    await postSystemMessage(tx, {
      roomId: await getAgentInboxId(tx, entry.agentId),
      kind: 'entry.decided',
      data: { goal_id: goalId, entry_id: entry.id, state: 'declined', reason },
    })
  }
}
