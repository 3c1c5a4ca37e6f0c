import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { openSession, type Person, type RoomWorld } from '../room-world.ts'
import { listAgent } from './bare-agent.ts'

let world: TestWorld
let client: TestPerson
let token: string

beforeAll(async () => {
  world = await createWorld({ jobs: true })
  client = await world.person()
  await listAgent(world, await world.person({ usdc: 0n }), 'walker')
  token = await loginOf(client)
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A login as signing in on the web leaves it. */
async function loginOf({ ctx }: TestPerson): Promise<string> {
  const { clock, system } = world
  const login = await openSession({ clock, db: system.db, ctx: system } as unknown as RoomWorld, { actor: ctx.actor } as Person)
  return login.token
}
type Answer = { result?: Record<string, never>; error?: { code: number; message: string } }
type Asked = { token?: string | undefined; headers?: Record<string, string>; text?: string }
async function post(path: string, body: unknown, { token: bearer, headers, text }: Asked = {}) {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const response = await fetch(`${world.hubUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization, ...headers },
    body: text ?? JSON.stringify(body),
  })
  const said = await response.text()
  return { status: response.status, headers: response.headers, answer: (said === '' ? {} : JSON.parse(said)) as Answer & { code?: string } }
}
let ids = 0
const rpc = async (path: string, method: string, params: unknown, asked: Asked = {}) =>
  (await post(path, { jsonrpc: '2.0', id: ++ids, method, params }, asked)).answer
type Done = { isError: boolean; structuredContent: Record<string, never>; content: { text: string }[] }
const call = async (name: string, input: object, bearer?: string) =>
  (await rpc('/ioa/mcp', 'tools/call', { name, arguments: input }, { token: bearer })).result as unknown as Done
const deadline = () => new Date(world.clock.now().getTime() + 3_600_000).toISOString()
const work = () => ({ text: 'Walk this text: "the report is late"', criteria: ['It walks.'], budget: '2000000', deadline: deadline() })

describe('both doors', () => {
  it.each(['/ioa/mcp', '/ioa/a2a'])(
    '%s refuses whose token stands for nobody, pages of other sites, and what is no request',
    async (path) => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const unknown = await post(path, ping, { token: 'nobody' })
      expect([unknown.status, unknown.answer.code, unknown.headers.get('www-authenticate')]).toEqual([401, 'auth.required', 'Bearer'])
      expect((await post(path, ping, { headers: { authorization: 'Basic eDp5' } })).status).toBe(401)
      expect((await post(path, ping, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403)
      expect((await post(path, null, { text: '{' })).answer.error?.code).toBe(-32_700)
      expect((await post(path, [ping])).answer.error?.code).toBe(-32_600)
      expect((await post(path, { ...ping, method: 'everything/now' })).answer.error?.code).toBe(-32_601)
      const told = await post(path, { jsonrpc: '2.0', method: 'notifications/initialized' })
      expect([told.status, told.answer]).toEqual([202, {}])
    },
  )
})

describe('the market as an MCP server', () => {
  it('begins in the version asked for, or in its newest, and lists its tools with their schemas', async () => {
    const begin = (protocolVersion: string) =>
      rpc('/ioa/mcp', 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } })
    expect((await begin('2025-06-18')).result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'parley' } })
    expect((await begin('1999-01-01')).result).toMatchObject({ protocolVersion: '2025-11-25' })
    const { result } = await rpc('/ioa/mcp', 'tools/list', {})
    const tools = (
      result as unknown as { tools: { name: string; inputSchema: { type: string }; annotations: { readOnlyHint: boolean } }[] }
    ).tools
    expect(tools.every((tool) => tool.inputSchema.type === 'object')).toBe(true)
    expect(tools.filter((tool) => tool.annotations.readOnlyHint).map((tool) => tool.name)).toEqual([
      'search_listings',
      'get_listing',
      'get_goal',
      'recall_memory',
    ])
    const other = await post('/ioa/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: { 'mcp-protocol-version': '1.0' } })
    expect(other.status).toBe(400)
    expect((await fetch(`${world.hubUrl}/ioa/mcp`)).status).toBe(405)
  })

  it('lets anybody search and read, and refuses everybody without a login to change anything', async () => {
    const found = await call('search_listings', { text: 'walk' })
    expect(found.structuredContent).toMatchObject({ listings: [{ handle: 'walker' }] })
    expect((await call('get_listing', { handle: 'walker' })).structuredContent).toMatchObject({ handle: 'walker' })
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
      const [nobody, keyless] = [await call(name, input), await call(name, input, agent)]
      expect([nobody.isError, nobody.content[0]?.text.includes('auth.required')], name).toEqual([true, true])
      expect([keyless.isError, keyless.content[0]?.text.includes('permission.denied')], name).toEqual([true, true])
    }
    expect((await call('say_in_goal', { goal_id, text: 'Hello.' })).content[0]?.text).toContain('goal.not_found')
    for (const name of ['recall_memory', 'erase_memory']) {
      expect((await call(name, {})).content[0]?.text).toContain('auth.required')
      expect((await call(name, {}, token)).isError).toBe(false)
    }
    expect((await rpc('/ioa/mcp', 'tools/call', { name: 'constructor', arguments: {} })).error?.code).toBe(-32_602)
    expect((await rpc('/ioa/mcp', 'tools/call', { name: 'post_goal', arguments: { text: 'Too little.' } })).error?.code).toBe(-32_602)
  })

  it('posts, funds, follows and stops a goal for a wallet that is signed in, and shows it to nobody else before it is public', async () => {
    const posted = await call('post_goal', { ...work(), visibility: 'private' }, token)
    const { goal, sign } = posted.structuredContent as unknown as { goal: { goal_id: string; state: string }; sign: { typed_data: never } }
    expect(goal.state).toBe('funding')
    const stranger = await loginOf(await world.person({ usdc: 0n }))
    for (const bearer of [undefined, stranger]) {
      expect((await call('get_goal', { goal_id: goal.goal_id }, bearer)).content[0]?.text).toContain('goal.not_found')
      expect((await call('say_in_goal', { goal_id: goal.goal_id, text: 'Me too.' }, bearer)).content[0]?.text).toContain('goal.not_found')
    }
    expect((await call('cancel_goal', { goal_id: goal.goal_id }, stranger)).isError).toBe(true)
    const signature = await client.account.signTypedData(sign.typed_data)
    expect((await call('fund_goal', { goal_id: goal.goal_id, signature }, token)).isError).toBe(false)
    await world.until('the goal to be open', async () => {
      const now = await call('get_goal', { goal_id: goal.goal_id }, token)
      return (now.structuredContent as unknown as { goal: { state: string } }).goal.state === 'open'
    })
    expect((await call('say_in_goal', { goal_id: goal.goal_id, text: 'Any takers?' }, token)).isError).toBe(false)
    const followed = await call('get_goal', { goal_id: goal.goal_id, after: 1 }, token)
    expect(followed.content[0]?.text).toContain('Any takers?')
    expect((await call('cancel_goal', { goal_id: goal.goal_id }, token)).isError).toBe(false)
  })
})

describe('the market as an A2A agent', () => {
  it('shows its card, with its door in both versions', async () => {
    const card = await (await fetch(`${world.hubUrl}/.well-known/agent-card.json`)).json()
    expect(card).toMatchObject({ name: 'Parley', supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, {}] })
    expect(card.url).toMatch(/\/ioa\/a2a$/)
  })

  it.each([
    ['SendMessage', 'GetTask', 'CancelTask', 'ROLE_USER', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_CANCELED'],
    ['message/send', 'tasks/get', 'tasks/cancel', 'user', 'input-required', 'canceled'],
  ])('%s searches by words, posts a goal as a task, and follows and stops it', async (send, get, cancel, role, waits, stopped) => {
    const message = (...parts: object[]) => ({ message: { messageId: `m${++ids}`, role, parts } })
    const found = JSON.stringify(await rpc('/ioa/a2a', send, message({ text: 'walk' })))
    expect(found).toContain('walker')
    const { text, ...goal } = work()
    const asked = message({ text }, { data: { goal: { ...goal, visibility: 'private' } } })
    expect((await rpc('/ioa/a2a', send, asked)).error?.message).toContain('auth.required')
    const sent = (await rpc('/ioa/a2a', send, asked, { token })).result as unknown as Record<string, never>
    const task = (send === 'SendMessage' ? sent.task : sent) as unknown as { id: string; status: { state: string; message: object } }
    expect(task.status.state).toBe(waits)
    expect(JSON.stringify(task.status.message)).toContain('typed_data')
    expect((await rpc('/ioa/a2a', get, { id: task.id })).error?.code).toBe(-32_001)
    expect((await rpc('/ioa/a2a', cancel, { id: task.id })).error?.message).toContain('auth.required')
    const seen = (await rpc('/ioa/a2a', get, { id: task.id, historyLength: 1 }, { token })).result as unknown as { history: object[] }
    expect(JSON.stringify(seen.history)).toContain('the report is late')
    expect((await rpc('/ioa/a2a', cancel, { id: task.id }, { token })).result).toMatchObject({ status: { state: stopped } })
    expect(
      (await rpc('/ioa/a2a', cancel, { id: task.id }, { token: await loginOf(await world.person({ usdc: 0n })) })).error?.code,
    ).toBeLessThan(-32_000)
  })

  it('says which of its methods it does not have', async () => {
    expect((await rpc('/ioa/a2a', 'SendStreamingMessage', {})).error?.code).toBe(-32_004)
    expect((await rpc('/ioa/a2a', 'GetTask', {})).error?.code).toBe(-32_602)
  })
})
