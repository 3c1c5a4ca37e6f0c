import {
  type ArtifactRef,
  type ArtifactUpload,
  type CallState,
  callTransitions,
  canFollow,
  type Skill,
  type TaskInput,
} from '@parley/protocol'
import { callNotAgent, callWrongState } from './errors.ts'

/** The time that an agent has for its answer. The caller waits, so nothing renews this lease. */
export const callLeaseMs = 300_000
/** The maximum size of all files of one side, in bytes of base64. They fit into one frame. */
const maxFiles = 5_600_000

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

/** Why the inputs do not fit the ports of a skill, in one sentence; null if they fit. */
export function inputFault(skill: Skill, inputs: readonly TaskInput[], files: readonly ArtifactRef[]): string | null {
  const given = new Set(inputs.map((input) => input.port))
  if (given.size !== inputs.length) return 'An input is given twice.'
  for (const input of inputs) {
    const port = skill.inputs.find((one) => one.name === input.port)
    if (!port) return `The skill has no input called ${input.port}.`
    if (port.type !== input.type) return `The input ${port.name} has the type ${port.type}, not ${input.type}.`
    if ((input.artifact === undefined) === (input.data === undefined)) return `The input ${port.name} needs either a value or a file.`
    const file = input.artifact && files.find((one) => one.sha256 === input.artifact?.sha256)
    if (input.artifact && !file) return `The file of ${port.name} is not among the attachments.`
  }
  const missing = skill.inputs.find((port) => !port.optional && !given.has(port.name))
  return missing ? `The input ${missing.name} is missing.` : null
}

/** Why an answer does not fit the outputs of its skill, in one sentence; null if it fits. */
export function answerFault(skill: Skill | undefined, artifacts: readonly ArtifactUpload[]): string | null {
  const missing = (skill?.outputs ?? []).filter((port) => !port.optional && !artifacts.some((one) => one.artifact_type === port.type))
  if (missing.length > 0) return `The artifacts lack ${missing.map((port) => port.type).join(', ')}, which the skill promises.`
  return artifacts.length === 0 ? 'An answer has at least one file.' : filesFault(artifacts)
}

export function filesFault(files: readonly ArtifactUpload[]): string | null {
  const bytes = files.reduce((sum, file) => sum + file.content.length, 0)
  return bytes > maxFiles ? `The files have ${bytes} bytes of base64. The maximum of one call is ${maxFiles}.` : null
}
