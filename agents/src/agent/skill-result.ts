/** What work comes to: files on their way out, or a sentence on why there are none. */
import type { ArtifactUpload, Problem } from '@parley/protocol'
import { uploadOf } from '../artifact.ts'
import { ProblemError } from '../errors.ts'
import type { SkillResult } from './agent.ts'

/** Problems that say that the question is settled already, or not ours: nothing to report, nothing to repeat. */
const settled = new Set<Problem['code']>([
  'call.not_agent',
  'call.not_found',
  'call.wrong_state',
  'goal.not_found',
  'goal.wrong_state',
  'group.concluded',
  'group.not_member',
  'task.lease_ended',
  'task.not_assignee',
  'task.not_found',
  'task.wrong_state',
  'team.charter_changed',
  'team.not_member',
  'team.wrong_state',
])

/** False where the server says that it is too late, or not ours to say. */
export async function refusable(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (error instanceof ProblemError && settled.has(error.code)) return false
    throw error
  }
}

/** A text is a file of the first type that was promised. */
export function filesOf(result: SkillResult, firstOutput: string | undefined): { artifacts: ArtifactUpload[]; text: string } {
  if (typeof result !== 'string') return { artifacts: result.artifacts.map(uploadOf), text: result.text ?? '' }
  const artifact_type = firstOutput ?? 'text.plain'
  const name = `${artifact_type.replaceAll('.', '-')}.txt`
  return { artifacts: [uploadOf({ name, media_type: 'text/plain', artifact_type, content: result })], text: '' }
}

export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text || 'The work failed for a reason that was not given.').slice(0, 1_000)
}
