/** One case: an operation, who asks, and what is changed at which place of a valid input. Its name is enough to make it again. */

import { type Random, shuffled } from '../../support/random.ts'
import type { Role } from '../ground/cast.ts'
import type { Request } from '../ground/http.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { everywhere, filled, type Mutation, mutationsOf, placeName, positionsOf } from '../inputs/mutations.ts'
import type { FrameRequest, Operation, Place } from '../operations/operations.ts'

export type Case = { readonly operation: Operation; readonly role: Role; readonly place: string; readonly mutation: Mutation }

/** Of an operation whose input has no optional places, which may be read in another way. */
export const bareName = ' (required only)'
export const fullName = ({ name }: Pick<Operation, 'name'>) => name.replace(bareName, '')

export const nameOf = ({ operation, role, place, mutation }: Case) => `${operation.name} | ${role} | ${place} | ${mutation.name}`

/** Nothing is changed. */
export const asItIs: Mutation = { name: 'as-it-is', group: 'none', isWithin: true, apply: (value) => value }

/** All that can be done to this operation's input; what the schema allows comes first. */
export async function casesOf(operation: Operation, role: Role, place: Place, random: Random): Promise<Case[]> {
  const base = await operation.base(place, role)
  const full: Mutation = { name: 'filled', group: 'filled', isWithin: true, apply: (value) => filled(value, operation.schema) }
  const seen = new Set<string>()
  const cases = positionsOf(base, operation.schema).flatMap((position) => {
    const name = placeName(position.path)
    if (seen.has(name)) return []
    seen.add(name)
    return mutationsOf(position, place.scene.known).map((mutation): Case => ({ operation, role, place: name, mutation }))
  })
  const changes = wireChanges.map((mutation): Case => ({ operation, role, place: '(wire)', mutation }))
  const at =
    (place: string) =>
    (mutation: Mutation): Case => ({ operation, role, place, mutation })
  const combined = shuffled(everywhere(base, operation.schema, place.scene.known).map(at('(everywhere)')), random)
  const single = shuffled([at('(all)')(asItIs), ...cases, ...changes], random).sort((a, b) => rankOf(b.mutation) - rankOf(a.mutation))
  // A class at all places costs one request: both kinds alternate.
  return [at('(all)')(full), ...single.flatMap((one, index) => [...combined.slice(index, index + 1), one])]
}

/** What the schema allows gets furthest; what is far too long may be worked on before it is refused. */
const rankOf = ({ isWithin, group }: Mutation) => Number(isWithin || group === 'huge')

type WireMutation = Mutation & { readonly change: (request: Request) => Request }

const wire = (name: string, change: (request: Request) => Partial<Request>): WireMutation => ({
  name,
  group: `wire-${name.split('-')[0]}`,
  isWithin: false,
  apply: (value) => value,
  change: (request) => ({ ...request, ...change(request) }),
})
const header = (name: string, value: string) => wire(`header-${name}`, ({ headers }) => ({ headers: { ...headers, [name]: value } }))
const body = (name: string, change: (bytes: Buffer) => Buffer) =>
  wire(`body-${name}`, ({ body: bytes, method }) => (bytes ? { body: change(bytes) } : { method }))

/** What is wrong with the message, not with what it says. */
const wireChanges: readonly WireMutation[] = [
  body('cut', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2))),
  body('empty', () => Buffer.alloc(0)),
  body('bad-utf8', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([0xff, 0xfe]), bytes.subarray(-1)])),
  body('bom', (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
  body('utf16', (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')),
  body('null', () => Buffer.from('null')),
  body('text', () => Buffer.from('just text')),
  body('spaces', (bytes) => Buffer.concat([bytes, Buffer.alloc(2_000_000, 0x20)])),
  body('twelve-megabytes', () => Buffer.concat([Buffer.from('"'), Buffer.alloc(11_900_000, 0x61), Buffer.from('"')])),
  body('nested', () => Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
  header('content-type', 'text/plain'),
  header('content-type', 'application/x-www-form-urlencoded'),
  header('content-type', 'multipart/form-data; boundary=a'),
  header('content-encoding', 'gzip'),
  header('cookie', 'parley_session=%00; a=b; parley_session='),
  header('authorization', 'Bearer \u00ff'),
  header('traceparent', '00-00000000000000000000000000000000-0000000000000000-ff'),
  header('last-event-id', '99999999999999999999'),
  header('accept', 'text/html;q=0,*/*'),
  header('if-none-match', 'W/"'),
  header('x-forwarded-host', 'example.org'),
  header('x-forwarded-for', '1.2.3.4, unknown, ::ffff:1.2.3.4%00'),
  header('rsc', '1'),
  header('next-router-state-tree', '%7B%00'),
  header('next-action', 'x'),
  header('range', 'bytes=0-0,9999999-'),
  header('x-middleware-subrequest', 'proxy:proxy:proxy:proxy:proxy'),
  wire('method-PUT', () => ({ method: 'PUT' })),
  wire('method-OPTIONS', () => ({ method: 'OPTIONS' })),
  wire('method-HEAD', () => ({ method: 'HEAD', body: null })),
  wire('url-slash', ({ url }) => ({ url: url.replace(/^(http:\/\/[^/]+)\/([^?]*)/, '$1//$2/') })),
  wire('url-nul', ({ url }) => ({ url: url.replace(/^(http:\/\/[^?]+)/, '$1%00') })),
  wire('url-bad-escape', ({ url }) => ({ url: url.replace(/^(http:\/\/[^?]+)/, '$1%E0%A4%A') })),
  wire('url-query', ({ url }) => ({ url: `${url}${url.includes('?') ? '&' : '?'}input=%7B&a[__proto__][b]=c&%00=%00&batch=1` })),
  wire('url-batch', ({ url }) => ({ url: `${url.replace(/(\/api\/trpc\/)([^?]+)/, `$1${Array(30).fill('$2').join(',')}`)}&batch=1` })),
  wire('meta-superjson', ({ url, body: bytes }) => withMeta(url, bytes)),
]

/** Types that superjson restores by what the sender says they are. */
function withMeta(url: string, bytes: Buffer | null): Partial<Request> {
  const meta = {
    values: { __proto__: 0, 'a.constructor.prototype.b': ['Date'], a: ['bigint'] },
    referentialEqualities: { a: ['__proto__.b'] },
    v: 1,
  }
  const add = (text: string) => text.replace(/\}$/, `,"meta":${JSON.stringify(meta)}}`)
  if (bytes) return { body: Buffer.from(add(bytes.toString('utf8'))) }
  const [at = '', input] = url.split('?input=')
  return input ? { url: `${at}?input=${encodeURIComponent(add(decodeURIComponent(input)))}` } : {}
}

export async function requestOf(one: Case, place: Place): Promise<{ request: Request | FrameRequest; input: Value }> {
  const input = one.mutation.apply(await one.operation.base(place, one.role))
  const request = one.operation.request(place, one.role, input)
  const { mutation } = one
  return { input, request: 'change' in mutation && !('frame' in request) ? (mutation as WireMutation).change(request) : request }
}

export const textOf = (input: Value) => writeJson(input)
