import type { DeliveredEnvelope } from '@parley/protocol'
import { createBoundedMap } from '../bounded-map.ts'

/** The last trace of each room and goal, so that the agent's messages and commands there continue it. */
export type TraceContext = {
  record(envelope: DeliveredEnvelope): void
  /** A W3C traceparent, if one is known. @param id of a room or a goal */
  traceparentOf(id: string | undefined): string | undefined
}

/** An empty record of traces. It keeps the last 10,000 rooms and goals. */
export function createTraceContext(): TraceContext {
  const traces = createBoundedMap<string>(10_000)
  return {
    record({ traceparent, room_id, parts }) {
      if (traceparent === undefined) return
      traces.set(room_id, traceparent)
      // An announcement arrives in the inbox and names the goal and the room that it is about.
      for (const { data } of parts)
        for (const subject of [data, data?.offer]) {
          const { goal_id, room_id } = (subject ?? {}) as { goal_id?: unknown; room_id?: unknown }
          for (const id of [goal_id, room_id]) if (typeof id === 'string') traces.set(id, traceparent)
        }
    },
    traceparentOf: (id) => (id === undefined ? undefined : traces.get(id)),
  }
}
