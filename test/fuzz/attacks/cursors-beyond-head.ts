import type { Fault } from '../edge/oracles.ts'
import { ask } from '../ground/http.ts'
import { connectAgent, type Frame } from '../ground/socket.ts'
import { hubRequest, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, query, run } from './request-helpers.ts'

const beyond = [1_000, 2_147_483_647, 9_007_199_254_740_991]
let words = 0

/** Every cursor is refused, or its reader receives the messages from then on. */
async function subscribeBeyond(place: Place): Promise<Fault[]> {
  const { scene, installation } = place
  const faults: Fault[] = []
  const group = scene.goals.work.roomId
  for (const type of ['subscribe', 'ack'] as const)
    for (const more of beyond) {
      const line = await connectAgent(installation.hub.url, scene.agents.worker)
      const head = await headOf(place, group)
      const at =
        type === 'subscribe'
          ? { after: Math.min(head + more, Number.MAX_SAFE_INTEGER) }
          : { seq: Math.min(head + more, Number.MAX_SAFE_INTEGER) }
      line.send(JSON.stringify({ type, room_id: group, ...at }))
      line.send('{"type":"ping"}')
      const answer = await line.next(({ type: what }) => what === 'problem' || what === 'pong')
      let next = line
      if (type === 'ack' && answer?.type === 'pong') {
        // What was acked counts from the next connection on.
        line.close()
        next = await connectAgent(installation.hub.url, scene.agents.worker)
      }
      const word = `cursor ${++words}`
      await say(place, 'helper', group, word)
      const heard = await next.next((frame: Frame) => frame.type === 'deliver' && JSON.stringify(frame).includes(`"${word}"`), 4_000)
      if (answer?.type === 'pong' && heard === null && next.isOpen())
        faults.push(fault('a cursor beyond the head', `socket ${type}`, `taken at the head + ${more}; later messages were not delivered`))
      next.close()
      place.lines.worker?.close()
      delete place.lines.worker
    }
  return [...faults, ...(await pollBeyond(place)), ...(await readBeyond(place))]
}

/** What is refused can't be heard. */
async function say(place: Place, role: 'helper' | 'lead', room_id: string, word: string): Promise<void> {
  const { status, text } = await run(place, role, { type: 'message.post', room_id, parts: [{ text: word }] })
  if (status !== 200) throw new Error(`${role} could not speak: ${status} ${text.slice(0, 300)}`)
}

async function headOf({ installation }: Place, id: string): Promise<number> {
  const { head } = await installation.world.system.db.room.findUniqueOrThrow({ where: { id } })
  return head
}

/** The same by HTTP, whose acknowledgement is a word that only looks opaque. */
async function pollBeyond(place: Place): Promise<Fault[]> {
  const group = place.scene.goals.work.roomId
  const faults: Fault[] = []
  for (const more of beyond) {
    const ack = Buffer.from(JSON.stringify({ [group]: (await headOf(place, group)) + more })).toString('base64url')
    const answer = await ask(hubRequest(place, 'helper', 'GET', `/v1/messages?ack=${ack}&wait=0`))
    const word = `cursor ${++words}`
    await say(place, 'lead', group, word)
    const later = await ask(hubRequest(place, 'helper', 'GET', '/v1/messages?wait=1'))
    if (answer.status < 300 && later.status === 200 && !later.text.includes(word))
      faults.push(
        fault('a cursor beyond the head', 'GET /v1/messages', `ack at the head + ${more} was taken; later messages were not delivered`),
      )
  }
  return faults
}

/** Reads that answer as if such a place were in the room: who asks would wait for ever. */
async function readBeyond(place: Place): Promise<Fault[]> {
  const input = { room_id: place.scene.goals.work.roomId, after: (await headOf(place, place.scene.goals.work.roomId)) + 1_000_000 }
  const { status } = await query(place, 'client', 'conversations.list', input)
  return status === 200 ? [fault('a cursor beyond the head', 'trpc:conversations.list', 'was taken')] : []
}

export const cursors: Attack = { name: 'cursors beyond the head', run: subscribeBeyond }
