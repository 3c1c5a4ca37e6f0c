import { randomBytes } from 'node:crypto'
import { textUpload } from '../../support/goal-fixture.ts'
import { deliver, lineOf } from '../edge/deliver.ts'
import { type Fault, limits } from '../edge/oracles.ts'
import { draftFor, newSalt, type Role } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { isTree, type Tree, type Value, writeJson } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { hubRoutes } from '../operations/hub-and-webhook-operations.ts'
import { hubRequest, type Operation, type Place, webRequest } from '../operations/operations.ts'
import { newHandle, recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, mutate, run } from './request-helpers.ts'

type Send = (place: Place, size: number) => Promise<Answer>
/** A limit in the words of `source`. `doors`: what takes it. `isAllowed`: whether `most` itself is sent too. */
type Limit = {
  readonly what: string
  readonly source: string
  readonly max: number
  readonly isAllowed: boolean
  readonly doors: { readonly [door: string]: Send }
}

const asAgent = (role: Role, make: (place: Place, size: number) => object | Promise<object>): { readonly [door: string]: Send } => ({
  'POST /v1/commands': async (place, size) => run(place, role, await make(place, size)),
  socket: async (place, size) => {
    const socketRole: Role = 'worker'
    await lineOf(place, socketRole)
    const frame = `{"type":"command","id":"l${++frames}","command":${writeJson((await make(place, size)) as Value)}}`
    return deliver(place, { isStream: false }, { frame, role: socketRole, id: `l${frames}` })
  },
})
let frames = 0

/** The canonical form of `{"t":"…"}` takes eight bytes more than its text. */
const note = (size: number) => ({ t: 'x'.repeat(size - 8) })
/** Bytes that no other file has. */
const file = (size: number) => ({
  ...textUpload(''),
  content: Buffer.from(randomBytes(8).toString('hex').padEnd(size, 'x')).toString('base64'),
})
const post = async (place: Place, changes: (body: Tree) => Tree) => changes((await recipes['goals.post']?.(place, 'client')) as Tree)
const withGoal = (changes: Tree) => (body: Tree) => ({ ...body, attachments: [], goal: { ...(body.goal as Tree), ...changes } })
const many = (count: number, make: (n: number) => unknown) => Array.from({ length: count }, (_, n) => make(n)) as readonly Value[]

const stated: readonly Limit[] = [
  {
    what: 'bytes of a note',
    source: 'protocol/SPEC.md, Memory: "at most 500 notes of 4,096 canonical bytes"',
    max: 4_096,
    isAllowed: true,
    doors: asAgent('helper', (_, size) => ({ type: 'memory.write', key: 'limit', note: note(size), days: 1 })),
  },
  {
    what: 'days of a note',
    source: 'protocol/SPEC.md, Memory: "for 1 to 400 `days`"',
    max: 400,
    isAllowed: true,
    doors: asAgent('helper', (_, days) => ({ type: 'memory.write', key: 'limit', note: { t: 'x' }, days })),
  },
  {
    what: 'bytes of an envelope',
    source: 'protocol/SPEC.md, Envelope: "Bounds: 262,144 bytes in all"',
    max: 262_144,
    isAllowed: false,
    doors: asAgent('helper', ({ scene }, size) => ({
      type: 'message.post',
      room_id: scene.goals.work.roomId,
      parts: many(Math.ceil(size / 60_000), (n) => ({ text: 'x'.repeat(Math.min(60_000, size - n * 60_000)) })),
    })),
  },
  {
    what: 'bytes of a file',
    source: 'protocol/SPEC.md, Parts: "base64 of at most 2 MiB"',
    max: 2 * 2 ** 20,
    isAllowed: true,
    doors: {
      'goals.post': async (place, size) =>
        mutate(place, 'client', 'goals.post', await post(place, (body) => ({ ...body, attachments: [file(size)] }))),
      'task.complete': (place, size) =>
        run(place, 'helper', { type: 'task.complete', task_id: place.scene.tasks.underway, artifacts: [file(size)] }),
      'channels.ask': async (place, size) =>
        mutate(place, 'client', 'channels.ask', {
          ...((await recipes['channels.ask']?.(place, 'client')) as Tree),
          attachments: [file(size)],
        }),
      'call.answer': async (place, size) =>
        run(place, 'helper', {
          type: 'call.answer',
          ...((await recipes['call.answer']?.(place, 'helper')) as Tree),
          artifacts: [file(size)],
        }),
    },
  },
  {
    what: 'planners of a goal',
    source: 'protocol/SPEC.md, Goal: "one to eight ids"',
    max: 8,
    isAllowed: true,
    doors: {
      'goals.post': async (place, count) =>
        mutate(
          place,
          'client',
          'goals.post',
          await post(
            place,
            withGoal({ planners: many(count, (n) => (n === 0 ? place.scene.agents.lead.agentId : place.scene.agents.outsider.agentId)) }),
          ),
        ),
    },
  },
  {
    what: 'bytes of a goal',
    source: 'protocol/src/limits.ts: "Bytes of a goal as its client posts it, without files"',
    max: 65_536,
    isAllowed: false,
    doors: {
      'goals.post': async (place, size) =>
        mutate(
          place,
          'client',
          'goals.post',
          await post(place, withGoal({ criteria: many(Math.ceil(size / 900), () => ({ text: 'x'.repeat(900) })) })),
        ),
    },
  },
  {
    what: 'nesting of a request',
    source: 'SECURITY.md: "Every request is limited in bytes, depth, width and number of values"',
    max: 40,
    isAllowed: false,
    doors: {
      ...asAgent('helper', (_, depth) => ({ type: 'memory.write', key: 'limit', note: nested(depth), days: 1 })),
      'registry.publish': (place, depth) =>
        mutate(place, 'publisher', 'registry.publish', {
          listing: { ...draftFor(newHandle(), 'text.fuzz', place.scene.people.publisher.address), more: nested(depth) },
        }),
    },
  },
  {
    what: 'keys of an object',
    source: 'SECURITY.md: "Every request is limited in bytes, depth, width and number of values"',
    max: 512,
    isAllowed: false,
    doors: {
      ...asAgent('helper', (_, count) => ({ type: 'memory.write', key: 'limit', note: wide(count), days: 1 })),
      'registry.publish': (place, count) =>
        mutate(place, 'publisher', 'registry.publish', {
          listing: { ...draftFor(newHandle(), 'text.fuzz', place.scene.people.publisher.address), more: wide(count) },
        }),
    },
  },
]

