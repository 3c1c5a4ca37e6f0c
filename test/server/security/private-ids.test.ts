import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Command, type CommandType, commandTypes, uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Actor, Context } from '../../../server/context.ts'
import { DomainError, toProblem } from '../../../server/errors.ts'
import { methods as a2aMethods } from '../../../server/hub/protocols/a2a/answer-a2a.ts'
import { hashSecret } from '../../../server/identity/hash-secret.ts'
import { listPayouts } from '../../../server/settlement/index.ts'
import { appRouter, createCaller } from '../../../server/trpc/app-router.ts'
import { type Schema, sample, schemaOf } from '../../fuzz/inputs/schema.ts'
import { createFundedGoal, deliverForReview, type GoalFixture, textUpload } from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

// To anyone who is no party to a private goal, its ids look like ids that do not exist. The problem code, facts and text are the same at
// every entry point. What is walked over comes from the product's own tables, so that a new procedure, command, tool or route is covered.

const asked = { headers: new Headers() }
vi.mock('next/headers', () => ({ headers: async () => asked.headers }))

const kinds = ['gol', 'tsk', 'rom', 'dsp', 'ofr', 'pay', 'ent'] as const
type Kind = (typeof kinds)[number]
type Ids = { readonly [kind in Kind]: string }
const idPattern = /(gol|tsk|rom|dsp|ofr|pay|ent)_[0-9a-f]{32}/g

let world: TestWorld
let hidden: Ids
let shown: Ids
let sha256: string
let stranger: TestPerson
let spy: { readonly ctx: Context; readonly token: string }
let session: string

beforeAll(async () => {
  world = await createWorld()
  const open = (visibility: 'private' | 'public') => (client: TestPerson, lead: { agentId: string }) =>
    world.postFundedGoal(client, {
      text: 'Write two short texts.',
      visibility,
      deadlineMs: 30 * 86_400_000,
      attachments: [{ ...textUpload('Some papers.'), name: 'papers.txt' }],
      ...(visibility === 'private' && { planners: [lead.agentId] }),
    })
  const secret = await createFundedGoal(world, 'secret-', open('private'))
  const known = await createFundedGoal(world, 'known-', open('public'))
  for (const fixture of [secret, known]) await deliverForReview(fixture)
  hidden = await idsOf(secret)
  shown = await idsOf(known)
  sha256 = (await world.system.db.artifact.findFirstOrThrow({ where: { goalId: hidden.gol } })).sha256
  stranger = await world.person({ usdc: 0n })
  const skills = [{ id: 'goal.plan', name: 'Plan', description: 'Plans.', inputs: [], outputs: [{ name: 'p', type: 'plan' }], price: '0' }]
  const listed = await world.publish(stranger, { handle: 'spy', skills } as never)
  const actor = { kind: 'agent', did: listed.did, agentId: listed.agent_id, ownerDid: stranger.did, hasKey: false } as Actor
  spy = { ctx: world.world.contextFor(actor), token: listed.token }
  session = await signIn(stranger)
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** One id of each kind. Disputes and offers stand as their tables have them: how they came about does not matter here. */
async function idsOf(fixture: GoalFixture): Promise<Ids> {
  const { db } = world.system
  const goalId = fixture.goal.id
  const { id: task } = await db.task.findFirstOrThrow({ where: { goalId }, select: { id: true } })
  const [payout] = await listPayouts(world.system, { goalId })
  if (!payout) throw new Error('nothing is to be paid')
  const made = { ...randomIds(), gol: goalId, tsk: task, rom: fixture.goal.roomId, pay: payout.id }
  const row = { goalId, step: 1, charterVersion: 1, createdAt: new Date() }
  const by = fixture.first.payee
  const dispute = { by, evidence: 'Late.', evidenceHash: `0x${'1'.repeat(64)}`, signature: '0x', state: 'signed' as const }
  await db.dispute.create({ data: { ...row, ...dispute, id: made.dsp } })
  const offer = { payeeBps: 5_000, deadline: 2_000_000_000, party: 'payee' as const, signature: '0x', state: 'made' as const }
  await db.settlementOffer.create({ data: { ...row, ...offer, id: made.ofr } })
  const file = await db.artifact.findFirstOrThrow({ where: { goalId } })
  const files = [{ sha256: file.sha256, name: file.name, media_type: file.mediaType, artifact_type: file.artifactType, size: file.size }]
  const { agentId, did } = fixture.lead
  const entry = { agentId, did, ownerId: fixture.publisher.did, price: 1n, text: 'An entry.', files, state: 'submitted' }
  await db.entry.create({ data: { ...entry, id: made.ent, goalId, submittedAt: new Date() } })
  return made
}

function randomIds(): Ids {
  return Object.fromEntries(kinds.map((kind) => [kind, `${kind}_${randomBytes(16).toString('hex')}`])) as unknown as Ids
}

async function signIn(person: TestPerson): Promise<string> {
  const { db, ids, clock } = world.system
  const [now, token] = [clock.now(), ids.secret()]
  const address = person.account.address.toLowerCase()
  const { chainId } = world.world.market
  await db.person.upsert({ where: { id: person.did }, create: { id: person.did, address, chainId, createdAt: now }, update: {} })
  const expiresAt = new Date(now.getTime() + 300 * 86_400_000)
  const row = {
    id: ids.next('ses'),
    tokenHash: hashSecret(token),
    personId: person.did,
    userAgent: '',
    createdAt: now,
    seenAt: now,
    expiresAt,
  }
  await db.session.create({ data: row })
  return token
}

type Way = { readonly what: string; ask(ids: Ids): Promise<unknown> }

/** What an answer says, but for the id that was put into the question and what is new in each answer. */
function textOf(value: unknown, ids: Ids): string {
  const text = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? item.toString() : item)) ?? 'undefined'
  return Object.entries(ids)
    .reduce((words, [kind, id]) => words.replaceAll(id, `<${kind}>`), text)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
    .replace(/\b[12]\d{9}\b/g, '<unix>')
}

