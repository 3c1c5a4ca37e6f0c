/** A proxy between agents and the hub that counts the traffic with frame headers, and keeps the payloads. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The traffic of one direction of a connection. `payloads`: of its frames, unmasked, in order. */
export type TrafficDirection = { readonly to: 'hub' | 'agent'; bytes: number; readonly payloads: Buffer[] }

export type TrafficProxy = AsyncDisposable & {
  readonly url: string
  /** Resets the counters. */
  begin(): void
  /** The traffic since then, once no more arrives. */
  end(): Promise<readonly TrafficDirection[]>
}

const quietMs = 150

export async function openTrafficProxy(hubUrl: string): Promise<TrafficProxy> {
  const { hostname, port } = new URL(hubUrl)
  const traffic = new Set<TrafficDirection>()
  const sockets = new Set<Socket>()
  let passedAt = 0
  const pass = (from: Socket, on: Socket, to: TrafficDirection['to']) => {
    const way: TrafficDirection = { to, bytes: 0, payloads: [] }
    const read = frameReader((payload) => way.payloads.push(payload))
    traffic.add(way)
    sockets.add(from)
    from.on('data', (bytes: Buffer) => {
      passedAt = performance.now()
      way.bytes += bytes.length
      read(bytes)
      on.write(bytes)
    })
    from.on('close', () => on.destroy())
    from.on('error', () => on.destroy())
  }
  const server = createServer((agent) => {
    const hub = connect(Number(port), hostname)
    agent.setNoDelay(true)
    hub.setNoDelay(true)
    pass(agent, hub, 'hub')
    pass(hub, agent, 'agent')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin() {
      for (const way of traffic) {
        way.bytes = 0
        way.payloads.length = 0
      }
    },
    async end() {
      while (performance.now() - passedAt < quietMs) await new Promise((resolve) => setTimeout(resolve, quietMs / 3))
      return [...traffic].map((way) => ({ ...way, payloads: [...way.payloads] }))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns the payloads of WebSocket frames; skips the handshake before them. */
function frameReader(give: (payload: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isOpen = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    if (!isOpen) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      isOpen = true
      rest = rest.subarray(end + 4)
    }
    for (;;) {
      const [first, second] = [rest[0], rest[1]]
      if (first === undefined || second === undefined) return
      const short = second & 127
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      const mask = second > 127 ? 4 : 0
      if (rest.length < head + mask) return
      const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2))
      const end = head + mask + length
      if (rest.length < end) return
      const payload = Buffer.from(rest.subarray(head + mask, end))
      if (mask > 0) for (let at = 0; at < length; at++) payload[at] = (payload[at] ?? 0) ^ (rest[head + (at % 4)] ?? 0)
      rest = rest.subarray(end)
      // Text and continuation frames; the others are control frames.
      if ((first & 15) < 3) give(payload)
    }
  }
}
