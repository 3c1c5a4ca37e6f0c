/** What the planner does next. */
import { createHash } from 'node:crypto'
import { type Charter, type Part, prefixedId, type TaskInput, uuidv7 } from '@parley/protocol'
import { nextOwnCharterVersion, type PlannerRoomState } from '../room/planner-room-state.ts'
import type { Gap } from '../sourcing/find-missing-artifact-types.ts'

/** `key` is the action's identity: an action with the same key is done once for the same state of the room. */
export type Action = { readonly key: string } & (
  | { readonly do: 'look' }
  | { readonly do: 'seek'; readonly need: Gap }
  | { readonly do: 'plan'; readonly question: string }
  | { readonly do: 'fetch'; readonly sha256: string }
  | {
      readonly do: 'say'
      readonly text: string
      readonly act?: string
      readonly data?: NonNullable<Part['data']>
      readonly asks?: boolean
      readonly triggers?: readonly string[]
    }
  | { readonly do: 'propose'; readonly charter: Charter }
  | { readonly do: 'submit'; readonly charter: Charter; readonly reason: string }
  | { readonly do: 'seal' }
  | {
      readonly do: 'assign'
      readonly step: number
      readonly task_id: `tsk_${string}`
      readonly inputs: readonly TaskInput[]
      readonly task_desc: string
      readonly reworks?: `tsk_${string}`
    }
  | { readonly do: 'complete'; readonly task_id: `tsk_${string}`; readonly text: string; readonly content: string }
  | { readonly do: 'conclude'; readonly outcome: 'delivered' | 'failed'; readonly parts: readonly Part[] }
)

/** `until`: decide again at this time (Unix milliseconds), even without a new message. */
export type PlannerDecision = { readonly actions: readonly Action[]; readonly until?: number }

/** Deterministic, so that an assignment that is sent twice takes effect once. @param at when the charter was recorded, Unix milliseconds */
export function deriveTaskId(goal_id: string, step: number, attempt: number, at: number): `tsk_${string}` {
  const digest = createHash('sha256').update(`${goal_id} ${step} ${attempt}`).digest()
  return prefixedId('tsk', uuidv7(at, digest)) as `tsk_${string}`
}

/** Gives proposed charters the next free version. The version of a withdrawn charter is not used again. */
export function withNextVersion(room: PlannerRoomState, decision: PlannerDecision): PlannerDecision {
  const version = nextOwnCharterVersion(room)
  const actions = decision.actions.map((action) =>
    action.do === 'propose' && action.charter.version !== version
      ? { ...action, key: `propose:${version}`, charter: { ...action.charter, version } }
      : action,
  )
  return { ...decision, actions }
}

export const concludeFailed = (room: PlannerRoomState, reason: string): PlannerDecision => ({
  actions: [{ do: 'conclude', key: `conclude:${room.conclusions + 1}:failed`, outcome: 'failed', parts: [{ text: reason }] }],
})

export const takeActions = (...actions: Action[]): PlannerDecision => ({ actions })
export const waitUntil = (until?: number): PlannerDecision => ({ actions: [], ...(until !== undefined && { until }) })

/** Posts the text once, and then continues with `then`. */
export const postOnce = (room: PlannerRoomState, key: string, text: string, then: PlannerDecision): PlannerDecision =>
  room.notes.has(key) ? then : { ...then, actions: [{ do: 'say', key, text }, ...then.actions] }
