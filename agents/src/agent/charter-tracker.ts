/**
 * The charter in force of each goal, by this agent's own agreement or the server's messages. A new charter that keeps the agent's
 * steps unchanged can be accepted without another decision.
 */
import { Charter, keepsOwnSteps } from '@parley/protocol'
import { createBoundedMap } from '../bounded-map.ts'
import { findMessageData } from '../conversation/message-data.ts'
import type { TeamInvitation } from '../messages/message-events.ts'
import type { AgentSession } from '../session/agent-session.ts'

/** Remembers the charters that this agent agreed to, so that a new version cannot silently change its own steps. */
export type CharterTracker = {
  /** Whether the invitation keeps all of this agent's steps in force exactly as they are. */
  keepsOwnSteps(invitation: TeamInvitation): boolean
  /** Records that this agent has agreed to the charter. */
  recordAgreed(charter: Charter): void
}

/** Follows the charters of all rooms of the session. */
export function trackCharters(session: AgentSession): CharterTracker {
  const inForce = createBoundedMap<Charter>(1_000)
  session.on('message', async ({ envelope, isFromServer, isInbox }) => {
    if (!isFromServer || isInbox) return
    const restored = findMessageData(envelope, 'charter.withdrawn')?.in_force as { charter?: unknown } | null | undefined
    const changed = Charter.safeParse(restored?.charter ?? findMessageData(envelope, 'charter.amended')?.charter)
    if (changed.success) inForce.set(changed.data.goal_id, changed.data)
    const recorded = findMessageData(envelope, 'charter.recorded')
    if (!recorded) return
    const { charter, charterHash } = await session.conversation(envelope.room_id)
    // Every payee has agreed to a recorded charter, this agent included.
    if (charter && charterHash === recorded.charter_hash) inForce.set(charter.goal_id, charter)
  })
  return {
    keepsOwnSteps({ charter }) {
      const before = inForce.get(charter.goal_id)
      const hasSteps = before?.steps.some((step) => step.sender_id === session.did) ?? false
      return before !== undefined && hasSteps && keepsOwnSteps(before, charter, session.did)
    },
    recordAgreed: (charter) => inForce.set(charter.goal_id, charter),
  }
}
