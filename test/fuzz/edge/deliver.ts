/** Sends one case and gives back what came of it, whichever way it went. */

import type { AgentRole } from '../ground/cast.ts'
import type { Request } from '../ground/http.ts'
import { type Answer, ask } from '../ground/http.ts'
import { patience } from '../ground/slowness.ts'
import { connectAgent, type Frame, type Line } from '../ground/socket.ts'
import type { FrameRequest, Operation, Place } from '../operations/operations.ts'

export type Delivered = Answer & {
  /** What else arrived meanwhile at the agents' sockets. */
  readonly overheard: readonly { readonly role: AgentRole; readonly text: string }[]
}

const answerMs = 15_000

/** `streamMs`: how long a stream is read. */
export async function deliver(
  place: Place,
  operation: Pick<Operation, 'isStream'>,
  request: Request | FrameRequest,
  streamMs?: number,
): Promise<Delivered> {
  const options = { isStream: operation.isStream, ...(streamMs !== undefined && { streamMs }) }
  const answer = 'frame' in request ? await sendFrame(place, request) : await ask(request, options)
  return { ...answer, overheard: overheardAt(place) }
}

export function overheardAt({ lines }: Place): Delivered['overheard'] {
  return Object.entries(lines).flatMap(([role, line]) => line.take().map((text) => ({ role: role as AgentRole, text })))
}

/** The socket of an agent; a new one where the last was closed. */
export async function lineOf(place: Place, role: AgentRole): Promise<Line> {
  const known = place.lines[role]
  if (known?.isOpen()) return known
  const made = await connectAgent(place.installation.hub.url, place.scene.agents[role])
  place.lines[role] = made
  return made
}

async function sendFrame(place: Place, request: FrameRequest): Promise<Answer> {
  const begun = performance.now()
  const line = await lineOf(place, request.role)
  line.send(request.frame)
  const isAnswer = ({ type, id }: Frame) => (type === 'result' || type === 'problem') && (id === request.id || id === null)
  // A frame without an answer of its own is done when a later ping is answered.
  if (request.id === null) line.send('{"type":"ping"}')
  const frame = await line.next((one) => isAnswer(one) || (request.id === null && one.type === 'pong'), patience(answerMs))
  const ms = performance.now() - begun
  const text = JSON.stringify(frame)
  const nothing = { headers: {}, text: '', bytes: 0, ms }
  if (frame === null)
    return line.isOpen() ? { ...nothing, status: 0, fault: `no answer within ${answerMs} ms` } : { ...nothing, status: 400, text: 'closed' }
  if (frame.type !== 'problem') return { ...nothing, status: 200, text, bytes: text.length }
  const { status } = frame.problem as { status?: number }
  return { ...nothing, status: status ?? 400, text, bytes: text.length }
}

export function closeLines({ lines }: Place): void {
  for (const line of Object.values(lines)) line.close()
}
