/** The state of a goal's room as its planner reads it, and the selectors over it. `apply-message-to-planner-room.ts` computes it. */
import { type ArtifactRef, type Charter, type CharterStep, type GoalOffer, stepsOfRoom } from '@parley/protocol'

/** One assignment of a step. */
export type Attempt = {
  readonly task_id: string
  readonly step: number
  /** DID of the assignee. */
  readonly agent: string
  /** `changing`: completed, and the client requested changes. */
  readonly status: 'open' | 'completed' | 'changing' | 'failed' | 'expired'
  readonly artifacts: readonly ArtifactRef[]
  readonly text: string
  /** Sequence number of the last message that changed it. */
  readonly seq: number
}

/** Why an agent (DID) is not hired again while another one is available. */
export type AgentProblem = {
  readonly agent: string
  readonly kind: 'declined' | 'silent' | 'failed' | 'expired' | 'refused'
  readonly reason: string
}

export type PlannerRoomState = {
  /** Sequence number of the last message included; 0 before the first. */
  readonly head: number
  /** Keys of the planner's text messages, so that each is posted once. */
  readonly notes: ReadonlySet<string>
  /** Number of questions to the client, and the client's messages after the first question. */
  readonly asked: number
  readonly answers: readonly string[]
  readonly waitingForClient: boolean
  readonly charter: Charter | null
  readonly charterHash: string | null
  /** Hash of the last charter that this planner proposed. The charter in force differs after a sub-team was hired. */
  readonly ownHash: string | null
  /** Sequence number of the proposal, and the time at which the server received it, Unix milliseconds. */
  readonly proposedSeq: number
  readonly proposedAt: number
  /** DIDs that accepted this charter. */
  readonly accepted: ReadonlySet<string>
  /** Reasons by DID. */
  readonly declined: ReadonlyMap<string, string>
  /** Last sealed and last recorded version; null if there is none. */
  readonly sealed: number | null
  readonly recorded: number | null
  /** Unix milliseconds. */
  readonly recordedAt: number
  /** How many of this planner's charters the rail refused permanently, and the last refused version of any proposer. */
  readonly withdrawals: number
  readonly withdrawn: { readonly version: number; readonly reason: string } | null
  /** For goals that need approval: the newest charter submitted, the confirmed steps by charter hash, and the refusals. */
  readonly draft: Draft | null
  readonly confirmed: ReadonlyMap<string, ReadonlySet<number>>
  readonly refusals: readonly CharterRefusal[]
  readonly attempts: readonly Attempt[]
  readonly problems: readonly AgentProblem[]
  /** Steps of sub-teams that will not be done. Their amounts may return to their parent steps. */
  readonly canceled: ReadonlySet<number>
  /** The client's requests for changes, oldest first, each with its steps. */
  readonly revisions: readonly { readonly steps: readonly number[]; readonly reason: string }[]
  /** The deadline after the client has extended it, Unix milliseconds; 0 before. */
  readonly deadline: number
  /** The client has paused new work. */
  readonly paused: boolean
  /** Number of conclusions posted, and the outcome of the last one. */
  readonly conclusions: number
  readonly concluded: string | null
  /** Whether the goal has ended. */
  readonly closed: boolean
}

export const emptyRoomState: PlannerRoomState = {
  head: 0,
  notes: new Set(),
  asked: 0,
  answers: [],
  waitingForClient: false,
  charter: null,
  charterHash: null,
  ownHash: null,
  proposedSeq: 0,
  proposedAt: 0,
  accepted: new Set(),
  declined: new Map(),
  sealed: null,
  recorded: null,
  recordedAt: 0,
  withdrawals: 0,
  withdrawn: null,
  draft: null,
  confirmed: new Map(),
  refusals: [],
  attempts: [],
  problems: [],
  canceled: new Set(),
  revisions: [],
  deadline: 0,
  paused: false,
  conclusions: 0,
  concluded: null,
  closed: false,
}

/** DIDs whose messages have authority. */
export type Parties = { readonly principal: string; readonly server: string; readonly client: string }

export const partiesOf = (offer: GoalOffer, principal: string, server: string): Parties => ({ principal, server, client: offer.client_id })

/** The newest charter submitted to the client. */
export type Draft = { readonly hash: string; readonly charter: Charter; readonly state: 'submitted' | 'confirmed' | 'refused' }
/** The client refused a charter, or one step of it. `agent`: DID of the refused step's assignee. */
export type CharterRefusal = { readonly hash: string; readonly reason: string; readonly step?: number; readonly agent?: string }

/** The steps that the planner leads. Those of sub-teams are led by their leads. */
export const listLedSteps = (charter: Charter): CharterStep[] => stepsOfRoom(charter, charter.room_id)

/** The version of the next charter. The version of a withdrawn charter is not used again. */
export const nextOwnCharterVersion = ({ charter, withdrawn }: PlannerRoomState): number =>
  1 + Math.max(charter?.version ?? 0, withdrawn?.version ?? 0)

/** The last attempt at a step, which is the step's current status. */
export const lastAttempt = (room: PlannerRoomState, step: number): Attempt | undefined =>
  room.attempts.findLast((attempt) => attempt.step === step)

/** Whether the step was delivered once, and the client requested changes. Its agent cannot be replaced. */
export const isInRevision = (room: PlannerRoomState, step: number): boolean =>
  room.attempts.some((attempt) => attempt.step === step && attempt.status === 'changing')

export const isStepDone = (room: PlannerRoomState, step: number): boolean => lastAttempt(room, step)?.status === 'completed'

/** DIDs of members who have not accepted the charter. The planner accepts by proposing. */
export function listUnsignedMembers(room: PlannerRoomState): string[] {
  const { charter } = room
  if (!charter) return []
  return [...new Set(listLedSteps(charter).map((step) => step.sender_id))].filter(
    (did) => did !== charter.principal_id && !room.accepted.has(did),
  )
}

/** The file of this type from the last step that completed one. */
export function findOutput(room: PlannerRoomState, type: string): ArtifactRef | undefined {
  for (const step of room.charter?.steps.toReversed() ?? []) {
    const attempt = lastAttempt(room, step.step)
    const artifact = attempt?.status === 'completed' ? attempt.artifacts.find((one) => one.artifact_type === type) : undefined
    if (artifact) return artifact
  }
  return undefined
}
