import { type ArtifactRef, type CallState, callTransitions, canFollow, type TaskInput } from '@parley/protocol'
import { callNotAgent, callWrongState } from './errors.ts'

/** The time that an agent has for its answer. The caller waits, so nothing renews this lease. */
export const callLeaseMs = 300_000

type CallRequest = {
  readonly id: string
  readonly channelId: `0x${string}`
  readonly agentId: string
  readonly clientId: string
  /** The agent that asked; null if a person asked. */
  readonly callerId: string | null
  readonly skillId: string
  readonly price: bigint
  readonly digest: string
  readonly inputs: readonly TaskInput[]
  readonly attachments: readonly ArtifactRef[]
  readonly leaseUntil: Date
  readonly requestedAt: Date
}

/** One question to an agent. Each variant holds what exists in that state. */
export type Call =
  | (CallRequest & { readonly state: 'requested' })
  | (CallRequest & {
      readonly state: 'answered'
      readonly artifacts: readonly ArtifactRef[]
      readonly text: string
      readonly endedAt: Date
    })
  | (CallRequest & { readonly state: 'declined' | 'expired'; readonly failure: string; readonly endedAt: Date })

export type CallEvent =
  | {
      readonly type: 'call.answer'
      readonly by: string
      readonly at: Date
      readonly artifacts: readonly ArtifactRef[]
      readonly text: string
    }
  | { readonly type: 'call.decline'; readonly by: string; readonly at: Date; readonly reason: string }
  | { readonly type: 'call.expire'; readonly at: Date }

/** The only state transition function of a call. An answer after the lease is refused, even if the expiry job has not run. */
export function advanceCall(call: Call, event: CallEvent): Call {
  switch (event.type) {
    case 'call.answer': {
      const { artifacts, text, at: endedAt } = event
      return {
        ...requireAsked(requireInTime(requireAgent(call, event.by), event), event.type, 'answered'),
        state: 'answered',
        artifacts,
        text,
        endedAt,
      }
    }
    case 'call.decline':
      return {
        ...requireAsked(requireAgent(call, event.by), event.type, 'declined'),
        state: 'declined',
        failure: event.reason,
        endedAt: event.at,
      }
    case 'call.expire': {
      const expiring = requireAsked(call, event.type, 'expired')
      if (expiring.leaseUntil > event.at) return call
      return { ...expiring, state: 'expired', failure: 'The agent did not answer in time.', endedAt: event.at }
    }
    default:
      return event satisfies never
  }
}

function requireAsked(call: Call, verb: string, next: CallState): CallRequest {
  if (!canFollow(callTransitions, call.state, next)) throw callWrongState(call.id, call.state, verb)
  return call
}

function requireAgent(call: Call, by: string): Call {
  if (call.agentId !== by) throw callNotAgent(by)
  return call
}

function requireInTime(call: Call, event: { readonly type: string; readonly at: Date }): Call {
  if (call.state === 'requested' && call.leaseUntil <= event.at) throw callWrongState(call.id, 'expired', event.type)
  return call
}
