/**
 * Which charter stands for each goal, as far as this agent has agreed to it or the server has said so: what it holds a new one
 * against, so that it signs again without a second thought what is the same to it.
 */
import { Charter, keepsOwnSteps } from '@parley/protocol'
import { createRecent } from '../bounded-map.ts'
import type { Session } from '../client/client.ts'
import { dataOf } from '../conversation/message-data.ts'
import type { Invite } from '../messages/inbox-messages.ts'

export type Standing = {
  /** Whether the invitation leaves all of this agent's steps as they stand, word for word. */
  isSame(invite: Invite): boolean
  agreed(charter: Charter): void
}

export function followCharters(session: Session): Standing {
  const standing = createRecent<Charter>(1_000)
  session.on('message', async ({ envelope, fromServer, inbox }) => {
    if (!fromServer || inbox) return
    const inForce = dataOf(envelope, 'charter.withdrawn')?.in_force as { charter?: unknown } | null | undefined
    const amended = Charter.safeParse(inForce?.charter ?? dataOf(envelope, 'charter.amended')?.charter)
    if (amended.success) standing.set(amended.data.goal_id, amended.data)
    const recorded = dataOf(envelope, 'charter.recorded')
    if (!recorded) return
    const { charter, charterHash } = await session.conversation(envelope.group_id)
    // What is recorded has been agreed to by all whom it pays, this agent too.
    if (charter && charterHash === recorded.charter_hash) standing.set(charter.goal_id, charter)
  })
  return {
    isSame({ charter }) {
      const before = standing.get(charter.goal_id)
      const isOwn = before?.steps.some((step) => step.sender_id === session.did) ?? false
      return before !== undefined && isOwn && keepsOwnSteps(before, charter, session.did)
    },
    agreed: (charter) => standing.set(charter.goal_id, charter),
  }
}
