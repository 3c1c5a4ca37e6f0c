import type { Fault } from '../edge/oracles.ts'
import { leakFaults } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask, type Request, shownBy } from '../ground/http.ts'
import { writeJson } from '../inputs/json-text.ts'
import { addressOf, hubRequest, jsonInUrl, type Place, webRequest } from '../operations/operations.ts'
import { sourceHeaders } from './header-names-in-source.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

type Door = { readonly name: string; readonly role: Role; make(): Request }

/** What would mean more rights, another sender or another path, and what breaks a parser. */
function valuesFor(place: Place, header: string): string[] {
  const { people, agents, secrets } = place.scene
  const operator = people.operator
  const privileged = [
    '127.0.0.1',
    '::1',
    'localhost',
    'true',
    '1',
    operator.address,
    operator.did,
    agents.lead.did,
    agents.lead.agentId,
    'operator',
    'system',
    'admin',
  ]
  const paths = ['/admin', '/healthz', '/api/trpc/policy.list', 'middleware:middleware:middleware:middleware:middleware', 'src/middleware']
  const hostile = [
    '',
    'x'.repeat(4_000),
    '\u00ff\u00fe',
    '{"a":1}',
    "' or 1=1 --",
    '%00',
    '-1',
    '1e999',
    'null',
    'constructor',
    '../../etc/passwd',
    `W/"${secrets[0] ?? ''}"`,
  ]
  // A login of another person is that login.
  if (/^(authorization|cookie)$/.test(header))
    return ['Bearer', 'Bearer x', 'Basic eDp4', `parley_session=${'x'.repeat(2_000)}`, ...hostile.slice(0, 6)]
  return [...privileged, ...paths, ...hostile]
}

/** Doors whose answers differ by who asks, how often, or from where. */
function doorsOf(place: Place): Door[] {
  const { goals } = place.scene
  const get = (name: string, input: object, role: Role): Door => ({
    name: `${name} as ${role}`,
    role,
    make: () => webRequest(place, role, 'GET', `/api/trpc/${name}?input=${jsonInUrl({ json: input as never })}`),
  })
  const page = (path: string, role: Role): Door => ({
    name: `page ${path.replace(/gol_\w+/, '[id]')} as ${role}`,
    role,
    make: () => webRequest(place, role, 'GET', path),
  })
  const command = (role: Role, body: object): Door => ({
    name: `command ${(body as { type: string }).type} as ${role}`,
    role,
    make: () => hubRequest(place, role, 'POST', '/v1/commands', writeJson(body as never)),
  })
  return [
    get('goals.list', { mine: true, limit: 5 }, 'anonymous'),
    get('goals.get', { goal_id: goals.hidden.id }, 'anonymous'),
    get('conversations.list', { room_id: goals.hidden.roomId, limit: 5 }, 'stranger'),
    get('conversations.listDeadLetters', {}, 'stranger'),
    page(`/goals/${goals.hidden.id}`, 'anonymous'),
    page('/admin', 'anonymous'),
    {
      name: 'a write of another site',
      role: 'stranger',
      make: () => ({ ...webRequest(place, 'stranger', 'POST', '/api/trpc/goals.cancel', '{"json":{}}') }),
    },
    command('anonymous', { type: 'memory.read' }),
    command('outsider', { type: 'artifact.get', room_id: goals.hidden.roomId, sha256: '0'.repeat(64) }),
    { name: 'hub messages', role: 'anonymous', make: () => hubRequest(place, 'anonymous', 'GET', '/v1/messages') },
    { name: 'hub registry', role: 'anonymous', make: () => hubRequest(place, 'anonymous', 'GET', '/v1/registry') },
  ]
}

const codeOf = ({ status, text }: Answer) => `${status} ${/"code\\?":\\?"([a-z_]+\.[a-z_.]+)/.exec(text)?.[1] ?? ''}`.trim()
const atOnce = 12

/** A header gives nobody rights, another identity or another answer; only a login does. */
async function forge(place: Place): Promise<Fault[]> {
  const faults = new Map<string, Fault>()
  const headers = sourceHeaders().filter((name) => !allowed.has(name))
  const doors = doorsOf(place)
  const plain = new Map<Door, string>()
  for (const door of doors) plain.set(door, codeOf(await askFresh(door, {})))
  const cases = headers.flatMap((header, at) =>
    valuesFor(place, header).flatMap((value, which) => {
      // Each value at some of the doors, each header at all of them.
      const some = doors.filter((_, index) => (index + at + which) % 5 === 0)
      return some.map((door) => ({ header, value, door }))
    }),
  )
  const work = async () => {
    for (let one = cases.shift(); one; one = cases.shift()) {
      const { header, value, door } = one
      const made = door.make()
      if (made.headers[header] !== undefined) continue
      const answer = await askFresh(door, { [header]: value })
      const sent = `${header}: ${value} ${made.url} ${made.body?.toString('utf8') ?? ''}`
      for (const leak of leakFaults(`${door.name}, ${header}`, place, door.role, sent, shownBy(answer))) faults.set(leak.subject, leak)
      const [told, usual] = [codeOf(answer), plain.get(door)]
      const isRefusal = /^(400|401|403|408|413|431|0)\b/.test(told)
      if (answer.status >= 500 || (told !== usual && !isRefusal && answer.status !== 429))
        faults.set(
          `${header} ${door.name}`,
          fault(
            'headers change nothing',
            `${header} at ${door.name}`,
            `${JSON.stringify(value.slice(0, 60))}: ${told}, without it ${usual}`,
          ),
        )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return [...faults.values()].slice(0, 10)
}

/** They ask for another form of the same answer. */
const allowed = new Set([
  'if-none-match',
  'if-modified-since',
  'range',
  'accept',
  'accept-encoding',
  'last-event-id',
  'idempotency-key',
  'next-action',
  'rsc',
  'traceparent',
])

const askFresh = (door: Door, more: Readonly<Record<string, string>>): Promise<Answer> => {
  const made = door.make()
  return ask({ ...made, from: addressOf('anonymous'), headers: { ...made.headers, ...more } })
}

export const headersAttack: Attack = { name: 'headers', run: forge }
