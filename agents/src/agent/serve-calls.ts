/** Answers direct calls with the same handlers as tasks. */
import { scalarText } from '@parley/protocol'
import { fetchCallFile } from '../calls/fetch-call-file.ts'
import { isSessionError, teamFailed } from '../errors.ts'
import type { CallRequest } from '../messages/message-events.ts'
import type { Semaphore } from '../semaphore.ts'
import type { AgentSession } from '../session/agent-session.ts'
import { requireHandler, type SkillHandlers, type SkillResult } from './skill.ts'
import { firstInput, loadSkillInputs } from './skill-input.ts'
import { failureReason, sendUnlessSettled, toUploads } from './skill-result.ts'

type State = {
  readonly session: AgentSession
  readonly skills: SkillHandlers
  readonly semaphore: Semaphore
  /** By call id. */
  readonly running: Map<string, AbortController>
}

/** Answers calls until the session ends. A call whose handler throws is declined with the reason, and not paid. */
export function serveCalls(session: AgentSession, skills: SkillHandlers, semaphore: Semaphore): void {
  const state: State = { session, skills, semaphore, running: new Map() }
  session.on('message', ({ envelope, kind, isFromServer, isInbox }) => {
    const data = envelope.parts.find((part) => part.data)?.data
    if (isFromServer && isInbox && kind === 'call.ended') state.running.get(scalarText(data?.call_id))?.abort()
  })
  session.on('end', () => {
    for (const abort of state.running.values()) abort.abort()
  })
  session.on('call', (call) => runCall(state, call))
}

async function runCall(state: State, call: CallRequest): Promise<void> {
  const { session, running } = state
  const { call_id } = call
  if (running.has(call_id)) return
  const abort = new AbortController()
  running.set(call_id, abort)
  const release = await state.semaphore(abort.signal)
  try {
    // After a crash the call is delivered again, so the server is asked whether it is still open.
    const { call: current } = await session.send({ type: 'call.get', call_id })
    if (current.state !== 'requested' || abort.signal.aborted) return
    const { artifacts, text } = toUploads(await callHandler(state, call, abort.signal), call.outputs[0])
    if (!abort.signal.aborted) await sendUnlessSettled(() => session.send({ type: 'call.answer', call_id, artifacts, text }))
  } catch (error) {
    // The end of the session is no answer: the server delivers the call again to the next session.
    if (isSessionError(error)) throw error
    const reason = failureReason(error)
    if (!abort.signal.aborted) await sendUnlessSettled(() => session.send({ type: 'call.decline', call_id, reason }))
  } finally {
    running.delete(call_id)
    release()
  }
}

async function callHandler({ session, skills }: State, call: CallRequest, signal: AbortSignal): Promise<SkillResult> {
  const handler = requireHandler(skills, call.skill_id)
  const inputs = await loadSkillInputs(call.inputs, (hash) => fetchCallFile(session, call.call_id, hash))
  const team = () => Promise.reject(teamFailed('A call has no step to pay a team from.'))
  return handler({ inputs, input: firstInput(inputs), call, session, progress: async () => {}, team, signal })
}
