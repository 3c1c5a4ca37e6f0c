import { setTimeout as pause } from 'node:timers/promises'
import { restMs, type Stage } from './fault-stages.ts'
import type { Client } from './load-client.ts'

/** Rooms with large messages: those of the slow readers and of those that pause, which are the first agents. */
export const largeMessageRooms = (stage: Stage) => Math.ceil((stage.slow + stage.paused) / stage.members)
const pausedOf = (clients: readonly Client[], stage: Stage) => clients.slice(stage.slow, stage.slow + stage.paused)

/** More than the socket buffers of both sides hold, which is about four megabytes. */
const burstBytes = 8_000_000
const burstMs = 5_000
/** A busy machine takes longer. The limit ends the test if no agent can post. */
const longestBurstMs = 30_000
const welcomeMs = 1_000
/** The thirty seconds after which the hub disconnects a reader that reads nothing, and a margin. */
const slowReaderTimeoutMs = 35_000
/** Then they read again and find that they were disconnected. */
const resumeMs = 3_000

/** Some readers stop reading while their rooms post more than a socket buffer holds, without other faults. Takes `restMs` or longer. */
export async function overflowPausedReaders(clients: readonly Client[], stage: Stage): Promise<void> {
  const end = performance.now() + restMs
  const paused = pausedOf(clients, stage)
  // On a new connection, because the kernel gives a fast connection a much larger buffer.
  for (const client of paused) client.reconnectWithoutReading()
  await pause(welcomeMs)
  const rooms = [...Map.groupBy(clients, (client) => client.actor.roomId).values()].filter((room) =>
    room.some((one) => paused.includes(one)),
  )
  await Promise.all(
    rooms.map((room) =>
      postBurst(
        room.filter((one) => !paused.includes(one)),
        stage,
      ),
    ),
  )
  await pause(slowReaderTimeoutMs)
  for (const client of paused) client.read(true)
  await pause(Math.max(resumeMs, end - performance.now()))
}

/** Posts more in a room than a socket buffer holds, as fast as the acks allow. */
async function postBurst(senders: readonly Client[], stage: Stage): Promise<void> {
  const burst = Math.ceil(burstBytes / Math.max(1, stage.largeMessageBytes))
  const countSent = () => senders.reduce((sum, one) => sum + one.sent.length, 0)
  const [before, late] = [countSent(), performance.now() + longestBurstMs]
  for (let turn = 0; countSent() - before < burst && performance.now() < late; turn++) {
    await senders[turn % Math.max(1, senders.length)]?.postNext()
    await pause(burstMs / burst)
  }
}

/** The continuous disturbances. The first agents are the slow readers and those that pause. */
export function disturbAgents(clients: readonly Client[], stage: Stage, random: () => number): { end(): void } {
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
    ...(stage.abandonedConnections > 0 ? [each(stage.ms / (stage.abandonedConnections + 1), () => any()?.abandonConnection())] : []),
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
