// The reference: a minimal durable hub. It parses, recognises repeated ids, assigns sequence numbers, writes with binary COPY, waits for
// the commit, and sends one write per member and flush. It has no sessions, signatures, membership or hash chain.
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { WebSocketServer } from 'ws'

type StoredMessage = { readonly room: Room; readonly by: number; readonly id: number; readonly payload: Buffer; seq: number }
type Room = { readonly number: number; readonly members: Set<Duplex>; readonly ids: Set<string>; head: number; frames: Buffer[] }

const maxIds = 4_096
const maxAtOnce = 512
const rooms = new Map<string, Room>()
let queue: StoredMessage[] = []
let isWriting = false

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query(`create table "reference" ("room" int, "seq" int, "id" bigint, "by" int, "body" bytea, primary key ("room", "seq"));
  alter table "reference" alter "body" set storage external`)

function roomOf(path: string): Room {
  const room = rooms.get(path) ?? { number: rooms.size, members: new Set(), ids: new Set(), head: 0, frames: [] }
  rooms.set(path, room)
  return room
}

function receive(room: Room, payload: Buffer): void {
  const { by, id, text } = JSON.parse(payload.toString()) as { by: unknown; id: unknown; text: unknown }
  if (!Number.isSafeInteger(by) || !Number.isSafeInteger(id) || typeof text !== 'string') return
  const key = `${by} ${id}`
  if (room.ids.has(key)) return
  room.ids.add(key)
  for (const oldest of room.ids) {
    if (room.ids.size <= maxIds) break
    room.ids.delete(oldest)
  }
  queue.push({ room, by: Number(by), id: Number(id), payload, seq: 0 })
  if (!isWriting) void write()
}

async function write(): Promise<void> {
  isWriting = true
  while (queue.length > 0) {
    const batch = queue.slice(0, maxAtOnce)
    queue = queue.slice(maxAtOnce)
    for (const message of batch) message.seq = ++message.room.head
    const bodies = batch.map(bodyOf)
    await copyIn(rowsOf(batch, bodies))
    const written = new Set<Room>()
    for (const [index, { room }] of batch.entries()) {
      written.add(room)
      room.frames.push(frameOf(bodies[index] as Buffer))
    }
    for (const room of written) {
      const chunk = Buffer.concat(room.frames)
      room.frames = []
      for (const member of room.members) member.write(chunk)
    }
  }
  isWriting = false
}

/** The received message with its sequence number. */
function bodyOf({ payload, seq }: StoredMessage): Buffer {
  const end = Buffer.from(`,"seq":${seq}}`)
  return Buffer.concat([payload.subarray(0, -1), end])
}

function frameOf(body: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(4 + body.length)
  frame[0] = 0x81
  frame[1] = 126
  frame.writeUInt16BE(body.length, 2)
  body.copy(frame, 4)
  return frame
}

const copyHead = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const rowBytes = 2 + 4 * 5 + 4 + 4 + 8 + 4

function rowsOf(batch: readonly StoredMessage[], bodies: readonly Buffer[]): Buffer {
  const rows = Buffer.allocUnsafe(bodies.reduce((sum, body) => sum + rowBytes + body.length, copyHead.length + 2))
  let at = copyHead.copy(rows)
  const int4 = (value: number) => {
    at = rows.writeInt32BE(value, rows.writeInt32BE(4, at))
  }
  for (const [index, { room, seq, id, by }] of batch.entries()) {
    at = rows.writeInt16BE(5, at)
    int4(room.number)
    int4(seq)
    at = rows.writeBigInt64BE(BigInt(id), rows.writeInt32BE(8, at))
    int4(by)
    const body = bodies[index] as Buffer
    at = rows.writeInt32BE(body.length, at)
    at += body.copy(rows, at)
  }
  rows.writeInt16BE(-1, at)
  return rows
}

type Wire = { stream: { write(bytes: Buffer): void }; query(text: string): void; endCopyFrom(): void }

function copyIn(rows: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.query({
    submit: (wire: Wire) => wire.query('copy "reference" from stdin (format binary)'),
    handleCopyInResponse(wire: Wire) {
      const head = Buffer.allocUnsafe(5)
      head[0] = 0x64
      head.writeInt32BE(4 + rows.length, 1)
      wire.stream.write(head)
      wire.stream.write(rows)
      wire.endCopyFrom()
    },
    handleError: reject,
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(),
  } as unknown as pg.Submittable)
  return promise
}

const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
const server = createServer()
server.on('upgrade', (request, socket, head) => {
  const room = roomOf(request.url ?? '')
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    room.members.add(socket)
    webSocket.on('message', (data: Buffer) => receive(room, data))
    webSocket.on('close', () => room.members.delete(socket))
    webSocket.on('error', () => room.members.delete(socket))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
process.on('disconnect', () => process.exit(0))
