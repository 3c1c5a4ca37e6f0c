import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'
import { restMs, type Stage } from './stages.ts'

/** Rooms whose messages are large: those of the slow readers and of those that pause, who are the first agents. */
export const loudRooms = (stage: Stage) => Math.ceil((stage.slow + stage.paused) / stage.members)
const pausedOf = (clients: readonly Client[], stage: Stage) => clients.slice(stage.slow, stage.slow + stage.paused)

/** More than the sockets' own memory on both sides takes, which is some four megabytes. */
const burstBytes = 8_000_000
const burstMs = 5_000
const welcomeMs = 1_000
/** Before the rest ends they read again, and so find that they were given up. */
const awakeMs = 3_000

/** Some readers take nothing, and their rooms say more than a socket holds; nothing else happens. */
export async function rest(clients: readonly Client[], stage: Stage): Promise<void> {
  const end = performance.now() + restMs
  const paused = pausedOf(clients, stage)
  const speakers = clients.slice(0, loudRooms(stage) * stage.members).filter((client) => !paused.includes(client))
  // By a new connection: one that has long been read quickly has been given far more memory.
  for (const client of paused) client.doze()
  await pause(welcomeMs)
  const burst = Math.ceil(burstBytes / Math.max(1, stage.loudBytes)) * loudRooms(stage)
  for (let said = 0; said < burst; said++) {
    await speakers[said % Math.max(1, speakers.length)]?.say()
    await pause(burstMs / burst)
  }
  await pause(Math.max(0, end - awakeMs - performance.now()))
  for (const client of paused) client.read(true)
  await pause(Math.max(0, end - performance.now()))
}

/** What is wrong all the while. The first agents are the slow readers and those that pause. */
export function stir(clients: readonly Client[], stage: Stage, random: () => number): { end(): void } {
  const any = () => clients[Math.floor(random() * clients.length)]
  const slow = clients.slice(0, stage.slow)
  const each = (ms: number, work: () => void) => setInterval(work, ms)
  const timers = [
    each(250, () => {
      for (const client of clients.slice(stage.slow + stage.paused)) if (random() < stage.resets) client.cut()
    }),
    each(500, () => {
      for (let count = 0; count < stage.stalls; count++) any()?.stall(1_500)
    }),
    ...(stage.vanishes > 0 ? [each(stage.ms / (stage.vanishes + 1), () => any()?.vanish())] : []),
    each(5_000, () => {
      for (const client of slow) {
        client.read(true)
        setImmediate(() => client.read(false))
      }
    }),
  ]
  return {
    end() {
      for (const timer of timers) clearInterval(timer)
      for (const client of slow) client.read(true)
    },
  }
}
