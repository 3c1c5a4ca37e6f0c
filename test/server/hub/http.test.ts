import { type DeliveredEnvelope, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sourceOf } from '../../../server/hub/http.ts'
import { budgets } from '../../../server/policy/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { connectLine, fillInbox, listAgent, upTo } from './bare-agent.ts'

let world: TestWorld
let owner: TestPerson
beforeAll(async () => {
  world = await createWorld()
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

type Asked = { token?: string; body?: unknown; text?: string; headers?: Record<string, string> }
async function ask(route: string, { token, body, text, headers }: Asked = {}) {
  const [method = '', path = ''] = route.split(' ')
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${world.hubUrl}${path}`, {
    method,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
  return { status: response.status, type: response.headers.get('content-type'), headers: response.headers, answer: await response.json() }
}
type Page = { messages: DeliveredEnvelope[]; ack: string }
const poll = async (token: string, query = ''): Promise<Page> => (await ask(`GET /ioa/messages${query}`, { token })).answer as Page
const seqs = (page: Page) => page.messages.map((message) => message.seq)
const wordOf = (cursors: unknown) => Buffer.from(JSON.stringify(cursors)).toString('base64url')

const draft = (changes: object = {}) => ({
  handle: 'walk-in',
  name: 'Walk-in',
  summary: 'Came by itself.',
  payout: `0x${'ab'.repeat(20)}`,
  skills: [
    { id: 'text.walk', name: 'Walk', description: 'Walks.', inputs: [], outputs: [{ name: 'out', type: 'text.plain' }], price: '1' },
  ],
  ...changes,
})

describe('a refusal', () => {
  it('is a problem, whole and typed as one', async () => {
    const { status, type, answer } = await ask('GET /ioa/messages')
    expect([status, type]).toEqual([401, 'application/problem+json'])
    expect(answer).toEqual({
      type: '/problems/auth.required',
      title: 'auth: required',
      status: 401,
      detail: expect.any(String),
      code: 'auth.required',
      retry: 'after-change',
      hint: expect.stringContaining('Bearer'),
      instance: expect.any(String),
    })
  })

  it('meets a wrong token, another scheme, and the token of an agent that has a key', async () => {
    for (const authorization of ['Bearer wrong', 'Basic d3Jvbmc6', 'Bearer', 'Bearer  ', `Bearer ${'x'.repeat(2_000)}`])
      expect((await ask('GET /ioa/messages', { headers: { authorization } })).status, authorization).toBe(401)
    const agent = await listAgent(world, owner, 'keyed')
    expect((await ask('GET /ioa/messages', { token: agent.token })).status).toBe(200)
    const line = await connectLine(world.hubUrl, agent)
    for (const route of ['GET /ioa/messages', 'POST /ioa/commands'])
      expect(await ask(route, { token: agent.token, ...(route.startsWith('POST') && { body: {} }) }), route).toMatchObject({
        status: 401,
        answer: { code: 'auth.required' },
      })
    // And it costs the keyed one nothing.
    line.send({ type: 'ping' })
    await line.next('pong')
    expect(line.frames.some((frame) => frame.type === 'fenced')).toBe(false)
    line.close()
  })

  it('meets what is no command, by its own code', async () => {
    const { token } = await listAgent(world, owner, 'mumbler')
    const code = async (asked: Asked) => ((await ask('POST /ioa/commands', { token, ...asked })).answer as { code: string }).code
    expect(await code({ text: '' })).toBe('request.malformed')
    expect(await code({ text: '{"type":"goal.claim"' })).toBe('request.malformed')
    expect(await code({ text: '{"type":"goal.claim","type":"goal.claim"}' })).toBe('request.malformed')
    expect(await code({ text: `{"type":"listing.discover","query":${'['.repeat(60)}${']'.repeat(60)}}` })).toBe('request.malformed')
    expect(await code({ body: { type: 'goal.dance' } })).toBe('request.unknown_command')
    expect(await code({ body: [] })).toBe('request.unknown_command')
    expect(await code({ body: { type: 'goal.claim', goal_id: 'gol_1' } })).toBe('request.malformed')
    expect(await code({ body: { type: 'goal.claim', goal_id: `gol_${'0'.repeat(32)}` } })).toBe('goal.not_found')
    expect((await ask('GET /elsewhere')).status).toBe(400)
    expect((await ask('DELETE /ioa/messages', { token })).status).toBe(400)
  })

  it('reaches a sender that sends too much, though not all of it was read', async () => {
    const { token } = await listAgent(world, owner, 'heavy')
    const { status, answer } = await ask('POST /ioa/commands', { token, text: `"${'x'.repeat(12_000_000)}"` })
    expect([status, answer]).toEqual([413, expect.objectContaining({ code: 'request.too_large' })])
  })

  it('says how long to wait, in the header too', async () => {
    // However long the requests take: on the server's clock no time passes.
    const now = vi.spyOn(world.clock, 'now').mockReturnValue(new Date())
    const { token } = await listAgent(world, owner, 'eager')
    const answers = await Promise.all(
      Array.from({ length: budgets.search.burst + 30 }, () =>
        ask('POST /ioa/commands', { token, body: { type: 'listing.discover', query: {} } }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers, answer } of refused) {
      expect(answer).toMatchObject({ code: 'rate.exceeded', retry: 'later' })
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(answer).toMatchObject({ retry_after: Number(headers.get('retry-after')) })
    }
    now.mockRestore()
  })
})

describe('registering', () => {
  it('refuses a listing that is none, and says which field', async () => {
    const { status, answer } = await ask('POST /ioa/agents', { body: draft({ payout: 'my wallet', skills: [] }) })
    expect([status, answer]).toEqual([
      400,
      expect.objectContaining({ code: 'request.malformed', detail: expect.stringMatching(/payout[\s\S]*|skills[\s\S]*/) }),
    ])
    expect((answer as { detail: string }).detail).toMatch(/payout/)
    expect((await ask('POST /ioa/agents', { text: 'handle=walk-in' })).status).toBe(400)
  })

  it('is stopped by an operator’s rule, as any publishing is', async () => {
    const operator = await world.person({ usdc: 0n, isOperator: true })
    const rule = { effect: 'deny', points: ['admit'], subject: { skill_id: 'text.walk' }, reason: 'Nobody walks in.' }
    const { rule_id } = await operator.send<{ rule_id: string }>({ type: 'rule.set', rule })
    expect(await ask('POST /ioa/agents', { body: draft() })).toMatchObject({ status: 403, answer: { code: 'rule.denied' } })
    await operator.send({ type: 'rule.lift', rule_id })
  })

  it('gives an agent without a key its name and token, once for a handle, whatever the content type', async () => {
    const first = await ask('POST /ioa/agents', { body: draft(), headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    expect(first).toMatchObject({
      status: 201,
      answer: { did: expect.stringMatching(/^did:web:/), token: expect.any(String), agent_id: expect.any(String) },
    })
    expect(await ask('POST /ioa/agents', { body: draft() })).toMatchObject({ status: 409, answer: { code: 'listing.handle_taken' } })
    const { token } = first.answer as { token: string }
    expect((await ask('POST /ioa/commands', { token, body: { type: 'listing.discover', query: {} } })).status).toBe(200)
  })
})

describe('messages', () => {
  it('come until they are acked, and those of others cannot be', async () => {
    const [agent, other] = [await listAgent(world, owner, 'reader'), await listAgent(world, owner, 'bystander')]
    await fillInbox(world, agent.inboxId, 3)
    await fillInbox(world, other.inboxId, 2)
    const first = await poll(agent.token)
    expect(seqs(first)).toEqual([1, 2, 3])
    for (const message of first.messages) expect(await verifyEnvelope(message, world.world.market.serverDid)).toBe(true)
    expect(seqs(await poll(agent.token))).toEqual([1, 2, 3])
    // An ack is the agent's own word about its own rooms: what else stands in it is passed over.
    await poll(agent.token, `?ack=${wordOf({ [other.inboxId]: 2, [agent.inboxId]: 1 })}`)
    expect(seqs(await poll(other.token))).toEqual([1, 2])
    expect(seqs(await poll(agent.token))).toEqual([2, 3])
    expect(seqs(await poll(agent.token, `?ack=${first.ack}`))).toEqual([])
    await fillInbox(world, agent.inboxId, 1, { from: 4 })
    expect(seqs(await poll(agent.token, `?ack=${first.ack}`))).toEqual([4])
  })

  it('refuses an ack that it has not given, and survives one that no database could hold', async () => {
    const agent = await listAgent(world, owner, 'forger')
    await fillInbox(world, agent.inboxId, 2)
    for (const word of ['nonsense', wordOf([1]), wordOf({ [agent.inboxId]: -1 }), wordOf({ [agent.inboxId]: 'all' })])
      expect(await ask(`GET /ioa/messages?ack=${word}`, { token: agent.token }), word).toMatchObject({
        status: 400,
        answer: { code: 'request.malformed' },
      })
    expect(seqs(await poll(agent.token))).toEqual([1, 2])
    expect(seqs(await poll(agent.token, `?ack=${wordOf({ [agent.inboxId]: Number.MAX_SAFE_INTEGER })}`))).toEqual([])
    await fillInbox(world, agent.inboxId, 1, { from: 3 })
    expect(seqs(await poll(agent.token))).toEqual([3])
  })

  it('are waited for, and arrive when they are written', async () => {
    const [agent, other] = [await listAgent(world, owner, 'waiter'), await listAgent(world, owner, 'noise')]
    const answer = poll(agent.token, '?wait=20')
    let isAnswered = false
    void answer.then(() => {
      isAnswered = true
    })
    await world.until('the agent to be there', async () => world.system.db.presence.findUnique({ where: { agentId: agent.agentId } }))
    await fillInbox(world, other.inboxId, 3)
    expect(isAnswered).toBe(false)
    const written = Date.now()
    await fillInbox(world, agent.inboxId, 1)
    expect(seqs(await answer)).toEqual([1])
    // Long before the wait is over, or anybody looks by himself.
    expect(Date.now() - written).toBeLessThan(10_000)
  })

  it('of a long backlog come page by page, in order', async () => {
    const agent = await listAgent(world, owner, 'backlogged')
    await fillInbox(world, agent.inboxId, 130)
    const seen: (number | undefined)[] = []
    for (let page = await poll(agent.token); page.messages.length > 0; page = await poll(agent.token, `?ack=${page.ack}`))
      seen.push(...seqs(page))
    expect(seen).toEqual(upTo(130))
  })

  it('that nobody writes are given up after the wait', async () => {
    const { token } = await listAgent(world, owner, 'patient')
    const begun = Date.now()
    expect(seqs(await poll(token, '?wait=1'))).toEqual([])
    expect(Date.now() - begun).toBeGreaterThanOrEqual(950)
    for (const wait of ['abc', '-5', '']) expect(seqs(await poll(token, `?wait=${wait}`))).toEqual([])
  })
})

describe('sourceOf', () => {
  const asked = (forwarded?: string) =>
    ({ headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.9' } }) as never
  it('is the peer, whatever it writes; behind a proxy the address that the proxy has seen, and never an earlier one', () => {
    expect([sourceOf(asked('1.1.1.1'), false), sourceOf(asked(), false)]).toEqual(['10.0.0.9', '10.0.0.9'])
    expect([sourceOf(asked('6.6.6.6, 2.2.2.2'), true), sourceOf(asked(), true), sourceOf(asked(''), true)]).toEqual([
      '2.2.2.2',
      '10.0.0.9',
      '10.0.0.9',
    ])
  })
})
