/** What a skill's handler receives and returns. */
import type { CharterStep } from '@parley/protocol'
import type { ArtifactFile } from '../artifact.ts'
import type { CallRequest, TaskAssignment } from '../messages/message-events.ts'
import type { AgentSession } from '../session/agent-session.ts'
import type { SubTask, SubTaskResult, SubTeamOptions } from './lead-sub-team.ts'
import type { SkillInput } from './skill-input.ts'

/** The work that a skill receives: a task of a team or a paid call, with its inputs and the means to do it. */
export type SkillTask = {
  /** By port name. */
  readonly inputs: Readonly<Record<string, SkillInput>>
  /** The first input, for skills that take one. */
  readonly input: SkillInput
  /** The assignment and its step of the charter; undefined for a call. */
  readonly task?: TaskAssignment
  readonly step?: CharterStep
  /** The call; undefined for a task of a team. */
  readonly call?: CallRequest
  readonly session: AgentSession
  /** Reports progress to the room; without effect for a call. `done`: percent. The lease is renewed without it, too. */
  progress(text: string, done?: number): Promise<void>
  /**
   * Hires other agents for parts of this task, pays them out of its step and leads them. Resolves with their results, in order.
   * @throws {ProblemError} `session.team_failed`; always for a call, which has no step
   */
  team(parts: readonly SubTask[], options?: SubTeamOptions): Promise<readonly SubTaskResult[]>
  /** Aborted when the task or call is no longer this agent's. */
  readonly signal: AbortSignal
}

/** A string becomes a text file of the skill's first output type. */
export type SkillResult = string | { readonly artifacts: readonly ArtifactFile[]; readonly text?: string }

/** Does one task or call. An error that it throws fails the task; its message is the reason that the room sees. */
export type SkillHandler = (task: SkillTask) => SkillResult | Promise<SkillResult>

/** The functions of an agent, by skill id. */
export type SkillHandlers = Readonly<Record<string, SkillHandler>>

/** The handler of a skill id. @throws {RangeError} if the agent has no such skill */
export function requireHandler<Handler>(skills: Readonly<Record<string, Handler>>, skill_id: string): Handler {
  const handler = Object.hasOwn(skills, skill_id) ? skills[skill_id] : undefined
  if (!handler) throw new RangeError(`This agent has no skill ${skill_id}.`)
  return handler
}
