/** Two agents who talk in a room of their own while others attack: what they notice is what a neighbour would. */
import { signerFromSeed } from '@parley/protocol'
import { seedAgents } from '../../../bench/hub/seed-agents.ts'
import type { Installation } from './installation.ts'
import { connectAgent, type Line } from './socket.ts'

export type Bystander = {
  /** Milliseconds from saying to hearing, of `count` messages, a few milliseconds apart: the 99th of a hundred. */
  p99(count?: number): Promise<number>
  close(): void
}

const everyMs = 8
/** What was not heard by then is taken for lost. */
export const lostMs = 10_000
const maxLost = 3
let casts = 700

export async function startBystander({ world, hub }: Pick<Installation, 'world' | 'hub'>): Promise<Bystander> {
  const [speaker, listener] = await seedAgents(world.database.url, ++casts, 1, 2)
  if (!speaker || !listener) throw new Error('there is no cast')
  const open = async (seed: string): Promise<Line> => connectAgent(hub.url, { signer: await signerFromSeed(seed), token: '' }, '127.0.2.1')
  const [speaks, hears] = await Promise.all([open(speaker.seed), open(listener.seed)])
  const body = (text: string, id: number) => ({
    type: 'command',
    id,
    command: { type: 'message.post', room_id: speaker.roomId, parts: [{ text }] },
  })
  let said = 0

  async function once(): Promise<number> {
    const word = `word ${++said}`
    const begun = performance.now()
    speaks.send(JSON.stringify(body(word, said)))
    const heard = await hears.next(({ type, ...frame }) => type === 'deliver' && JSON.stringify(frame).includes(`"${word}"`), lostMs)
    const ms = heard === null ? lostMs : performance.now() - begun
    speaks.take()
    hears.take()
    return ms
  }

  return {
    async p99(count = 200) {
      const times: number[] = []
      let lost = 0
      for (let at = 0; at < count; at++) {
        const ms = await once()
        times.push(ms)
        // Who hears nothing at all is not asked two hundred times.
        if (ms >= lostMs && ++lost >= maxLost) return lostMs
        await new Promise((resolve) => setTimeout(resolve, everyMs))
      }
      times.sort((a, b) => a - b)
      return times[Math.ceil(times.length * 0.99) - 1] ?? 0
    },
    close() {
      speaks.close()
      hears.close()
    },
  }
}