const answerOf = (work: () => Promise<unknown>) =>
  Promise.resolve()
    .then(work)
    .catch((error: Error & { cause?: unknown }) => {
      const cause = error instanceof DomainError ? error : error.cause
      return cause instanceof DomainError ? toProblem(cause, 'test') : String(error)
    })

/** Each way is asked with every id hidden, and with one hidden among ids that the stranger may know; against ids made up. */
async function expectSame(ways: readonly Way[]): Promise<void> {
  const faults: string[] = []
  for (const { what, ask } of ways) {
    const random = randomIds()
    const mixes: [Ids, Ids][] = [
      [hidden, random],
      ...kinds.map((kind): [Ids, Ids] => [
        { ...shown, [kind]: hidden[kind] },
        { ...shown, [kind]: random[kind] },
      ]),
    ]
    for (const [secret, made] of mixes) {
      world.clock.advance(20_000)
      const answer = textOf(await answerOf(() => ask(secret)), secret)
      world.clock.advance(20_000)
      const expected = textOf(await answerOf(() => ask(made)), made)
      // Neither of these was about an id.
      expect(answer, what).not.toMatch(/rate\.exceeded|request\.malformed|server\.bug/)
      if (answer !== expected) faults.push(`${what}\n    says ${answer.slice(0, 400)}\n    not  ${expected.slice(0, 400)}`)
    }
  }
  expect(faults.join('\n')).toBe('')
}

/** Valid inputs, one for each alternative of the schema, with ids of every kind in their places. */
function inputsOf(type: z.ZodType): unknown[] {
  if (type.safeParse(undefined).success) return []
  const schema = schemaOf(type)
  const ways = schema.anyOf ?? schema.oneOf ?? [schema]
  const named = { goal_id: shown.gol, room_id: shown.rom, sha256, reply_to: uuidv7(Date.now(), randomBytes(10)), to: [stranger.did] }
  const known = { byName: named, all: [] }
  return ways.map((way) => {
    const made = sample({ ...way, ...(schema.$defs && { $defs: schema.$defs }) } as Schema, known)
    const parsed = type.safeParse(made)
    expect(parsed.error?.message, `a valid input for ${JSON.stringify(way).slice(0, 200)}`).toBeUndefined()
    return made
  })
}

