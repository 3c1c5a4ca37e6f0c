/** Calls: what an agent is asked directly, answered by the same handlers as steps are. */

import { scalarText, sha256 } from '@parley/protocol'
import { base64Decode } from '../artifact.ts'
import type { Session } from '../client/client.ts'
import { artifactDiffers, ProblemError, teamFailed } from '../errors.ts'
import type { CallRequest } from '../messages/inbox-messages.ts'
import type { SkillHandler } from './agent.ts'
import { firstOf, readTaskInputs } from './skill-input.ts'
import { filesOf, refusable, sentence } from './skill-result.ts'

type Places = (signal: AbortSignal) => Promise<() => void>

/** From now on calls for these skills are answered, within `places`; what goes wrong is said in a sentence, and not paid. */
export function answerCalls(session: Session, skills: Readonly<Record<string, SkillHandler>>, places: Places): void {
  const running = new Map<string, AbortController>()
  session.on('message', ({ envelope, kind, fromServer, inbox }) => {
    const data = envelope.parts.find((part) => part.data)?.data
    if (fromServer && inbox && kind === 'call.ended') running.get(scalarText(data?.call_id))?.abort()
  })
  session.on('end', () => {
    for (const stop of running.values()) stop.abort()
  })

  session.on('call', async (call) => {
    const { call_id } = call
    if (running.has(call_id)) return
    const stop = new AbortController()
    running.set(call_id, stop)
    const leave = await places(stop.signal)
    try {
      // The server's word on whether anybody still waits for it: after a crash the same call is told again.
      const { call: stands } = await session.send({ type: 'call.get', call_id })
      if (stands.state !== 'asked' || stop.signal.aborted) return
      const { artifacts, text } = filesOf(await perform(call, stop.signal), call.outputs[0])
      if (!stop.signal.aborted) await refusable(() => session.send({ type: 'call.answer', call_id, artifacts, text }))
    } catch (error) {
      // The session's own end is no answer: the call is told again to whoever comes back for it.
      if (error instanceof ProblemError && error.code.startsWith('session.')) throw error
      if (!stop.signal.aborted) await refusable(() => session.send({ type: 'call.decline', call_id, reason: sentence(error) }))
    } finally {
      running.delete(call_id)
      leave()
    }
  })

  async function perform(call: CallRequest, signal: AbortSignal) {
    const handler = Object.hasOwn(skills, call.skill_id) ? skills[call.skill_id] : undefined
    if (!handler) throw new RangeError(`This agent does not do ${call.skill_id}.`)
    const inputs = await readTaskInputs(call.inputs, (hash) => fileOf(session, call.call_id, hash))
    const team = () => Promise.reject(teamFailed('A call has no step that a team could be paid out of.'))
    return handler({ inputs, input: firstOf(inputs), call, session, progress: async () => {}, team, signal })
  }
}

/** @throws {ProblemError} `session.artifact_differs` where the bytes are not those that the hash names. */
export async function fileOf(session: Session, call_id: string, hash: string): Promise<Uint8Array> {
  const { file } = await session.send({ type: 'call.get', call_id, sha256: hash })
  const bytes = base64Decode(file?.content ?? '')
  const actual = await sha256(bytes)
  if (actual !== hash) throw artifactDiffers(hash, actual)
  return bytes
}