const nested = (depth: number): Value => Array.from({ length: depth + 1 }).reduce<Value>((inner) => ({ a: inner }), 1)
const wide = (count: number): Tree => Object.fromEntries(many(count, (n) => [`k${n}`, 1]) as unknown as [string, Value][])

/** What the documents promise of sizes and counts holds at every door, and full stores are answered within bounds. */
async function exceed(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { what, source, max, isAllowed, doors } of stated)
    for (const [door, send] of Object.entries(doors)) {
      const above = await send(place, max + 1)
      if (isTaken(above)) faults.push(fault('stated limits hold', `${what} at ${door}`, `${max + 1} was taken. ${source}`))
      const within = isAllowed ? await send(place, max) : null
      if (within && !isTaken(within) && /large|long|full|malformed|at most/.test(`${problemOf(within)}`))
        faults.push(fault('stated limits hold', `${what} at ${door}`, `${max} was refused: ${within.text.slice(0, 200)}. ${source}`))
    }
  faults.push(
    ...(await bodies(place)),
    ...(await hubBodies(place)),
    ...(await longerBodies(place)),
    ...(await batches(place)),
    ...(await notes(place)),
    ...(await polls(place)),
    ...(await amplify(place)),
  )
  return faults
}

const problemOf = ({ text }: Answer) => /"code\\?":\\?"([a-z_.]+)/.exec(text)?.[1] ?? ''

/** SECURITY.md: "The web buffers at most 16 KiB of a request body without a login", but for procedures with a limit of their own. */
async function bodies(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const open = ['markdown.format', 'identity.signIn']
  const others = ['goals.post', 'identity.issueNonce', 'nothing.there']
  const paths = [
    ...others.map((name) => `/api/trpc/${name}`),
    ...open.flatMap((one) =>
      others.flatMap((other) =>
        [`${one},${other}`, `${other},${one}`, `${one},${other},${one}`].map((names) => `/api/trpc/${names}?batch=1`),
      ),
    ),
    ...[
      '/api/trpc/constructor',
      '/api/trpc/markdown.format%2Cgoals.post?batch=1',
      '/api/trpc//markdown.format',
      '/api/trpc/markdown.format/',
      '/goals',
      '/api/artifacts/x/y',
    ],
  ]
  const body = `{"0":{"json":{"text":"${'x'.repeat(20_000)}"}}}`
  for (const path of paths) {
    const { status, text } = await ask(webRequest(place, 'anonymous', 'POST', path, body))
    if (status < 300 || (status !== 413 && /"httpStatus":(400|401|404)/.test(text)))
      faults.push(
        fault('stated limits hold', `a body without a login at ${path.replace(/\?.*/, '')}`, `${body.length} bytes were read: ${status}`),
      )
  }
  return faults
}