const places = (input: unknown): boolean => (JSON.stringify(input) ?? '').match(idPattern) !== null
const withIds = <T>(input: T, ids: Ids): T => JSON.parse(JSON.stringify(input).replace(idPattern, (_, kind: Kind) => ids[kind])) as T

type Procedure = { readonly _def: { readonly type: string; readonly inputs: readonly z.ZodType[] } }

/** Every procedure of the web that takes such an id. */
function procedures(ctx: Context): Way[] {
  const token = null
  const callOf = () => ({ ctx, services: world.world, token, userAgent: '', source: randomBytes(4).join('.'), reply: null, id: 'test' })
  const all = Object.entries(appRouter._def.procedures as unknown as { [path: string]: Procedure })
  return all.flatMap(([name, { _def }]) => {
    const [type] = _def.inputs
    if (!type) return []
    expect(_def.inputs, `${name} has one input`).toHaveLength(1)
    return inputsOf(type)
      .filter(places)
      .map((input) => ({
        what: `${name} ${JSON.stringify(input).slice(0, 100)}`,
        ask: async (ids) => {
          const [router = '', procedure = ''] = name.split('.')
          const caller = createCaller(callOf()) as unknown as { [router: string]: { [name: string]: (input: unknown) => Promise<unknown> } }
          const answer = await caller[router]?.[procedure]?.(withIds(input, ids))
          if (_def.type !== 'subscription') return answer
          const events = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]()
          // A refusal ends the call itself: nothing has to be waited for in a stream that opens.
          await events.return?.()
          return 'an open stream'
        },
      }))
  })
}

const options = () => new Map(Command.options.map((option) => [option.shape.type.value as CommandType, option as unknown as z.ZodType]))

/** Every command that takes such an id, `send`: how the server receives it. */
function commands(how: string, send: (command: unknown) => Promise<unknown>): Way[] {
  return commandTypes.flatMap((type) => {
    const made = inputsOf(options().get(type) as z.ZodType) as { [field: string]: unknown }[]
    return made.flatMap((one) => {
      // Chosen by the sender, and new.
      const fresh = type === 'task.assign' ? { task_id: `tsk_${randomBytes(16).toString('hex')}` } : {}
      const { envelope: _, ...given } = one
      if (!places(given)) return []
      return [{ what: `${how} ${type}`, ask: (ids: Ids) => send({ ...withIds(given, ids), ...fresh }) }]
    })
  })
}

async function visit(address: string, token: string | null, body?: unknown): Promise<unknown> {
  const headers = { ...(token !== null && { authorization: `Bearer ${token}` }) }
  const signal = AbortSignal.timeout(20_000)
  const init = body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body), headers }
  const response = await fetch(`${world.hubUrl}${address}`, { ...init, signal })
  return { status: response.status, text: await response.text() }
}

type McpTool = { readonly name: string; readonly inputSchema: Schema }

/** MCP's tools as they are listed, and A2A's methods, with what each takes a task's id in. */
async function visits(token: string | null): Promise<Way[]> {
  const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params })
  const list = (await visit('/v1/mcp', null, rpc('tools/list', {}))) as { text: string }
  const { tools } = (JSON.parse(list.text) as { result: { tools: McpTool[] } }).result
  const known = { byName: { goal_id: shown.gol, sha256, seconds: 1, signature: `0x${'1'.repeat(130)}` }, all: [] }
  const mcp = tools
    .map(({ name, inputSchema }) => ({ name, input: sample(inputSchema, known) }))
    .filter(({ input }) => places(input))
    .map(({ name, input }) => ({
      what: `mcp ${name}`,
      ask: (ids: Ids) => visit('/v1/mcp', token, rpc('tools/call', { name, arguments: withIds(input, ids) })),
    }))
  const data = [
    { text: 'A word.' },
    { data: { signature: `0x${'1'.repeat(130)}` } },
    { data: { accept: true } },
    { data: { confirm: true } },
  ]
  const a2a = Object.entries(a2aMethods).flatMap(([method, { does }]) =>
    (does === 'send' || does === 'stream' ? data : [null]).map((part) => ({
      what: `a2a ${method} ${JSON.stringify(part)}`,
      ask: ({ gol }: Ids) =>
        visit(
          '/v1/a2a',
          token,
          rpc(method, part ? { message: { messageId: 'm', role: 'user', taskId: gol, parts: [part] } } : { id: gol }),
        ),
    })),
  )
  return [...mcp, ...a2a]
}

