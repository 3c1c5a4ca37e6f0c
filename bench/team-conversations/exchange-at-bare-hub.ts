/**
 * The reference of the flows: the bare durable hub of `bench:hub`, at which two members post in turn. Each posts as soon as it has the
 * message before. The hub writes each message before it delivers it, and checks nothing.
 */
import { openThinSocket, type ThinSocket } from '../hub/minimal-websocket-client.ts'
import { turnText } from './scripted-model.ts'

const maxMs = 30_000
/** Times that the exchange is repeated: a few messages take few milliseconds, which vary too much. */
const repetitions = 20
let rooms = 0

/** The mean time of an exchange of `messages` messages, milliseconds. `port`: of a bare durable hub. */
export async function exchangeAtBareHub(port: number, messages: number): Promise<number> {
  const last = messages * repetitions - 1
  const room = `/exchange-${++rooms}`
  const done = Promise.withResolvers<void>()
  const sockets: ThinSocket[] = []
  const post = (n: number) => sockets[n % 2]?.send(JSON.stringify({ by: n % 2, id: n, text: turnText(n) }))
  const open = (member: number) =>
    openThinSocket(port, room, {
      kindOf: () => 'other',
      needsDeliveries: () => true,
      onFrame(_kind, payload) {
        const { id } = JSON.parse(payload.toString()) as { id: number }
        if (id % 2 === member) return
        if (id === last) done.resolve()
        else post(id + 1)
      },
    })
  for (const member of [0, 1]) sockets.push(await open(member))
  const timer = setTimeout(() => done.reject(new Error(`The exchange has not ended after ${maxMs} ms.`)), maxMs)
  try {
    const start = performance.now()
    post(0)
    await done.promise
    return (performance.now() - start) / repetitions
  } finally {
    clearTimeout(timer)
    for (const socket of sockets) socket.end()
  }
}
