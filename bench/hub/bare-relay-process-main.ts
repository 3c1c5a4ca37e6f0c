// The upper limit: a relay that stores nothing, checks nothing, and sends one write per member and turn.
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

const rooms = new Map<string, Set<Duplex>>()
const waiting = new Map<string, Buffer[]>()
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer()

function frame(payload: Buffer): Buffer {
  const head = payload.length < 65_536 ? Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]) : Buffer.alloc(0)
  return Buffer.concat([head, payload])
}

function flush(): void {
  for (const [room, frames] of waiting) {
    const chunk = Buffer.concat(frames)
    for (const member of rooms.get(room) ?? []) member.write(chunk)
  }
  waiting.clear()
}

server.on('upgrade', (request, socket, head) => {
  const room = request.url ?? ''
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const there = rooms.get(room) ?? new Set()
    rooms.set(room, there.add(socket))
    webSocket.on('message', (data: Buffer) => {
      if (waiting.size === 0) setImmediate(flush)
      const list = waiting.get(room) ?? []
      waiting.set(room, list)
      list.push(frame(data))
    })
    webSocket.on('close', () => there.delete(socket))
    webSocket.on('error', () => there.delete(socket))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
process.on('disconnect', () => process.exit(0))
