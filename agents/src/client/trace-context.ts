import type { DeliveredEnvelope } from '@parley/protocol'
import { createRecent } from '../bounded-map.ts'

/** Which trace each room and goal was last spoken of in, so that what the agent does there belongs to it too. */
export type Traces = {
  hear(envelope: DeliveredEnvelope): void
  /** A W3C traceparent, where one is known. `name`: of a room or a goal. */
  of(name: string | undefined): string | undefined
}

export function createTraces(): Traces {
  const traces = createRecent<string>(10_000)
  return {
    hear({ trace, group_id, parts }) {
      if (trace === undefined) return
      traces.set(group_id, trace)
      // An offer comes by the inbox, and names the goal and the room that it is about.
      for (const { data } of parts)
        for (const about of [data, data?.offer]) {
          const { goal_id, group_id } = (about ?? {}) as { goal_id?: unknown; group_id?: unknown }
          for (const name of [goal_id, group_id]) if (typeof name === 'string') traces.set(name, trace)
        }
    },
    of: (name) => (name === undefined ? undefined : traces.get(name)),
  }
}
