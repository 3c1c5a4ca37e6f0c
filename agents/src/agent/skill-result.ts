/** From a handler's result or error to the command that reports it. */
import type { ArtifactUpload, Problem } from '@parley/protocol'
import { type ArtifactFile, toArtifactUpload } from '../artifact.ts'
import { ProblemError } from '../errors.ts'
import type { SkillResult } from './skill.ts'

/** Refusals that say that the task, call or team is settled, or not this agent's. There is nothing left to report. */
const settledCodes = new Set<Problem['code']>([
  'call.not_agent',
  'call.not_found',
  'call.wrong_state',
  'goal.not_found',
  'goal.wrong_state',
  'room.concluded',
  'room.not_member',
  'task.lease_expired',
  'task.not_assignee',
  'task.not_found',
  'task.wrong_state',
  'team.charter_changed',
  'team.not_member',
  'team.wrong_state',
])

/** Sends a command. False if the server reports that its subject is settled, or not this agent's. @throws {ProblemError} any other refusal */
export async function sendUnlessSettled(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    if (error instanceof ProblemError && settledCodes.has(error.code)) return false
    throw error
  }
}

/**
 * The files of a result, and the text beside them.
 * @param firstOutput artifact type of a result that is a string; `text.plain` if undefined
 */
export function filesOf(result: SkillResult, firstOutput: string | undefined): { files: readonly ArtifactFile[]; text: string } {
  if (typeof result !== 'string') return { files: result.artifacts, text: result.text ?? '' }
  const artifact_type = firstOutput ?? 'text.plain'
  const name = `${artifact_type.replaceAll('.', '-')}.txt`
  return { files: [{ name, media_type: 'text/plain', artifact_type, content: result }], text: '' }
}

/** @param firstOutput artifact type of a result that is a string; `text.plain` if undefined */
export function toUploads(result: SkillResult, firstOutput: string | undefined): { artifacts: ArtifactUpload[]; text: string } {
  const { files, text } = filesOf(result, firstOutput)
  return { artifacts: files.map(toArtifactUpload), text }
}

/** The error's message, at most 1,000 characters. */
export function failureReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text || 'The skill failed without a reason.').slice(0, 1_000)
}
