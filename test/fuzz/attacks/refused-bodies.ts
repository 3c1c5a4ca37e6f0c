/** Bodies that are refused in each way, and how each endpoint receives them. */
import http from 'node:http'
import { connect } from 'node:net'
import type { Role } from '../ground/cast.ts'
import { ask, type Request } from '../ground/http.ts'
import { hubRoutes } from '../operations/hub-and-webhook-operations.ts'
import { hubRequest, type Place, webRequest } from '../operations/operations.ts'

/** `bytes`: the largest body that it reads. `from`: of one sender. */
export type Entrance = { readonly name: string; readonly process: 'web' | 'hub'; readonly bytes: number; make(body: Buffer): Request }

const sizes = [8_300_000, 1_000_000, 262_000, 131_000, 65_000, 32_000, 16_000]
let addresses = 0
/** Of a sender that has sent nothing yet. */
export const newAddress = () => `127.8.${Math.floor(++addresses / 200)}.${(addresses % 200) + 1}`

/** Every path that takes a body, as the roles whose bodies have other limits, with the size that it reads. */
export async function entrancesOf(place: Place): Promise<Entrance[]> {
  const posts = hubRoutes().filter(({ method }) => method === 'POST')
  const hub = posts.flatMap(({ path }) => (['anonymous', 'helper', 'client'] as const).map((role) => hubEntrance(place, role, path)))
  const paths = ['/api/trpc/goals.post', '/api/trpc/markdown.format', '/api/trpc/identity.signIn', '/api/stripe', '/api/chain', '/goals']
  const web = paths.flatMap((path) => (['anonymous', 'client'] as const).map((role) => webEntrance(place, role, path)))
  const found: Entrance[] = []
  for (const one of [...hub, ...web]) {
    const bytes = await largestOf(one)
    // Who may send no more than others there is like them.
    const isKnown = found.some(({ name, bytes: other }) => name.split(' as ')[0] === one.name.split(' as ')[0] && other === bytes)
    if (bytes > 0 && !isKnown) found.push({ ...one, bytes })
  }
  return found
}

const hubEntrance = (place: Place, role: Role, path: string): Entrance => {
  const from = newAddress()
  const make = (body: Buffer) => ({ ...hubRequest(place, role, 'POST', path, '{}'), body, from })
  return { name: `POST ${path} as ${role}`, process: 'hub', bytes: 0, make }
}

const webEntrance = (place: Place, role: Role, path: string): Entrance => {
  const from = newAddress()
  const make = (body: Buffer) => ({ ...webRequest(place, role, 'POST', path, '{}'), body, from })
  return { name: `POST ${path} as ${role}`, process: 'web', bytes: 0, make }
}

/** The largest size that is not refused as too large; 0 where none is read at all. */
async function largestOf({ make }: Entrance): Promise<number> {
  for (const size of sizes) {
    const { status } = await ask({ ...make(Buffer.alloc(size, 0x20)), from: newAddress() })
    if (status === 401 || status === 429 || status === 404 || status === 405) return 0
    if (status !== 413 && status !== 0) return size
  }
  return 0
}

/** How many bytes of a request are sent before its client leaves. */
export type Refusal = { readonly what: string; send(entrance: Entrance, bytes: number): Promise<{ status: number; text: string }> }

const whole =
  (fill: (bytes: number) => Buffer, headers: { readonly [name: string]: string } = {}): Refusal['send'] =>
  async ({ make }, bytes) => {
    const request = make(fill(bytes))
    return ask({ ...request, headers: { ...request.headers, ...headers } })
  }

const padded = (text: string, bytes: number) => Buffer.from(text.padEnd(bytes, ' '))

export const refusals: readonly Refusal[] = [
  { what: 'a body that is not UTF-8', send: whole((bytes) => Buffer.alloc(bytes, 0xff)) },
  { what: 'a body that is no JSON', send: whole((bytes) => padded('{"a":', bytes)) },
  { what: 'a body that is left', send: leave },
  { what: 'a body that is too deep', send: whole((bytes) => padded(`${'['.repeat(500)}${']'.repeat(500)}`, bytes)) },
  { what: 'a wrong content type', send: whole((bytes) => padded('{}', bytes), { 'content-type': 'application/x-www-form-urlencoded' }) },
  { what: 'a body that grows too large', send: grow },
]

/** Announces a body, sends most of it and leaves. */
function leave({ make }: Entrance, bytes: number): Promise<{ status: number; text: string }> {
  const { method, url, headers, from } = make(Buffer.alloc(0))
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname === 'localhost' ? '127.0.0.1' : hostname,
      port: Number(port),
      localAddress: from ?? '127.0.0.1',
    })
    const end = () => resolve({ status: 0, text: '' })
    socket.on('error', end).on('close', end).resume()
    socket.on('connect', () => {
      const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': String(bytes) }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.write(Buffer.alloc(Math.floor(bytes * 0.9), 0x20), () => setTimeout(() => socket.destroy(), 5))
    })
  })
}

/** In chunks, so that its size is not announced. */
function grow({ make }: Entrance, bytes: number): Promise<{ status: number; text: string }> {
  const { method, url, headers, from } = make(Buffer.alloc(0))
  return new Promise((resolve) => {
    const sent = http.request(url.replace('localhost', '127.0.0.1'), { method, headers, localAddress: from, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('close', () => {
        sent.destroy()
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      })
    })
    sent.on('error', () => resolve({ status: 0, text: '' }))
    sent.setTimeout(5_000, () => sent.destroy())
    sent.write(Buffer.alloc(bytes, 0x20))
    sent.end(Buffer.alloc(70_000, 0x20))
  })
}
