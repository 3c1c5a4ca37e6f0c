/** Failures that a caller can expect. Everything else thrown here is a bug. */
import type { Problem } from '@parley/protocol'

/** The server, or this library before it asked, refused. Branch on `code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.hint ? `${problem.detail} ${problem.hint}` : problem.detail)
    this.problem = problem
  }
  get code(): string {
    return this.problem.code
  }
  get retry(): Problem['retry'] {
    return this.problem.retry
  }
}

function local(code: string, retry: Problem['retry'], detail: string, facts?: Record<string, unknown>): ProblemError {
  const title = code.replace('.', ': ').replaceAll('_', ' ')
  return new ProblemError({ type: `/problems/${code}`, title, status: 0, detail, code, retry, ...(facts && { facts }) })
}

/** Codes of this library, which never travel. */
export const sessionClosed = () => local('session.closed', 'never', 'The session is closed.')
export const sessionFenced = () => local('session.fenced', 'never', 'A newer connection of the same key has taken over.')
export const sessionBusy = (waiting: number) =>
  local('session.busy', 'later', `${waiting} commands are unanswered already; wait for some of them.`, { waiting })
export const frameTooLarge = (bytes: number, allowed: number) =>
  local('session.frame_too_large', 'after-change', `The command takes ${bytes} bytes, a frame carries ${allowed}.`, { bytes, allowed })
export const serverChanged = (expected: string, actual: string) =>
  local('session.server_changed', 'never', `The server proves to be ${actual}, not ${expected}.`, { expected, actual })
export const roomUnknown = (what: string) =>
  local('session.room_unknown', 'after-change', `The room of ${what} is not known to this session: give its group_id.`, { what })
export const charterUnknown = (group_id: string) =>
  local('session.charter_unknown', 'later', `No charter stands in ${group_id} yet.`, { group_id })
export const stepUnknown = (step: number, group_id: string) =>
  local('session.step_unknown', 'after-change', `The charter of ${group_id} has no step ${step}.`, { step, group_id })
export const replayStalled = (group_id: string, seq: number) =>
  local('session.replay_stalled', 'later', `${group_id} did not go on at message ${seq}. Is this agent still a member?`, { group_id, seq })
export const artifactDiffers = (expected: string, actual: string) =>
  local('session.artifact_differs', 'never', `The server answered with other bytes than were asked for.`, { expected, actual })
export const signatureInvalid = (group_id: string, seq: number) =>
  local('envelope.signature_invalid', 'never', `Message ${seq} of ${group_id} is not signed by its sender; it was left out.`, {
    group_id,
    seq,
  })
export const messageUnreadable = (group_id: string, seq: number, reason: string) =>
  local('session.message_unreadable', 'never', `Message ${seq} of ${group_id} can't be read: ${reason}`, { group_id, seq })
export const messageQuarantined = (group_id: string, seq: number) =>
  local(
    'session.message_quarantined',
    'later',
    `Message ${seq} of ${group_id} can't be delivered by the server just now; it was passed by.`,
    {
      group_id,
      seq,
    },
  )
export const channelMisquoted = (channel_id: string) =>
  local('session.channel_misquoted', 'never', 'The server asks to sign something else than the channel that was asked for.', { channel_id })
export const channelNotOpen = (channel_id: string, state: string) =>
  local('session.channel_not_open', 'after-change', `The channel did not open, it is ${state}: does the wallet hold the deposit?`, {
    channel_id,
    state,
  })
export const teamFailed = (why: string) => local('session.team_failed', 'after-change', why)
