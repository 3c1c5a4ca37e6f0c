/**
 * A room as its principal reads it: a fold over the messages, without clock or chance, so that a principal that was killed
 * knows from the room alone where it stood. Only the right party's word counts: the server's, the client's, a member's own.
 */
import { findMessageData } from '@parley/agents'
import { type ArtifactRef, Charter, type DeliveredEnvelope, type GoalOffer, readSpeechAct } from '@parley/protocol'
import { amend, ownSteps, withdraw } from './charter-events.ts'
import { type Draft, foldDraft, type Refusal } from './draft-events.ts'

export type Attempt = {
  readonly task_id: string
  readonly step: number
  /** DID of the agent that had it. */
  readonly agent: string
  readonly status: 'open' | 'completed' | 'failed' | 'expired'
  readonly artifacts: readonly ArtifactRef[]
  readonly text: string
  /** The message that brought it where it stands. */
  readonly seq: number
}

/** Why an agent is not asked again while another can be had. */
export type Trouble = {
  readonly agent: string
  readonly kind: 'declined' | 'silent' | 'failed' | 'expired' | 'refused'
  readonly reason: string
}

export type Floor = {
  readonly head: number
  /** Keys of what the principal has said in words, so that it says nothing twice. */
  readonly notes: ReadonlySet<string>
  /** When the principal last spoke, Unix milliseconds. */
  readonly spokenAt: number
  /** Questions asked, and the answers that came after the first of them. */
  readonly asked: number
  readonly answers: readonly string[]
  readonly waitingForClient: boolean
  readonly charter: Charter | null
  readonly charterHash: string | null
  /** Of the charter that this principal proposed last: others become the room's where a sub-team is hired. */
  readonly ownHash: string | null
  /** The proposal's number in the room, and when the server took it, Unix milliseconds. */
  readonly proposedSeq: number
  readonly proposedAt: number
  readonly accepted: ReadonlySet<string>
  readonly declined: ReadonlyMap<string, string>
  readonly sealed: number
  readonly recorded: number
  readonly recordedAt: number
  /** Charters of this principal's that the rail has refused for good; the last version that was, whoever put it, and why. */
  readonly withdrawals: number
  readonly withdrawn: { readonly version: number; readonly reason: string } | null
  /** Where the client is asked first: the newest charter before it, the steps it has confirmed by charter, and what it refused. */
  readonly draft: Draft | null
  readonly confirmed: ReadonlyMap<string, ReadonlySet<number>>
  readonly refusals: readonly Refusal[]
  readonly attempts: readonly Attempt[]
  readonly trouble: readonly Trouble[]
  /** Steps of sub-teams that will not be done: their money may go back to the steps that they were part of. */
  readonly dropped: ReadonlySet<number>
  readonly conclusions: number
  readonly concluded: string | null
  readonly closed: boolean
}

export const emptyFloor: Floor = {
  head: 0,
  notes: new Set(),
  spokenAt: 0,
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
  sealed: 0,
  recorded: 0,
  recordedAt: 0,
  withdrawals: 0,
  withdrawn: null,
  draft: null,
  confirmed: new Map(),
  refusals: [],
  attempts: [],
  trouble: [],
  dropped: new Set(),
  conclusions: 0,
  concluded: null,
  closed: false,
}

export type Cast = { readonly principal: string; readonly server: string; readonly client: string }

export const castOf = (offer: GoalOffer, principal: string, server: string): Cast => ({ principal, server, client: offer.client_id })

const textOf = (envelope: DeliveredEnvelope): string =>
  envelope.parts
    .map((part) => part.text ?? '')
    .filter(Boolean)
    .join('\n')
const string = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Takes the next message of the room; one seen before changes nothing. */
export function foldFloor(floor: Floor, envelope: DeliveredEnvelope, cast: Cast): Floor {
  if (envelope.seq <= floor.head) return floor
  const next = { ...floor, head: envelope.seq }
  const at = Date.parse(envelope.received_at)
  if (envelope.sender_id === cast.server) return foldServer(next, envelope, at)
  if (envelope.sender_id === cast.principal) return foldOwn({ ...next, spokenAt: at }, envelope, at)
  if (envelope.sender_id === cast.client) return foldClient(next, envelope)
  return foldMember(next, envelope)
}

