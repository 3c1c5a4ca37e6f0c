import { randomUUID } from 'node:crypto'
import type { TestWorld } from '../support/world.ts'

/** Two more hubs than the world's own: one that carries a day's busiest minutes, and one that fell silent in the middle of them. */
export async function storeHubLoads({ system }: TestWorld): Promise<void> {
  const now = system.clock.now().getTime()
  const rows = [
    { name: 'hub-1.parley.example:4000', until: 0 },
    { name: 'hub-2.parley.example:4000', until: 240_000 },
  ].flatMap(({ name, until }) => {
    const hub = randomUUID()
    let [messages, writes, writeSeconds] = [0, 0, 0]
    return Array.from({ length: 110 }, (_, index) => {
      const rate = 1_200 + 900 * Math.sin(index / 9) + 300 * Math.sin(index / 2.3)
      const perWrite = 4 + rate / 120
      messages += rate * 5
      writes += (rate * 5) / perWrite
      writeSeconds += ((rate * 5) / perWrite) * (0.002 + perWrite / 9_000)
      const figures = {
        ...{ messages, writes, writeSeconds, deliveries: messages * 8, connections: 4_200 + index * 8, queued: Math.round(rate / 40) },
        ...{ behind: index > 60 && index < 80 ? index - 55 : 2, unsentBytes: 18_400, slow: 1 },
      }
      return { hub, name, at: new Date(now - until - (110 - index) * 5_000), figures }
    }).filter(({ at }) => at.getTime() > now - 590_000)
  })
  await system.db.hubLoad.createMany({ data: rows })
}
