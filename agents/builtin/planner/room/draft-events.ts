/** What the room says of charters that were put before the client: only the server's word counts. */
import { Charter, type Json } from '@parley/protocol'
import type { Floor } from './reduce.ts'

/** The newest charter before the client. */
export type Draft = { readonly hash: string; readonly charter: Charter; readonly state: 'submitted' | 'confirmed' | 'refused' }
/** `agent`: who had the step, where one was refused. */
export type Refusal = { readonly hash: string; readonly reason: string; readonly step?: number; readonly agent?: string }

const string = (value: unknown): string => (typeof value === 'string' ? value : '')

export function foldDraft(floor: Floor, data: { readonly [field: string]: Json }): Floor {
  const hash = string(data.charter_hash)
  const { draft } = floor
  switch (data.kind) {
    case 'charter.submitted': {
      const charter = Charter.safeParse(data.charter)
      return charter.success ? { ...floor, draft: { hash, charter: charter.data, state: 'submitted' }, waitingForClient: false } : floor
    }
    case 'charter.confirmed': {
      const steps = Array.isArray(data.steps) ? data.steps.filter((step) => typeof step === 'number') : []
      const confirmed = new Map([...floor.confirmed, [hash, new Set(steps)] as const])
      return { ...floor, confirmed, ...(draft?.hash === hash && { draft: { ...draft, state: 'confirmed' } }) }
    }
    case 'charter.refused': {
      if (draft?.hash !== hash) return floor
      const step = typeof data.step === 'number' ? data.step : undefined
      const reason = string(data.reason)
      const agent = draft.charter.steps.find((one) => one.step === step)?.sender_id
      const steps = new Set([...(floor.confirmed.get(hash) ?? [])].filter((one) => one !== step))
      return {
        ...floor,
        draft: { ...draft, state: 'refused' },
        confirmed: new Map([...floor.confirmed, [hash, steps]]),
        refusals: [...floor.refusals, { hash, reason, ...(step !== undefined && { step }), ...(agent !== undefined && { agent }) }],
        // The words of a refusal are an answer like any other; of a step, they are about its agent.
        ...(step === undefined && !floor.charter && { answers: [...floor.answers, reason] }),
        ...(agent !== undefined && { trouble: [...floor.trouble, { agent, kind: 'refused' as const, reason }] }),
      }
    }
    default:
      return floor
  }
}