/** What in an address stands for a goal's id, by the name of the folder. */
const inAddress: { readonly [name: string]: (ids: Ids) => string } = {
  id: ({ gol }) => gol,
  goalId: ({ gol }) => gol,
  room: ({ rom }) => rom,
  payoutId: ({ pay }) => pay,
  entryId: ({ ent }) => ent,
  sha256: () => sha256,
}
const otherAddresses = ['file', 'handle', 'trpc', 'callId', 'address', 'hash', 'code']
const root = path.resolve(import.meta.dirname, '../../..')
const namesIn = (file: string) => [...file.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name)

/** The web's own routes, not those of pages. */
async function routes(): Promise<Way[]> {
  const files = globSync('app/**/route.ts', { cwd: root }).filter((file) => namesIn(file).length > 0)
  const unknown = files.flatMap(namesIn).filter((name) => !(name in inAddress) && !otherAddresses.includes(name))
  expect(unknown, 'names in addresses that this test does not know').toEqual([])
  const own = files.filter((file) => namesIn(file).every((name) => name in inAddress))
  expect(own.length).toBeGreaterThan(2)
  return Promise.all(
    own.map(async (file) => {
      const { GET } = (await import(path.join(root, file))) as { GET: (request: Request, props: unknown) => Promise<Response> }
      return {
        what: file,
        ask: async (ids: Ids) => {
          const params = Object.fromEntries(namesIn(file).map((name) => [name, inAddress[name]?.(ids)]))
          const response = await GET(new Request('http://localhost:3000/', { headers: asked.headers }), { params: Promise.resolve(params) })
          return { status: response.status, text: await response.text() }
        },
      }
    }),
  )
}

const holder = globalThis as typeof globalThis & { parleyWorld?: Promise<unknown> }

describe('ids of a private goal look like ids that do not exist', { timeout: 600_000 }, () => {
  it('in every procedure of the web', async () => {
    const walked = procedures(world.world.contextFor({ kind: 'anonymous' }))
    // A walk over nothing would pass.
    expect(walked.length).toBeGreaterThan(35)
    await expectSame(walked)
    await expectSame(procedures(stranger.ctx))
  })

  it('in every command, of a person and of an agent', async () => {
    const walked = commands('person', (command) => dispatchCommand(stranger.ctx, command))
    expect(walked.length).toBeGreaterThan(30)
    await expectSame(walked)
    await expectSame(commands('agent', (command) => dispatchCommand(spy.ctx, command)))
    const noParty = world.world.contextFor({ kind: 'anonymous' })
    await expectSame(commands('nobody', (command) => dispatchCommand(noParty, command)))
  })

  it('at the hub, over HTTP, MCP and A2A', async () => {
    await expectSame(commands('http', (command) => visit('/v1/commands', spy.token, command)))
    const ack = ({ rom }: Ids) => Buffer.from(JSON.stringify({ [rom]: 1 })).toString('base64url')
    await expectSame([{ what: 'GET /v1/messages', ask: (ids) => visit(`/v1/messages?ack=${ack(ids)}`, spy.token) }])
    for (const token of [null, session, spy.token]) {
      const walked = await visits(token)
      expect(walked.length).toBeGreaterThan(15)
      await expectSame(walked)
    }
  })

  it('on the routes of the web, and pages read by procedures alone', async () => {
    holder.parleyWorld = Promise.resolve(world.world)
    try {
      for (const cookie of ['', `parley_session=${session}`]) {
        asked.headers = new Headers({ cookie })
        await expectSame(await routes())
      }
    } finally {
      delete holder.parleyWorld
    }
    const pages = globSync('app/**/page.tsx', { cwd: root }).filter((file) => namesIn(file).some((name) => name in inAddress))
    expect(pages.length).toBeGreaterThan(3)
    for (const file of pages) expect(readFileSync(path.join(root, file), 'utf8'), file).not.toMatch(/^import (?!type).*server\/(?!trpc\/)/m)
  })
})