function foldOwn(floor: Floor, envelope: DeliveredEnvelope, at: number): Floor {
  const note = findMessageData(envelope, 'note')
  const noted = note ? { ...floor, notes: new Set([...floor.notes, string(note.key)]) } : floor
  switch (readSpeechAct(envelope.type)) {
    case 'propose':
      return foldProposal(noted, envelope, at)
    case 'sync_task_assignment':
    case 'async_task_assignment': {
      const data = findMessageData(envelope, 'task')
      const step = typeof data?.step === 'number' ? data.step : 0
      const task_id = envelope.task_id ?? ''
      const agent = floor.charter?.steps.find((one) => one.step === step)?.sender_id ?? ''
      if (floor.attempts.some((attempt) => attempt.task_id === task_id)) return noted
      return {
        ...noted,
        attempts: [...noted.attempts, { task_id, step, agent, status: 'open', artifacts: [], text: '', seq: envelope.seq }],
      }
    }
    case 'task_result':
    case 'error':
      return foldMember(noted, envelope)
    case 'conclusion':
      return { ...noted, conclusions: noted.conclusions + 1, concluded: string(findMessageData(envelope, 'conclusion')?.outcome) }
    default: {
      const seal = findMessageData(envelope, 'charter.seal')
      if (seal && typeof seal.version === 'number') return { ...noted, sealed: seal.version }
      return note?.asks === true ? { ...noted, asked: noted.asked + 1, waitingForClient: true } : noted
    }
  }
}

function foldProposal(floor: Floor, envelope: DeliveredEnvelope, at: number): Floor {
  const data = findMessageData(envelope, 'charter')
  const parsed = Charter.safeParse(data?.charter)
  if (!data || !parsed.success) return floor
  const charter = parsed.data
  const members = new Set(charter.steps.map((step) => step.sender_id))
  const before = floor.charter ? new Set(floor.charter.steps.map((step) => step.sender_id)) : new Set<string>()
  // Who neither signed nor refused, and is not asked again, did not answer.
  const silent = [...before].filter(
    (did) =>
      did !== envelope.sender_id &&
      !members.has(did) &&
      !floor.accepted.has(did) &&
      !floor.declined.has(did) &&
      floor.recorded !== floor.charter?.version,
  )
  return {
    ...floor,
    charter,
    charterHash: string(data.charter_hash),
    ownHash: string(data.charter_hash),
    proposedSeq: envelope.seq,
    proposedAt: at,
    accepted: new Set(),
    declined: new Map(),
    waitingForClient: false,
    trouble: [
      ...floor.trouble,
      ...silent.map((agent): Trouble => ({ agent, kind: 'silent', reason: 'It did not answer the invitation.' })),
    ],
  }
}

function foldClient(floor: Floor, envelope: DeliveredEnvelope): Floor {
  const text = textOf(envelope).trim()
  if (floor.asked === 0 || floor.charter || text === '') return floor
  return { ...floor, answers: [...floor.answers, text], waitingForClient: false }
}

function foldMember(floor: Floor, envelope: DeliveredEnvelope): Floor {
  const { sender_id } = envelope
  switch (readSpeechAct(envelope.type)) {
    case 'accept':
      return findMessageData(envelope, 'charter.accept')?.charter_hash === floor.charterHash
        ? { ...floor, accepted: new Set([...floor.accepted, sender_id]) }
        : floor
    case 'decline': {
      const reason = textOf(envelope) || 'It declined.'
      return {
        ...floor,
        declined: new Map([...floor.declined, [sender_id, reason]]),
        trouble: [...floor.trouble, { agent: sender_id, kind: 'declined', reason }],
      }
    }
    case 'task_result':
      return ended(floor, envelope.task_id, sender_id, (attempt) => ({
        ...attempt,
        status: 'completed',
        artifacts: envelope.parts.flatMap((part) => part.artifact ?? []),
        text: textOf(envelope),
        seq: envelope.seq,
      }))
    case 'error': {
      const reason = textOf(envelope) || 'It gave no reason.'
      const failed = ended(floor, envelope.task_id, sender_id, (attempt) => ({
        ...attempt,
        status: 'failed',
        text: reason,
        seq: envelope.seq,
      }))
      return failed === floor ? floor : { ...failed, trouble: [...failed.trouble, { agent: sender_id, kind: 'failed', reason }] }
    }
    default:
      return floor
  }
}

