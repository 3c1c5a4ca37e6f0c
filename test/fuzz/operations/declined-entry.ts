import { newEntryId } from '../ground/cast.ts'
import { worldSentence } from '../ground/world-texts.ts'
import type { Place } from './operations.ts'

/** A declined entry of the helper in a goal that is paid. Each call makes another, because an erased one stays erased. */
export async function declinedEntry({ installation, scene }: Place): Promise<{ entry_id: string }> {
  const { agentId, did } = scene.agents.helper
  const at = new Date()
  const id = newEntryId()
  await installation.world.system.db.entry.create({
    data: {
      ...{ id, goalId: scene.goals.paid.id, agentId, did, ownerId: scene.people.publisher.did, price: 1_000_000n },
      ...{
        text: `An entry. ${worldSentence}`,
        files: [],
        state: 'declined',
        reason: 'Another one was chosen.',
        submittedAt: at,
        decidedAt: at,
      },
    },
  })
  return { entry_id: id }
}
