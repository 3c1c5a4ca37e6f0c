/** Whether a world shows what was planted in it. */
import { explore } from './explore.ts'
import type { PlantedFault } from './removed-timeouts.ts'
import { rules } from './rules.ts'

/** What is found first, in a sentence; null where the check would have passed. */
export function find({ world, change }: PlantedFault): string | null {
  try {
    const { faults, isCut } = explore(world({ ...rules, ...change }), { maxStates: 60_000 })
    const [first] = faults
    if (!first && isCut) throw new Error('the world is too large to be searched')
    return first ? `${first.kind}: ${first.what}` : null
  } catch (error) {
    // What a world refuses to begin with.
    if (error instanceof Error && error.message.startsWith('the escrow takes')) return error.message
    throw error
  }
}