/** Bodies that may be longer without a login, by SECURITY.md. KiB. */
const longer: readonly [side: 'web' | 'hub', path: string, kib: number][] = [
  ['hub', '/v1/tokens', 32],
  ['hub', '/v1/quotes', 128],
  ['hub', '/v1/agents', 128],
  ['web', '/api/chain', 64],
  ['web', '/api/stripe', 256],
  ['web', '/api/trpc/identity.signIn', 32],
  ['web', '/api/trpc/goals.quote', 128],
  ['web', '/api/trpc/markdown.format', 1_024],
]

/** A byte above its limit, a body is refused for its length; half of it is read. */
async function longerBodies(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [side, path, kib] of longer) {
    const make = side === 'web' ? webRequest : hubRequest
    const send = (bytes: number) => ask(make(place, 'anonymous', 'POST', path, '{}'.padEnd(bytes, ' ')))
    const isTooLong = ({ status, text }: Answer) => status === 413 || /"httpStatus":413|too_large/.test(text)
    const above = await send(kib * 1_024 + 1)
    if (above.status !== 0 && above.status !== 429 && !isTooLong(above))
      faults.push(fault('stated limits hold', `a body without a login at ${path}`, `${kib} KiB and one byte were read: ${above.status}`))
    const within = await send(kib * 512)
    if (isTooLong(within)) faults.push(fault('stated limits hold', `a body without a login at ${path}`, `${kib / 2} KiB were refused`))
  }
  return faults
}

/** Those that have limits of their own by SECURITY.md, and one that reads no body. */
const ownLimits = /^\/v1\/(quotes|tokens|agents|nonces)$/

/** SECURITY.md: "The web and the hub's HTTP buffer at most 16 KiB of a request body without a login." */
async function hubBodies(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/list', params: {} }).padEnd(20_000, ' ')
  const paths = hubRoutes().flatMap(({ method, path }) => (method === 'POST' && !ownLimits.test(path) ? [path] : []))
  for (const path of paths) {
    const { status } = await ask(hubRequest(place, 'anonymous', 'POST', path, body))
    if (status < 300 || status === 400)
      faults.push(fault('stated limits hold', `a body without a login at ${path}`, `${body.length} bytes were read: ${status}`))
  }
  return faults
}

const maxProcedures = 16
const batched = { GET: 'goals.list', POST: 'markdown.format' }

/** SECURITY.md: "One request calls at most 16 procedures", by each method and each spelling of the list; JSON-RPC likewise. */
async function batches(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const report = (where: string, { status, text }: Answer) => {
    const results = text.split('"result":').length - 1
    if (results > maxProcedures)
      faults.push(fault('stated limits hold', `calls of one request at ${where}`, `${results} had a result: ${status}`))
  }
  const inputs = JSON.stringify(Object.fromEntries(Array.from({ length: maxProcedures + 1 }, (_, n) => [n, { json: { text: `${n}` } }])))
  for (const [method, name] of Object.entries(batched))
    for (const comma of [',', '%2C', '%2c']) {
      const path = `/api/trpc/${Array.from({ length: maxProcedures + 1 }, () => name).join(comma)}?batch=1`
      const request =
        method === 'GET'
          ? webRequest(place, 'client', method, `${path}&input=${encodeURIComponent(inputs)}`)
          : webRequest(place, 'client', method, path, inputs)
      report(`${method} /api/trpc`, await ask(request))
    }
  for (const path of ['/v1/mcp', '/v1/a2a']) {
    const calls = many(maxProcedures + 1, (n) => ({ jsonrpc: '2.0', id: `${n}`, method: 'tools/list', params: {} }))
    report(`POST ${path}`, await ask(hubRequest(place, 'anonymous', 'POST', path, JSON.stringify(calls))))
  }
  return faults
}

/** Full to the last note: one more is refused, and all of them are one answer. */
async function notes(place: Place): Promise<Fault[]> {
  const { db } = place.installation.world.system
  const { agentId } = place.scene.agents.outsider
  const dates = { writtenAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) }
  const full = (n: number) => ({
    agentId,
    key: `full.n${n}`,
    about: place.scene.people.client.did,
    note: note(4_096),
    salt: randomBytes(32),
    ...dates,
  })
  await db.memoryNote.createMany({ data: Array.from({ length: 500 }, (_, n) => full(n)) })
  const keep = { type: 'memory.write', key: 'one.more', note: { t: 'x' }, days: 1 }
  const above = await run(place, 'outsider', keep)
  return isTaken(above)
    ? [fault('stated limits hold', 'notes of an agent', '501 were kept. protocol/SPEC.md, Memory: "at most 500 notes"')]
    : []
}

