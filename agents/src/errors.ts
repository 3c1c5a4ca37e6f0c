/** Expected failures of this library. Any other error it throws is a bug. */
import type { Problem } from '@parley/protocol'

/** The server refused a command, or this library refused it before sending. Branch on `code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.hint ? `${problem.detail} ${problem.hint}` : problem.detail)
    this.problem = problem
  }
  /** For example `task.wrong_state` of the server, or `session.closed` of this library. */
  get code(): string {
    return this.problem.code
  }
  /** Whether the same command may succeed later, after a change, or never. */
  get retry(): Problem['retry'] {
    return this.problem.retry
  }
}

/** Codes `session.*` come from this library. They never travel on the wire. */
export function isSessionError(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.code.startsWith('session.')
}

function local(code: string, retry: Problem['retry'], detail: string, facts?: Record<string, unknown>): ProblemError {
  const title = code.replace('.', ': ').replaceAll('_', ' ')
  return new ProblemError({ type: `/problems/${code}`, title, status: 0, detail, code, retry, ...(facts && { facts }) })
}

/** `session.closed`: a call after `close()`. */
export const sessionClosed = () => local('session.closed', 'never', 'The session is closed. Open a new one.')

/** `session.fenced`: another process connected with the same key. Do not reconnect. */
export const sessionFenced = () =>
  local('session.fenced', 'never', 'A newer connection with the same key replaced this session. Run one process per key.')

/** `session.busy`: too many commands or bytes wait for an answer. `waiting`: their number. */
export const sessionBusy = (waiting: number) =>
  local('session.busy', 'later', `${waiting} commands wait for an answer. Wait until some are answered.`, { waiting })

/** `session.frame_too_large`: nothing was sent. Sizes in bytes. */
export const frameTooLarge = (bytes: number, allowed: number) =>
  local('session.frame_too_large', 'after_change', `The command has ${bytes} bytes. The maximum of a frame is ${allowed}. Shorten it.`, {
    bytes,
    allowed,
  })

/** `session.server_changed`: the server has another key than expected. Arguments are DIDs. */
export const serverChanged = (expected: string, actual: string) =>
  local('session.server_changed', 'never', `The server identifies as ${actual}, not as ${expected}. Check its address.`, {
    expected,
    actual,
  })

/** `session.room_unknown`: the session cannot infer the room of a command. `subject`: the id that it names. */
export const roomUnknown = (subject: string) =>
  local('session.room_unknown', 'after_change', `This session does not know the room of ${subject}. Pass its room_id.`, { what: subject })

/** `session.seed_invalid`: the key of an agent is not a seed of Ed25519. */
export const seedInvalid = () =>
  local('session.seed_invalid', 'after_change', 'The seed of a key is 64 hexadecimal digits. Nothing was sent.')

/** `session.address_invalid`: no hub can be reached at this address. */
export const addressInvalid = (url: string) =>
  local('session.address_invalid', 'after_change', `${url} is not the address of a hub. Write it as http://host:4000.`, { url })

/** `session.storage_missing`: the engine has no `localStorage`, and the program gave no storage. */
export const storageMissing = () =>
  local('session.storage_missing', 'after_change', 'A small agent needs a storage that survives a restart. Pass it as `storage`.')

/** `session.hub_unreachable`: an HTTP request got no answer of a hub. `reason`: a sentence. */
export const hubUnreachable = (url: string, reason: string) =>
  local('session.hub_unreachable', 'later', `The hub at ${url} did not answer. ${reason}`, { url })

/** `session.sender_invalid`: reported, not thrown. A task that another member than the lead assigned was skipped. Arguments are DIDs. */
export const messageSenderInvalid = (sender: string, lead: string) =>
  local('session.sender_invalid', 'never', `${sender} assigned a task of the team that ${lead} leads. It was skipped.`, { sender, lead })

/** `session.file_too_large`: a file is larger than this agent takes. Sizes in bytes. */
export const fileTooLarge = (name: string, bytes: number, allowed: number) =>
  local('session.file_too_large', 'after_change', `The file ${name} has ${bytes} bytes. This agent takes at most ${allowed}.`, {
    bytes,
    allowed,
  })

/** `session.charter_unknown`: the command needs a charter, and the room has none yet. */
export const charterUnknown = (room_id: string) =>
  local('session.charter_unknown', 'later', `Room ${room_id} has no charter yet. Wait for one.`, { room_id })

/** `session.step_unknown`: the charter in force has no step with this number. */
export const stepUnknown = (step: number, room_id: string) =>
  local('session.step_unknown', 'after_change', `The charter of room ${room_id} has no step ${step}. Use a step of the charter.`, {
    step,
    room_id,
  })

/** `session.replay_stalled`: a replay got no next message in time. `seq`: the one that is missing. */
export const replayStalled = (room_id: string, seq: number) =>
  local(
    'session.replay_stalled',
    'later',
    `The server did not send message ${seq} of room ${room_id}. Check that this agent is still a member.`,
    {
      room_id,
      seq,
    },
  )

/** `session.artifact_differs`: a downloaded file does not have the requested hash. Arguments are SHA-256, hex. */
export const artifactDiffers = (expected: string, actual: string) =>
  local('session.artifact_differs', 'never', `The server sent a file with hash ${actual} instead of ${expected}. Do not use the file.`, {
    expected,
    actual,
  })

/** `envelope.signature_invalid`: reported, not thrown. The session skips the message. */
export const messageSignatureInvalid = (room_id: string, seq: number) =>
  local('envelope.signature_invalid', 'never', `The signature of message ${seq} in room ${room_id} is invalid. The message was skipped.`, {
    room_id,
    seq,
  })

/** `session.message_unreadable`: reported, not thrown. The session skips the message. */
export const messageUnreadable = (room_id: string, seq: number, reason: string) =>
  local('session.message_unreadable', 'never', `Message ${seq} of room ${room_id} is not a valid envelope: ${reason}`, { room_id, seq })

/** `session.message_quarantined`: the server has a dead letter in its place. It may be delivered later. */
export const messageQuarantined = (room_id: string, seq: number) =>
  local(
    'session.message_quarantined',
    'later',
    `The server cannot deliver message ${seq} of room ${room_id} now. Its placeholder was skipped.`,
    { room_id, seq },
  )

/** `session.channel_misquoted`: the quote names another channel than the requested one. Nothing was signed. */
export const channelMisquoted = (channel_id: string) =>
  local('session.channel_misquoted', 'never', 'The server asked to sign other terms than the requested channel. Nothing was signed.', {
    channel_id,
  })

/** `session.channel_not_open`: the deposit failed, or the channel closed. `state`: that of the channel. */
export const channelNotOpen = (channel_id: string, state: string) =>
  local(
    'session.channel_not_open',
    'after_change',
    `The channel did not open. Its state is ${state}. Check that the balance of the wallet covers the deposit.`,
    {
      channel_id,
      state,
    },
  )

/** `session.team_failed`: a sub-team could not be formed, or could not do its task. `reason`: a sentence. */
export const teamFailed = (reason: string) => local('session.team_failed', 'after_change', reason)