function ended(floor: Floor, task_id: string | undefined, agent: string, change: (attempt: Attempt) => Attempt): Floor {
  const index = floor.attempts.findIndex((attempt) => attempt.task_id === task_id && attempt.agent === agent && attempt.status === 'open')
  const attempt = floor.attempts[index]
  return attempt ? { ...floor, attempts: floor.attempts.with(index, change(attempt)) } : floor
}

function foldServer(floor: Floor, envelope: DeliveredEnvelope, at: number): Floor {
  const data = envelope.parts.find((part) => part.data)?.data ?? {}
  switch (data.kind) {
    case 'charter.carried': {
      const members = Array.isArray(data.members) ? data.members.map(string) : []
      return data.charter_hash === floor.charterHash ? { ...floor, accepted: new Set([...floor.accepted, ...members]) } : floor
    }
    case 'charter.amended': {
      const amended = Charter.safeParse(data.charter)
      return amended.success ? amend(floor, amended.data, string(data.charter_hash), envelope.seq, at) : floor
    }
    case 'charter.withdrawn':
      return withdraw(floor, data)
    case 'steps.dropped': {
      const numbers = Array.isArray(data.dropped) ? data.dropped.filter((one) => typeof one === 'number') : []
      return { ...floor, dropped: new Set([...floor.dropped, ...numbers]) }
    }
    case 'charter.recorded':
      return typeof data.version === 'number' ? { ...floor, recorded: data.version, recordedAt: at } : floor
    case 'task.expired': {
      const attempt = floor.attempts.find((one) => one.task_id === data.task_id && one.status === 'open')
      if (!attempt) return floor
      const reason = 'It fell silent in the middle of its step.'
      return {
        ...floor,
        attempts: floor.attempts.map((one) => (one === attempt ? { ...one, status: 'expired', text: reason, seq: envelope.seq } : one)),
        trouble: [...floor.trouble, { agent: attempt.agent, kind: 'expired', reason }],
      }
    }
    case 'charter.submitted':
    case 'charter.confirmed':
    case 'charter.refused':
      return foldDraft(floor, data)
    case 'hold.captured':
    case 'hold.voided':
    case 'goal.stopped':
    case 'goal.closed':
      return { ...floor, closed: true }
    default:
      return floor
  }
}

/** The last attempt at a step: where the step stands. */
export const attemptOf = (floor: Floor, step: number): Attempt | undefined => floor.attempts.findLast((attempt) => attempt.step === step)

export const isDone = (floor: Floor, step: number): boolean => attemptOf(floor, step)?.status === 'completed'

/** Members of the charter who have yet to sign. The principal signs by proposing. */
export function unsigned(floor: Floor): string[] {
  const { charter } = floor
  if (!charter) return []
  return [...new Set(ownSteps(charter).map((step) => step.sender_id))].filter(
    (did) => did !== charter.principal_id && !floor.accepted.has(did),
  )
}

/** The files of the newest done step that makes a type. */
export function outputOf(floor: Floor, type: string): ArtifactRef | undefined {
  for (const step of floor.charter?.steps.toReversed() ?? []) {
    const attempt = attemptOf(floor, step.step)
    const artifact = attempt?.status === 'completed' ? attempt.artifacts.find((one) => one.artifact_type === type) : undefined
    if (artifact) return artifact
  }
  return undefined
}
