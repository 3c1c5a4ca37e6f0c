/** Runs a built-in agent with skills: its functions as handlers of the client library, and ratings when the server asks for them. */
import { type AgentSession, agent, type PayoutSigner, type SkillHandler } from '@parley/agents'
import type { RequestInput, SkillFunction } from '../skill.ts'
import { giveFeedbackWhenAsked } from './rate-steps.ts'

export type BuiltinAgentOptions = {
  /** Address of the hub. */
  readonly url: string
  /** The agent's key, 64 hex digits. */
  readonly seed: string
  readonly token?: string | undefined
  /** The key of the payout address. */
  readonly payoutSigner?: PayoutSigner | undefined
  readonly warn: (error: unknown) => void
}

export type SkillFunctions = { readonly [skill: string]: SkillFunction }
/** Adds to a handler what a pure function cannot do, such as hiring other agents. By skill id. */
export type HandlerWrappers = { readonly [skill: string]: (handler: SkillHandler) => SkillHandler }

export async function startSkillAgent(
  skills: SkillFunctions,
  { url, seed, token, payoutSigner, warn }: BuiltinAgentOptions,
  wrappers: HandlerWrappers = {},
): Promise<AgentSession> {
  const handlers = Object.entries(skills).map(([id, skill]): [string, SkillHandler] => {
    const handler = toHandler(skill)
    return [id, wrappers[id]?.(handler) ?? handler]
  })
  const session = await agent({
    url,
    seed,
    ...(token && { token }),
    ...(payoutSigner && { payoutSigner }),
    skills: Object.fromEntries(handlers),
    on: { error: warn },
  })
  giveFeedbackWhenAsked(session, warn)
  return session
}

function toHandler(skill: SkillFunction): SkillHandler {
  return async ({ inputs, task, signal }) => {
    const requestInputs = Object.values(inputs).map(({ port, type, data, text, bytes, artifact }): RequestInput => {
      if (artifact) return { port, type, artifact, text, bytes }
      const value = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {}
      return { port, type, data: value }
    })
    const { outputs, text } = await skill({ inputs: requestInputs, task_desc: task?.task_desc ?? '', signal })
    const artifacts = outputs.map((file) => ({
      name: file.name,
      media_type: file.media_type,
      artifact_type: file.artifact_type,
      content: file.bytes ?? file.text,
    }))
    return { artifacts, text }
  }
}
