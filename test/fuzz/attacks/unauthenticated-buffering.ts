import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { bodyLimits } from '../../../server/http/body-limits.ts'
import type { Fault } from '../edge/oracles.ts'
import { openLine } from '../ground/socket.ts'
import type { Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/** What one peer that has proved nothing may make a process hold, with what its own structures of a connection take. */
const perPeerBytes = 128 * 1_024
const peers = 24
/** Kinds of peers at once. */
const atOnce = 5
const sentBytes = 6 * 2 ** 20
/** What an incomplete message may wait. */
const patienceMs = 45_000

function masked(opcode: number, isLast: boolean, payload: Buffer): Buffer {
  const mask = randomBytes(4)
  const head = Buffer.alloc(14)
  head[0] = (isLast ? 0x80 : 0) | opcode
  head[1] = 0xff
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  mask.copy(head, 10)
  // Zeros: masked, they are the mask again and again.
  const body = Buffer.alloc(payload.length)
  for (let at = 0; at < body.length; at++) body[at] = (payload[at] ?? 0) ^ (mask[at % 4] ?? 0)
  return Buffer.concat([head, body])
}

/** `max`: bytes that everyone may send there, where they are more than elsewhere. */
type Flood = {
  readonly name: string
  readonly at: 'web' | 'hub'
  readonly head: string
  readonly pieces: () => Buffer[]
  readonly max?: number
}

const upgrade =
  'GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const post = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}Content-Length: ${sentBytes + 1_000_000}\r\n\r\n`

const postChunked = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}Transfer-Encoding: chunked\r\n\r\n`

const half = () => [Buffer.alloc(sentBytes, 0x20)]
/** One chunk that is announced and not complete. */
const halfChunk = () => [Buffer.from(`${(sentBytes + 1_000_000).toString(16)}\r\n`), Buffer.alloc(sentBytes, 0x20)]
const stranger = 'Cookie: parley_session=parley_x\r\n'
const floods: readonly Flood[] = [
  {
    name: 'one large message',
    at: 'hub',
    head: upgrade,
    pieces: () => [masked(1, true, Buffer.alloc(sentBytes + 1_000_000, 0x61)).subarray(0, sentBytes)],
  },
  {
    name: 'many fragments',
    at: 'hub',
    head: upgrade,
    pieces: () => Array.from({ length: 8_000 }, (_, n) => masked(n === 0 ? 1 : 0, false, Buffer.alloc(700, 0x61))),
  },
  {
    name: 'many empty fragments',
    at: 'hub',
    head: upgrade,
    pieces: () => Array.from({ length: 40_000 }, (_, n) => masked(n === 0 ? 1 : 0, false, Buffer.alloc(1, 0x61))),
  },
  { name: 'commands without a token', at: 'hub', head: post('/v1/commands'), pieces: half },
  { name: 'commands with an unknown token', at: 'hub', head: post('/v1/commands', 'Authorization: Bearer parley_x\r\n'), pieces: half },
  { name: 'MCP with an unknown token', at: 'hub', head: post('/v1/mcp', 'Authorization: Bearer parley_x\r\n'), pieces: half },
  { name: 'A2A with an unknown token', at: 'hub', head: post('/v1/a2a', 'Authorization: Bearer x\r\n'), pieces: half },
  { name: 'a page', at: 'web', head: post('/'), pieces: half },
  { name: 'a page, in chunks', at: 'web', head: postChunked('/goals/new'), pieces: halfChunk },
  { name: 'a goal without a login', at: 'web', head: post('/api/trpc/goals.post'), pieces: half },
  { name: 'a goal with an unknown login', at: 'web', head: post('/api/trpc/goals.post', stranger), pieces: half },
  { name: 'a goal with an unknown login, in chunks', at: 'web', head: postChunked('/api/trpc/goals.post', stranger), pieces: halfChunk },
  { name: 'a sign-in, in chunks', at: 'web', head: postChunked('/api/trpc/identity.signIn'), pieces: halfChunk, max: bodyLimits.signIn },
  {
    name: 'a text as Markdown, in chunks',
    at: 'web',
    head: postChunked('/api/trpc/markdown.format'),
    pieces: halfChunk,
    max: bodyLimits.markdown,
  },
  ...['identity.signIn,goals.post', 'goals.post,markdown.format', 'markdown.format,nothing.there'].map(
    (names): Flood => ({
      name: `a batch of ${names}, in chunks`,
      at: 'web',
      head: postChunked(`/api/trpc/${names}?batch=1`),
      pieces: halfChunk,
    }),
  ),
  { name: 'a webhook, in chunks', at: 'web', head: postChunked('/api/stripe'), pieces: halfChunk, max: bodyLimits.stripe },
  { name: 'a call of the chain, in chunks', at: 'web', head: postChunked('/api/chain'), pieces: halfChunk, max: bodyLimits.chain },
]

/** Peers that prove nothing send much and end nothing. Several kinds of them come at once; where too much is held, each comes alone. */
async function flood(place: Place): Promise<Fault[]> {
  const both = (['web', 'hub'] as const).map((at) =>
    floodAt(
      place,
      floods.filter((one) => one.at === at),
    ),
  )
  return (await Promise.all(both)).flat()
}

async function floodAt(place: Place, all: readonly Flood[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const group of groupsOf(all)) {
    const isHeld = (await heldBy(place, group)).held > allowedFor(group[0])
    if (!isHeld) continue
    for (const one of group) faults.push(...(await floodAlone(place, one)))
  }
  return faults
}

/** Those with the same bound. */
function groupsOf(all: readonly Flood[]): Flood[][] {
  const bounds = [...new Set(all.map(({ max = 0 }) => max))]
  return bounds.flatMap((bound) => {
    const same = all.filter(({ max = 0 }) => max === bound)
    return Array.from({ length: Math.ceil(same.length / atOnce) }, (_, n) => same.slice(n * atOnce, (n + 1) * atOnce))
  })
}

async function floodAlone(place: Place, one: Flood): Promise<Fault[]> {
  let { held, open } = await heldBy(place, [one])
  // Other work of the process may have fallen into it, or it had no time to close: only what is held each time counts.
  for (let again = 0; again < 2 && held > allowedFor(one); again++) ({ held, open } = await heldBy(place, [one]))
  if (held <= allowedFor(one)) return []
  const kb = Math.round(held / peers / 1_024)
  return [
    fault(`bytes before authentication (${one.at})`, one.name, `${kb} kB held for each of ${peers} peers, ${open} of them still connected`),
  ]
}

/** What all peers of one kind may make a process hold: a group of kinds that holds more has one that may be too large. */
const allowedFor = (one: Flood | undefined) => peers * (perPeerBytes + (one?.max ?? 0))

/** Bytes that the process holds for the peers of all these kinds, and to how many of them it still listens. */
async function heldBy(place: Place, all: readonly Flood[]): Promise<{ held: number; open: number }> {
  const at = all[0]?.at ?? 'web'
  const process = place.installation[at]
  const before = await process.look(true)
  const sockets = all.flatMap(({ head, pieces }) => {
    const bytes = Buffer.concat(pieces())
    return Array.from({ length: peers }, () => pour(process.url, head, bytes))
  })
  await pause(1_500)
  const after = await process.look(true)
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length
  for (const socket of sockets) socket.destroy()
  await pause(200)
  return { held: Math.max(after.held - before.held, 0), open }
}

function pour(url: string, head: string, bytes: Buffer): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port) })
  socket.on('error', () => undefined)
  socket.resume()
  socket.on('connect', () => {
    socket.write(head)
    socket.write(bytes)
  })
  return socket
}

/** A message that is never ended does not keep its connection for ever. */
async function neverEnding(place: Place): Promise<Fault[]> {
  const { url } = place.installation.hub
  const line = await openLine(url)
  const begun = Date.now()
  line.socket.send('{"type":', { fin: false })
  // A piece now and then, so that the connection is never silent.
  while (line.isOpen() && Date.now() - begun < patienceMs) {
    line.socket.send(' ', { fin: false })
    await pause(500)
  }
  const isOpen = line.isOpen()
  line.close()
  return isOpen ? [fault('incomplete messages end', 'socket', `still open after ${patienceMs} ms of one message`)] : []
}

export const buffering: Attack = { name: 'bytes before authentication', run: flood }
export const incomplete: Attack = { name: 'a message without an end', waits: true, run: neverEnding }
