/** How a small agent answers a task of a team, and a direct call. */

import { sendUnlessSettled } from '../agent/skill-result.ts'
import { messageSenderInvalid } from '../errors.ts'
import type { AgreedTerms } from './device-store.ts'
import { hasFields } from './read-frame-without-schema.ts'
import { fieldText, readSmallInputs, type SmallMessage } from './small-message.ts'
import type { SmallSession } from './small-session.ts'
import type { SmallWork } from './small-work.ts'

/**
 * A task of a team. `terms`: what the agent agreed to in this room.
 * @throws {ProblemError} `session.sender_invalid` if another member than the lead assigned it
 */
export function taskWork(session: SmallSession, terms: AgreedTerms | undefined, { room_id, sender_id, data }: SmallMessage): SmallWork {
  if (terms && terms.lead !== sender_id) throw messageSenderInvalid(sender_id, terms.lead)
  const task_id = fieldText(data.task_id)
  const inRoom = (type: string, parts: readonly object[]) =>
    session.sign(room_id, { state: 'execution', type, task_id, parts: parts as never })
  const renew = () => sendUnlessSettled(() => session.send({ type: 'task.progress', task_id }))
  return {
    id: task_id,
    skill_id: fieldText(data.skill_id),
    inputs: readSmallInputs(data.inputs),
    output: terms?.outputs[String(data.step)],
    renew,
    async begin() {
      if (!(await renew())) return false
      if (terms) return true
      await this.fail('This device has lost the terms of the team.')
      return false
    },
    async progress(text, done) {
      const parts = [{ text }, ...(done === undefined ? [] : [{ data: { kind: 'progress', done } }])]
      const envelope = await inRoom('task_progress', parts)
      await sendUnlessSettled(() => session.send({ type: 'task.progress', task_id, text, done, envelope }))
    },
    fetchFile: async (sha256) => contentOf(await session.send({ type: 'artifact.get', room_id, sha256 })),
    async complete(files, text) {
      const parts = [...(text ? [{ text }] : []), ...files.map(({ ref }) => ({ artifact: ref }))]
      const envelope = await inRoom('task_result', parts)
      const artifacts = files.map(({ upload }) => upload)
      await sendUnlessSettled(() => session.send({ type: 'task.complete', task_id, artifacts, text, envelope }))
    },
    async fail(reason) {
      const envelope = await inRoom('error', [{ text: reason }])
      await sendUnlessSettled(() => session.send({ type: 'task.fail', task_id, reason, envelope }))
    },
  }
}

/** A direct call. Its answer is not a message in a room, so it needs no signature. */
export function callWork(session: SmallSession, data: SmallMessage['data']): SmallWork {
  const call_id = fieldText(data.call_id)
  return {
    id: call_id,
    skill_id: fieldText(data.skill_id),
    inputs: readSmallInputs(data.inputs),
    output: Array.isArray(data.outputs) ? fieldText(data.outputs[0]) : undefined,
    async begin() {
      // After a crash the call is delivered again, so the server is asked whether it is still open.
      const answer = await session.send({ type: 'call.get', call_id })
      return hasFields(answer) && hasFields(answer.call) && answer.call.state === 'requested'
    },
    progress: async () => undefined,
    async fetchFile(sha256) {
      const answer = await session.send({ type: 'call.get', call_id, sha256 })
      return hasFields(answer) ? contentOf(answer.file) : ''
    },
    complete: (files, text) =>
      sendUnlessSettled(() => session.send({ type: 'call.answer', call_id, artifacts: files.map(({ upload }) => upload), text })),
    fail: (reason) => sendUnlessSettled(() => session.send({ type: 'call.decline', call_id, reason })),
  }
}

const contentOf = (answer: unknown): string => (hasFields(answer) ? fieldText(answer.content) : '')
