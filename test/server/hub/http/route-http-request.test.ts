import { type DeliveredEnvelope, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { consumeRateLimit, rateLimits } from '../../../../server/policy/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { connectLine, fillInbox, listAgent, upTo } from '../bare-agent.ts'
import { loginOf } from '../protocols/market-fixture.ts'

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
const poll = async (token: string, query = ''): Promise<Page> => (await ask(`GET /v1/messages${query}`, { token })).answer as Page
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
    const { status, type, answer } = await ask('GET /v1/messages')
    expect([status, type]).toEqual([401, 'application/problem+json'])
    expect(answer).toEqual({
      type: '/problems/auth.required',
      title: 'auth: required',
      status: 401,
      detail: expect.any(String),
      code: 'auth.required',
      retry: 'after_change',
      hint: expect.stringContaining('Bearer'),
      instance: expect.any(String),
    })
  })

  it('meets a wrong token, another scheme, and the token of an agent that has a key', async () => {
    for (const authorization of ['Bearer wrong', 'Basic d3Jvbmc6', 'Bearer', 'Bearer  ', `Bearer ${'x'.repeat(2_000)}`])
      expect((await ask('GET /v1/messages', { headers: { authorization } })).status, authorization).toBe(401)
    const agent = await listAgent(world, owner, 'keyed')
    expect((await ask('GET /v1/messages', { token: agent.token })).status).toBe(200)
    const line = await connectLine(world.hubUrl, agent)
    for (const route of ['GET /v1/messages', 'POST /v1/commands'])
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

  it('limits wrong tokens by address, before it looks one up', async () => {
    const { token } = await listAgent(world, owner, 'guessed')
    world.clock.advance(60_000)
    const now = vi.spyOn(world.clock, 'now').mockReturnValue(world.clock.now())
    const anonymous = world.world.contextFor({ kind: 'anonymous' })
    for (let times = 1; times < rateLimits.unproven.burst; times++) consumeRateLimit(anonymous, 'unproven', '127.0.0.1')
    const refused = { status: 429, answer: { code: 'rate.exceeded', facts: { class: 'unproven' } } }
    expect((await ask('GET /v1/messages', { token: 'parley_wrong' })).status).toBe(401)
    expect(await ask('GET /v1/messages', { token })).toMatchObject(refused)
    expect(await ask('POST /v1/commands', { token, body: {} })).toMatchObject(refused)
    now.mockRestore()
    world.clock.advance(60_000)
    expect((await ask('GET /v1/messages', { token })).status).toBe(200)
  })

  it('lets an agent wait in a few requests at a time, and in more once those have ended', async () => {
    const { token } = await listAgent(world, owner, 'queuer')
    const waiting = Array.from({ length: 5 }, () =>
      fetch(`${world.hubUrl}/v1/messages?wait=1`, { headers: { authorization: `Bearer ${token}` } }),
    )
    const statuses = (await Promise.all(waiting)).map((one) => one.status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect((await ask('GET /v1/messages?wait=1', { token })).status).toBe(200)
  })

  it('meets what is no command, by its own code', async () => {
    const { token } = await listAgent(world, owner, 'mumbler')
    const code = async (asked: Asked) => ((await ask('POST /v1/commands', { token, ...asked })).answer as { code: string }).code
    expect(await code({ text: '' })).toBe('request.malformed')
    expect(await code({ text: '{"type":"goal.claim"' })).toBe('request.malformed')
    expect(await code({ text: '{"type":"goal.claim","type":"goal.claim"}' })).toBe('request.malformed')
    expect(await code({ text: `{"type":"listing.discover","query":${'['.repeat(60)}${']'.repeat(60)}}` })).toBe('request.malformed')
    expect(await code({ body: { type: 'goal.dance' } })).toBe('request.unknown_command')
    expect(await code({ body: [] })).toBe('request.unknown_command')
    expect(await code({ body: { type: 'goal.claim', goal_id: 'gol_1' } })).toBe('request.malformed')
    expect(await code({ body: { type: 'goal.claim', goal_id: `gol_${'0'.repeat(32)}` } })).toBe('goal.not_found')
  })

  it.each(['GET /elsewhere', 'POST /v1/constructor', 'DELETE /v1/messages', 'GET //v1/messages'])('finds nothing at %s', async (route) => {
    expect(await ask(route)).toMatchObject({ status: 404, answer: { code: 'request.not_found' } })
  })

  it('reaches a sender that sends too much, though not all of it was read', async () => {
    const { token } = await listAgent(world, owner, 'heavy')
    const { status, answer } = await ask('POST /v1/commands', { token, text: `"${'x'.repeat(12_000_000)}"` })
    expect([status, answer]).toEqual([413, expect.objectContaining({ code: 'request.too_large' })])
  })

  it('states how long to wait, in the header too', async () => {
    // However long the requests take: on the server's clock no time passes.
    const now = vi.spyOn(world.clock, 'now').mockReturnValue(new Date())
    const { token } = await listAgent(world, owner, 'eager')
    const answers = await Promise.all(
      Array.from({ length: rateLimits.search.burst + 30 }, () =>
        ask('POST /v1/commands', { token, body: { type: 'listing.discover', query: {} } }),
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
  it('refuses a listing that is none, and states which field', async () => {
    const { status, answer } = await ask('POST /v1/agents', { body: draft({ payout: 'my wallet', skills: [] }) })
    expect([status, answer]).toEqual([
      400,
      expect.objectContaining({ code: 'request.malformed', detail: expect.stringMatching(/payout[\s\S]*|skills[\s\S]*/) }),
    ])
    expect((answer as { detail: string }).detail).toMatch(/payout/)
    expect((await ask('POST /v1/agents', { text: 'handle=walk-in' })).status).toBe(400)
  })

  it('is stopped by an operator’s rule, as any publishing is', async () => {
    const operator = await world.person({ usdc: 0n, isOperator: true })
    const rule = { effect: 'deny', points: ['admit'], subject: { skill_id: 'text.walk' }, reason: 'Nobody walks in.' }
    const { rule_id } = await operator.send<{ rule_id: string }>({ type: 'rule.create', rule })
    expect(await ask('POST /v1/agents', { body: draft() })).toMatchObject({ status: 403, answer: { code: 'rule.denied' } })
    await operator.send({ type: 'rule.revoke', rule_id })
  })

  it('gives an agent without a key its name and token, once for a handle, for any content type', async () => {
    const first = await ask('POST /v1/agents', { body: draft(), headers: { 'content-type': 'application/x-www-form-urlencoded' } })
    expect(first).toMatchObject({
      status: 201,
      answer: { did: expect.stringMatching(/^did:web:/), token: expect.any(String), agent_id: expect.any(String) },
    })
    expect(await ask('POST /v1/agents', { body: draft() })).toMatchObject({ status: 409, answer: { code: 'listing.handle_taken' } })
    const { token } = first.answer as { token: string }
    expect((await ask('POST /v1/commands', { token, body: { type: 'listing.discover', query: {} } })).status).toBe(200)
  })
})

describe('registering for a wallet', () => {
  const forWallet = (payout: string, handle: string) => ask('POST /v1/agents', { body: draft({ handle, name: handle, payout }) })
  const refusal = { status: 401, answer: { code: 'auth.required', hint: expect.stringMatching(/Sign in/) } }

  it('is refused if it has a listing, is named by one of a signed-in owner, or belongs to the market', async () => {
    const [victim, cold] = [await world.person({ usdc: 0n }), `0x${'c0'.repeat(20)}`]
    await world.publish(victim, { handle: 'violet-ledger', payout: cold, skills: draft().skills as never })
    const house = await world.person({ usdc: 0n, isHouse: true })
    const { evaluator, feeTo } = world.world.market
    for (const payout of [victim.account.address.toLowerCase(), cold, house.account.address.toLowerCase(), evaluator, feeTo])
      expect(await forWallet(payout, 'shadow-ledger'), payout).toMatchObject(refusal)
    expect((await forWallet(`0x${'c1'.repeat(20)}`, 'shadow-ledger')).status).toBe(201)
  })

  it('is refused if it has signed in, and costs its rate nothing', async () => {
    const visitor = await world.person({ usdc: 0n })
    await loginOf(world, visitor)
    const address = visitor.account.address.toLowerCase()
    expect(await forWallet(address, 'walk-past')).toMatchObject(refusal)
    const now = vi.spyOn(world.clock, 'now').mockReturnValue(world.clock.now())
    for (let n = 0; n < 5; n++) await forWallet(address, 'walk-past')
    for (let n = 0; n < rateLimits.listing.burst; n++) consumeRateLimit(visitor.ctx, 'listing', '')
    now.mockRestore()
    expect(await world.system.db.listing.count({ where: { ownerId: visitor.did } })).toBe(0)
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

  it('refuses an ack that it has not given, and one beyond the end', async () => {
    const agent = await listAgent(world, owner, 'forger')
    await fillInbox(world, agent.inboxId, 2)
    for (const word of ['nonsense', wordOf([1]), wordOf({ [agent.inboxId]: -1 }), wordOf({ [agent.inboxId]: 'all' })])
      expect(await ask(`GET /v1/messages?ack=${word}`, { token: agent.token }), word).toMatchObject({
        status: 400,
        answer: { code: 'request.malformed' },
      })
    expect(seqs(await poll(agent.token))).toEqual([1, 2])
    for (const beyond of [3, Number.MAX_SAFE_INTEGER])
      expect(await ask(`GET /v1/messages?ack=${wordOf({ [agent.inboxId]: beyond })}`, { token: agent.token })).toMatchObject({
        status: 409,
        answer: { code: 'cursor.beyond_head', facts: { after: beyond, head: 2 } },
      })
    expect(seqs(await poll(agent.token, `?ack=${wordOf({ [agent.inboxId]: 2 })}`))).toEqual([])
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
    // Long before the wait is over, or anyone looks by himself.
    expect(Date.now() - written).toBeLessThan(10_000)
  })

  it('arrive in pages of at most 100, of all rooms together', async () => {
    const [agent, room] = [await listAgent(world, owner, 'crowded'), await listAgent(world, owner, 'crowd')]
    const { did } = await world.system.db.listing.findUniqueOrThrow({ where: { agentId: agent.agentId } })
    const membership = { memberId: did ?? '', agentId: agent.agentId, ownerId: owner.did, role: 'member', joinedAt: new Date() } as const
    await world.system.db.membership.create({ data: { roomId: room.inboxId, ...membership } })
    for (const { inboxId } of [agent, room]) await fillInbox(world, inboxId, 60)
    const first = await poll(agent.token)
    expect(first.messages).toHaveLength(100)
    expect((await poll(agent.token, `?ack=${first.ack}`)).messages).toHaveLength(20)
  })

  it('arrive in pages that are bounded in bytes too', async () => {
    const agent = await listAgent(world, owner, 'weighty')
    await fillInbox(world, agent.inboxId, 40, { text: '€'.repeat(60_000) })
    const seen: (number | undefined)[] = []
    for (let page = await poll(agent.token); page.messages.length > 0; page = await poll(agent.token, `?ack=${page.ack}`)) {
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(2_500_000)
      seen.push(...seqs(page))
    }
    expect(seen).toEqual(upTo(40))
  })

  it('of a long backlog come page by page, in order', async () => {
    const agent = await listAgent(world, owner, 'backlogged')
    await fillInbox(world, agent.inboxId, 130)
    const seen: (number | undefined)[] = []
    for (let page = await poll(agent.token); page.messages.length > 0; page = await poll(agent.token, `?ack=${page.ack}`))
      seen.push(...seqs(page))
    expect(seen).toEqual(upTo(130))
  })

  it('that no one writes are abandoned after the wait', async () => {
    const { token } = await listAgent(world, owner, 'patient')
    const begun = Date.now()
    expect(seqs(await poll(token, '?wait=1'))).toEqual([])
    expect(Date.now() - begun).toBeGreaterThanOrEqual(950)
    for (const wait of ['abc', '-5', '']) expect(seqs(await poll(token, `?wait=${wait}`))).toEqual([])
  })
})

// Agents that speak other protocols: MCP and A2A.
let client: TestPerson
let token: string
beforeAll(async () => {
  client = await world.person()
  await listAgent(world, await world.person({ usdc: 0n }), 'trundler')
  token = await loginOf(world, client)
})

type Answer = { result?: Record<string, never>; error?: { code: number; message: string } }
type Visiting = { token?: string | undefined; headers?: Record<string, string>; text?: string }
async function post(path: string, body: unknown, { token: bearer, headers, text }: Visiting = {}) {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const response = await fetch(`${world.hubUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body: text ?? JSON.stringify(body),
  })
  const bodyText = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    answer: (bodyText === '' ? {} : JSON.parse(bodyText)) as Answer & { code?: string },
  }
}
let ids = 0
const rpc = async (path: string, method: string, params: unknown, asked: Visiting = {}) =>
  (await post(path, { jsonrpc: '2.0', id: ++ids, method, params }, asked)).answer
type Done = { isError: boolean; structuredContent: Record<string, never>; content: { text: string }[] }
const call = async (name: string, input: object, bearer?: string) =>
  (await rpc('/v1/mcp', 'tools/call', { name, arguments: input }, { token: bearer })).result as unknown as Done
const deadline = () => new Date(world.clock.now().getTime() + 3_600_000).toISOString()
const work = () => ({ text: 'Walk this text: "the report is late"', criteria: ['It walks.'], budget: '2000000', deadline: deadline() })

describe('both doors', () => {
  it.each(['/v1/mcp', '/v1/a2a'])(
    '%s refuses whose token stands for no one, pages of other sites, and what is no request',
    async (path) => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const unknown = await post(path, ping, { token: 'nobody' })
      expect([unknown.status, unknown.answer.code, unknown.headers.get('www-authenticate')]).toEqual([401, 'auth.required', 'Bearer'])
      expect((await post(path, ping, { headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
      expect((await post(path, ping, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403)
      expect((await post(path, null, { text: '{' })).answer.error?.code).toBe(-32_700)
      const reserved = (await post(path, null, { text: '{"constructor":1}' })).answer.error
      expect(reserved).toMatchObject({ code: -32_700, message: expect.stringContaining('the key "constructor" is not allowed') })
      expect((await post(path, [ping])).answer.error?.code).toBe(-32_600)
      expect((await post(path, { ...ping, method: 'everything/now' })).answer.error?.code).toBe(-32_601)
      const posted = await post(path, { jsonrpc: '2.0', method: 'notifications/initialized' })
      expect([posted.status, posted.answer]).toEqual([202, {}])
    },
  )
})

describe('the market as an MCP server', () => {
  it('begins in the version asked for, or in its newest, and lists its tools with their schemas', async () => {
    const begin = (protocolVersion: string) =>
      rpc('/v1/mcp', 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } })
    expect((await begin('2025-06-18')).result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'parley' } })
    expect((await begin('1999-01-01')).result).toMatchObject({ protocolVersion: '2025-11-25' })
    const { result } = await rpc('/v1/mcp', 'tools/list', {})
    const tools = (
      result as unknown as { tools: { name: string; inputSchema: { type: string }; annotations: { readOnlyHint: boolean } }[] }
    ).tools
    expect(tools.every((tool) => tool.inputSchema.type === 'object')).toBe(true)
    expect(tools.filter((tool) => tool.annotations.readOnlyHint).map((tool) => tool.name)).toEqual([
      'search_listings',
      'get_listing',
      'quote_goal',
      'get_goal',
      'read_memory',
      'follow_goal',
    ])
    const other = await post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: { 'mcp-protocol-version': '1.0' } })
    expect(other.status).toBe(400)
    expect((await fetch(`${world.hubUrl}/v1/mcp`)).status).toBe(405)
  })

  it('lets anyone search and read, and refuses everyone without a login to change anything', async () => {
    const found = await call('search_listings', { text: 'trundle' })
    expect(found.structuredContent).toMatchObject({ listings: [{ handle: 'trundler' }] })
    expect((await call('get_listing', { handle: 'trundler' })).structuredContent).toMatchObject({ handle: 'trundler' })
    expect((await call('get_listing', { handle: 'no-such' })).content[0]?.text).toContain('listing.not_found')
    const agent = (await listAgent(world, client, 'stroller')).token
    const goal_id = `gol_${'0'.repeat(32)}`
    const changes = [
      ['post_goal', work()],
      ['fund_goal', { goal_id, signature: `0x${'0'.repeat(130)}` }],
      ['accept_goal', { goal_id }],
      ['cancel_goal', { goal_id }],
    ] as const
    for (const [name, input] of changes) {
      const [noParty, keyless] = [await call(name, input), await call(name, input, agent)]
      expect([noParty.isError, noParty.content[0]?.text.includes('auth.required')], name).toEqual([true, true])
      expect([keyless.isError, keyless.content[0]?.text.includes('permission.denied')], name).toEqual([true, true])
    }
    expect((await call('post_message', { goal_id, text: 'Hello.' })).content[0]?.text).toContain('goal.not_found')
    for (const name of ['read_memory', 'erase_memory']) {
      expect((await call(name, {})).content[0]?.text).toContain('auth.required')
      expect((await call(name, {}, token)).isError).toBe(false)
    }
    expect((await rpc('/v1/mcp', 'tools/call', { name: 'constructor', arguments: {} })).error?.code).toBe(-32_602)
    const faulty = await call('post_goal', { text: 'Too little.' })
    expect([faulty.isError, faulty.content[0]?.text]).toEqual([true, expect.stringContaining('at budget')])
  })

  it('posts, funds, follows and stops a goal for a wallet that is signed in, and shows it to no one else before it is public', async () => {
    const posted = await call('post_goal', { ...work(), visibility: 'private' }, token)
    const { goal, sign } = posted.structuredContent as unknown as { goal: { goal_id: string; state: string }; sign: { typed_data: never } }
    expect(goal.state).toBe('funding')
    const stranger = await loginOf(world, await world.person({ usdc: 0n }))
    for (const bearer of [undefined, stranger]) {
      expect((await call('get_goal', { goal_id: goal.goal_id }, bearer)).content[0]?.text).toContain('goal.not_found')
      expect((await call('post_message', { goal_id: goal.goal_id, text: 'Me too.' }, bearer)).content[0]?.text).toContain('goal.not_found')
    }
    expect((await call('cancel_goal', { goal_id: goal.goal_id }, stranger)).isError).toBe(true)
    const signature = await client.account.signTypedData(sign.typed_data)
    expect((await call('fund_goal', { goal_id: goal.goal_id, signature }, token)).isError).toBe(false)
    await world.until('the goal to be open', async () => {
      const now = await call('get_goal', { goal_id: goal.goal_id }, token)
      return (now.structuredContent as unknown as { goal: { state: string } }).goal.state === 'open'
    })
    expect((await call('post_message', { goal_id: goal.goal_id, text: 'Any takers?' }, token)).isError).toBe(false)
    const followed = await call('get_goal', { goal_id: goal.goal_id, after: 1 }, token)
    expect(followed.content[0]?.text).toContain('Any takers?')
    expect((await call('cancel_goal', { goal_id: goal.goal_id }, token)).isError).toBe(false)
  })
})

describe('the market as an A2A agent', () => {
  it('shows its card, with its door in both versions', async () => {
    const card = await (await fetch(`${world.hubUrl}/.well-known/agent-card.json`)).json()
    expect(card).toMatchObject({ name: 'Parley', supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, {}] })
    expect(card.url).toMatch(/\/v1\/a2a$/)
  })

  it.each([
    ['SendMessage', 'GetTask', 'CancelTask', 'ROLE_USER', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED'],
    ['message/send', 'tasks/get', 'tasks/cancel', 'user', 'input-required', 'canceled'],
  ])('%s searches by words, posts a goal as a task, and follows and stops it', async (send, get, cancel, role, waits, stopped) => {
    const message = (...parts: object[]) => ({ message: { messageId: `m${++ids}`, role, parts } })
    const found = JSON.stringify(await rpc('/v1/a2a', send, message({ text: 'trundle' })))
    expect(found).toContain('trundler')
    const { text, ...goal } = work()
    const asked = message({ text }, { data: { goal: { ...goal, visibility: 'private' } } })
    expect((await rpc('/v1/a2a', send, asked)).error?.message).toContain('auth.required')
    const sent = (await rpc('/v1/a2a', send, asked, { token })).result as unknown as Record<string, never>
    const task = (send === 'SendMessage' ? sent.task : sent) as unknown as { id: string; status: { state: string; message: object } }
    expect(task.status.state).toBe(waits)
    expect(JSON.stringify(task.status.message)).toContain('typed_data')
    expect((await rpc('/v1/a2a', get, { id: task.id })).error?.code).toBe(-32_001)
    expect((await rpc('/v1/a2a', cancel, { id: task.id })).error?.message).toContain('auth.required')
    const seen = (await rpc('/v1/a2a', get, { id: task.id, historyLength: 1 }, { token })).result as unknown as { history: object[] }
    expect(JSON.stringify(seen.history)).toContain('the report is late')
    expect((await rpc('/v1/a2a', cancel, { id: task.id }, { token })).result).toMatchObject({ status: { state: stopped } })
    expect(
      (await rpc('/v1/a2a', cancel, { id: task.id }, { token: await loginOf(world, await world.person({ usdc: 0n })) })).error?.code,
    ).toBeLessThan(-32_000)
  })

  it('states which of its methods it does not have', async () => {
    expect((await rpc('/v1/a2a', 'CreateTaskPushNotificationConfig', {})).error?.code).toBe(-32_004)
    expect((await rpc('/v1/a2a', 'GetTask', {})).error?.code).toBe(-32_602)
  })
})
