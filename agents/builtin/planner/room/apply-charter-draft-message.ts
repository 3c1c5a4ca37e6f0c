/** The server's messages about charters that were submitted to the client. */
import { Charter, type Json } from '@parley/protocol'
import type { PlannerRoomState } from './planner-room-state.ts'

const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

export function applyCharterDraftMessage(room: PlannerRoomState, data: { readonly [field: string]: Json }): PlannerRoomState {
  const hash = asString(data.charter_hash)
  const { draft } = room
  switch (data.kind) {
    case 'charter.submitted': {
      const charter = Charter.safeParse(data.charter)
      return charter.success ? { ...room, draft: { hash, charter: charter.data, state: 'submitted' }, waitingForClient: false } : room
    }
    case 'charter.confirmed': {
      const steps = Array.isArray(data.steps) ? data.steps.filter((step) => typeof step === 'number') : []
      const confirmed = new Map([...room.confirmed, [hash, new Set(steps)] as const])
      return { ...room, confirmed, ...(draft?.hash === hash && { draft: { ...draft, state: 'confirmed' } }) }
    }
    case 'charter.refused': {
      if (draft?.hash !== hash) return room
      const step = typeof data.step === 'number' ? data.step : undefined
      const reason = asString(data.reason)
      const agent = draft.charter.steps.find((one) => one.step === step)?.sender_id
      const steps = new Set([...(room.confirmed.get(hash) ?? [])].filter((one) => one !== step))
      return {
        ...room,
        draft: { ...draft, state: 'refused' },
        confirmed: new Map([...room.confirmed, [hash, steps]]),
        refusals: [...room.refusals, { hash, reason, ...(step !== undefined && { step }), ...(agent !== undefined && { agent }) }],
        // Before the first charter, a refusal's reason is an answer of the client. The refusal of a step is about its agent.
        ...(step === undefined && !room.charter && { answers: [...room.answers, reason] }),
        ...(agent !== undefined && { problems: [...room.problems, { agent, kind: 'refused' as const, reason }] }),
      }
    }
    default:
      return room
  }
}