/** protocol/SPEC.md: "at most 4 requests of one agent at a time". */
async function polls(place: Place): Promise<Fault[]> {
  const wait = () => ask(hubRequest(place, 'outsider', 'GET', '/v1/messages?wait=2'))
  const answers = await Promise.all(Array.from({ length: 7 }, wait))
  const waited = answers.filter(({ status, ms }) => status === 200 && ms > 1_500).length
  return waited > 4
    ? [fault('stated limits hold', 'polls of an agent', `${waited} waited at once. protocol/SPEC.md: "at most 4 requests of one agent"`)]
    : []
}

/** What one owner may store, stored to its limit: every answer that shows it is bounded. */
async function amplify(place: Place): Promise<Fault[]> {
  const { client, publisher } = place.scene.people
  const { draft, work } = place.scene.goals
  const long = 'x'.repeat(60_000)
  const fill = async (roomId: string, count: number, texts: readonly string[]) => {
    for (let n = 0; n < count; n++) {
      const parts = texts.map((text) => ({ text: `${n}${newSalt()} ${text}` }))
      await client.send({ type: 'message.post', room_id: roomId, parts }).catch(() => undefined)
    }
  }
  await fill(draft.roomId, 80, [long])
  // The helper has not acknowledged them: it receives the largest messages that there can be.
  await fill(work.roomId, 30, [long, long, long, long])
  for (let n = 0; n < 12; n++) {
    const draft = { ...draftFor(newHandle(), 'text.fuzz', publisher.address), readme: long, policy: { note: long.slice(0, 4_000) } }
    await mutate(place, 'publisher', 'registry.publish', { listing: draft } as never)
  }
  const faults: Fault[] = []
  for (const operation of await plainOperations(place.installation)) {
    if (!operation.isReading || operation.isStream || /artifacts|calls\/|getFile|artifact\.get|\.jsonl|\.csv/.test(operation.name)) continue
    for (const role of operation.roles.filter((one) => /^(client|outsider|publisher|helper)$/.test(one))) {
      const answer = await read(place, operation, role, role === 'helper' ? work.roomId : draft.roomId)
      // A result of MCP stands in its answer twice, as a text and as a structure.
      const max = isPaged(operation) ? pageBytes : limits.answerBytes * (operation.name.startsWith('mcp:') ? 2 : 1)
      if (answer && answer.bytes > max)
        faults.push(fault('full stores have bounded answers', operation.name, `${answer.bytes} bytes to ${role}, ${max} are allowed`))
    }
  }
  return faults
}

/** SECURITY.md: a page of a list ends before the entry that would exceed 1 MiB. The answer around it and its last entry take some more. */
const pageBytes = 1.5 * 2 ** 20
const isPaged = ({ name, schema }: Operation) =>
  name === 'hub:GET /v1/messages' || (name.startsWith('trpc:') && schema.properties?.limit !== undefined)

/** With the largest page, of the room that is full. */
async function read(place: Place, operation: Operation, role: Role, roomId: string): Promise<Answer | null> {
  const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const input = positionsOf(base, operation.schema).reduce<Value>((value, { path, schema }) => {
    const last = path.at(-1)
    if (last === 'limit' && schema.maximum !== undefined) return set(value, path, schema.maximum)
    if (last === 'room_id' || last === 'room') return set(value, path, roomId)
    return last === 'after' ? set(value, path, schema.type === 'string' ? undefined : 0) : value
  }, base)
  const request = operation.request(place, role, input)
  return 'frame' in request ? null : deliver({ ...place, lines: {} }, operation, request)
}

function set(value: Value, [first, ...rest]: readonly (string | number)[], to: Value | undefined): Value {
  if (first === undefined) return to ?? null
  if (Array.isArray(value)) return value.map((item: Value, index) => (index === first ? set(item, rest, to) : item))
  if (!isTree(value)) return value
  const others = Object.entries(value).filter(([key]) => key !== first)
  if (rest.length === 0 && to === undefined) return Object.fromEntries(others)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === first ? set(item, rest, to) : item]))
}

export const statedLimits: Attack = { name: 'stated limits', run: exceed }
