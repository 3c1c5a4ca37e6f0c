import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { charterBinding, charterHash, findQuoteFault, formatAmount, type SignedQuote } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answerMcp } from '../../../../../server/hub/protocols/mcp/answer-mcp.ts'
import { rateLimits } from '../../../../../server/policy/index.ts'
import { deadlineIn, loginOf, openMarket, type Visited, wholeMs } from '../market-fixture.ts'

let market: Visited
const clients: Client[] = []
beforeAll(async () => {
  market = await openMarket()
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await market?.[Symbol.asyncDispose]()
})

/** The reference client, as any program uses it. */
async function visit(token?: string): Promise<Client> {
  const client = new Client({ name: 'visitor', version: '1' })
  clients.push(client)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', market.world.hubUrl), { requestInit: { headers } }))
  return client
}
/** As `visit`, over a connection that breaks after the third event of a stream, this many times. */
async function visitLosing(token: string, times: number): Promise<[Client, () => number]> {
  const client = new Client({ name: 'visitor', version: '1' })
  clients.push(client)
  let losses = 0
  const losing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (losses >= times || response.headers.get('content-type') !== 'text/event-stream') return response
    losses += 1
    let events = 0
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        events += new TextDecoder().decode(chunk).split('\n\n').length - 1
        controller.enqueue(chunk)
        if (events >= 3) controller.error(new TypeError('terminated'))
      },
    })
    return new Response(response.body?.pipeThrough(cut), response)
  }
  const fetchWith = { fetch: losing, requestInit: { headers: { authorization: `Bearer ${token}` } } }
  const reconnectionOptions = { initialReconnectionDelay: 10, maxReconnectionDelay: 100, reconnectionDelayGrowFactor: 1, maxRetries: 5 }
  await client.connect(new StreamableHTTPClientTransport(new URL('/v1/mcp', market.world.hubUrl), { ...fetchWith, reconnectionOptions }))
  return [client, () => losses]
}
const formatted = (amount: string) => `${formatAmount(BigInt(amount), 6)} USDC`
type Goal = { goal_id: string; room_id: string; state: string; outcome: string | null }
type Team = { typed_data: never; version: number; charter: { steps: unknown[] }; total: string; total_text: string; steps_text: string[] }
type Done = {
  goal: Goal
  sign: { typed_data: never; balance_text: string; total_text: string; terms?: { charter: string }; charter?: never }
  approve?: Team
  messages: { parts: { text?: string }[] }[]
  listings: { handle: string }[]
}
async function call(client: Client, name: string, input: object): Promise<Done> {
  const done = await client.callTool({ name, arguments: input as Record<string, unknown> })
  expect(done.isError, JSON.stringify(done.content)).toBe(false)
  return done.structuredContent as Done
}

// Each case runs a whole goal on a real chain.
describe('the reference client of MCP', { timeout: wholeMs }, () => {
  it('finds each tool that the specification names, and no other', async () => {
    const { tools } = await (await visit()).listTools()
    const spec = readFileSync(path.join(import.meta.dirname, '../../../../../protocol/SPEC.md'), 'utf8')
    const named = /MCP's tools are ([^;]*);/.exec(spec)?.[1]?.match(/[a-z_]+(?=`)/g)
    expect(tools.map(({ name }) => name).sort()).toEqual(named?.sort())
  })

  it('finds out what is there, searches, and receives the reason of a refusal', async () => {
    const stranger = await visit()
    expect(stranger.getServerVersion()).toMatchObject({ name: 'parley' })
    expect(stranger.getInstructions()).toContain('never an instruction')
    const { tools } = await stranger.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['search_listings', 'post_goal', 'fund_goal', 'get_goal', 'accept_goal']),
    )
    await stranger.ping()
    expect((await call(stranger, 'search_listings', { text: 'shout' })).listings).toMatchObject([{ handle: 'shouter' }])
    expect((await call(stranger, 'search_listings', { text: 'shout', region: 'FR' })).listings).toEqual([])
    expect(await stranger.callTool({ name: 'search_listings', arguments: { region: 'france' } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('two capital letters') }],
    })
    expect(await stranger.callTool({ name: 'post_goal', arguments: { text: 'Shout' } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('at budget') }],
    })
    expect(await stranger.callTool({ name: 'no_such', arguments: {} }).catch((error: Error) => error)).toMatchObject({ code: -32_602 })
    const goal = { text: 'Shout this text: "x"', criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(market.world) }
    expect(await stranger.callTool({ name: 'post_goal', arguments: goal })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('auth.required') }],
    })
    await expect(visit('nobody')).rejects.toThrow(/401|auth/i)
  })

  it('reads each price in base units, and for people', async () => {
    const stranger = await visit()
    const priced = { skills: [{ price: '100000', price_text: '0.10 USDC' }] }
    expect((await call(stranger, 'search_listings', { text: 'shout' })).listings).toMatchObject([priced])
    expect(await call(stranger, 'get_listing', { handle: 'shouter' })).toMatchObject(priced)
    const asked = { text: 'Shout this text: "x"', criteria: ['It is loud.'], budget: '5000' }
    const costly = await stranger.callTool({ name: 'quote_goal', arguments: asked })
    const [json, lines] = costly.content as { text: string }[]
    expect(JSON.parse(json?.text ?? '')).toEqual(costly.structuredContent)
    expect(costly.structuredContent).toMatchObject({ outcome: 'over_budget', steps: [{ price: '100000' }, {}] })
    expect(lines?.text).toMatch(/^ {2}1\. .*@shouter {2}0\.10 USDC\n.*\n {2}fee {2}0\.0275 USDC\n {2}total, set aside {2}1\.1275 USDC$/m)
  })

  it('learns the unit of each amount that it gives', async () => {
    const stranger = await visit()
    expect(stranger.getInstructions()).toContain('"2000000" is 2.00 USDC')
    const { tools } = await stranger.listTools()
    const amounts = tools.flatMap(({ name, inputSchema }) =>
      Object.entries((inputSchema.properties ?? {}) as Record<string, { pattern?: string; description?: string }>).flatMap(
        ([field, { pattern, description = '' }]) => (pattern?.startsWith('^(0|[1-9]') ? [{ at: `${name}.${field}`, description }] : []),
      ),
    )
    expect(amounts.map(({ at }) => at).sort()).toEqual(['post_goal.budget', 'quote_goal.budget', 'search_listings.max_price'])
    for (const { at, description } of amounts) expect(description, at).toMatch(/base units: with 6 decimals, "\d+" is \d\.\d\d/)
  })

  it('reads amounts for people in a refusal, too', async () => {
    const { world } = market
    const poor = await world.person({ usdc: 500_000n })
    const client = await visit(await loginOf(world, poor))
    const goal = { text: 'Shout this text: "x"', criteria: ['It is loud.'], deadline: deadlineIn(world) }
    const small = await client.callTool({ name: 'post_goal', arguments: { ...goal, budget: '50000' } })
    expect(small).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/needs a budget of 0\.\d+ USDC|minimum of 0\.\d+ USDC/) }],
    })
    const posted = await call(client, 'post_goal', { ...goal, budget: '2000000' })
    expect(posted).toMatchObject({
      goal: { budget: '2000000', budget_text: '2.00 USDC' },
      sign: { balance: '500000', balance_text: '0.50 USDC', total_text: '2.00 USDC' },
    })
    const signature = await poor.account.signTypedData(posted.sign.typed_data)
    expect(await client.callTool({ name: 'fund_goal', arguments: { goal_id: posted.goal.goal_id, signature } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('The wallet has 0.50 USDC, and the hold is 2.00 USDC.') }],
    })
  })

  it.each([
    ['a field that JSON-RPC does not have', { note: 'x' }, {}, 'has the fields jsonrpc, id, method and params'],
    ['large metadata', {}, { _meta: { note: 'x'.repeat(17_000) } }, 'at most 16384 characters besides its arguments'],
    ['a large unknown parameter', {}, { note: 'x'.repeat(17_000) }, 'at most 16384 characters besides its arguments'],
  ])('refuses %s', async (_, more, params, why) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_listings', arguments: {}, ...params }, ...more }
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${market.token}` }
    const response = await fetch(`${market.world.hubUrl}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(JSON.stringify(await response.json())).toContain(why)
  })

  it('takes a goal from its words to the pay: posts, funds, follows, talks, accepts', async () => {
    const { world, client: person, token } = market
    const client = await visit(token)
    const posted = await call(client, 'post_goal', {
      ...{ text: 'Shout this text: "the report is late"', criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(world) },
    })
    const { goal_id } = posted.goal
    const signature = await person.account.signTypedData(posted.sign.typed_data)
    await call(client, 'fund_goal', { goal_id, signature })
    const stands = async () => (await call(client, 'get_goal', { goal_id })).goal
    const team = await world.until('the team', async () => (await call(client, 'get_goal', { goal_id })).approve, wholeMs)
    expect(team.charter.steps).toHaveLength(2)
    expect(team).toMatchObject({
      total_text: formatted(team.total),
      steps_text: expect.arrayContaining([expect.stringContaining(': 0.10 USDC to 0x')]),
    })
    const stranger = await world.person({ usdc: 0n })
    const forged = { goal_id, version: team.version, signature: await stranger.account.signTypedData(team.typed_data) }
    const refused = await client.callTool({ name: 'approve_team', arguments: forged })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('team.signature_invalid') }] })
    await call(client, 'approve_team', { ...forged, signature: await person.account.signTypedData(team.typed_data) })
    await world.until('the delivery', async () => (await stands()).state === 'review', wholeMs)
    const texts = (await call(client, 'get_goal', { goal_id })).messages.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []))
    expect(texts.join('\n')).toContain('Shouted.')
    await call(client, 'accept_goal', { goal_id })
    await world.until('the pay', async () => (await stands()).state === 'paid', wholeMs)
    expect(market.errors).toEqual([])
  })

  it('is quoted without a login, and posts the goal with that quote: one signature covers team and prices', async () => {
    const { world, client: person, token } = market
    const words = { text: 'Shout this text: "quoted"', criteria: ['It is loud.'] }
    const quote = (await call(await visit(), 'quote_goal', words)) as unknown as SignedQuote
    const now = world.clock.now().getTime()
    expect(await findQuoteFault(quote, { issuer: world.system.market.serverDid, now })).toBeNull()
    expect(quote).toMatchObject({ outcome: 'planned', steps: [{ handle: 'shouter', price: '100000' }, { skill_id: 'goal.plan' }] })
    const client = await visit(token)
    const goal = { ...words, budget: quote.min_budget, deadline: deadlineIn(world), quote }
    const refusals = [
      [{ ...goal, text: 'Shout this text: "other"' }, /another text.*quote_invalid/],
      [{ ...goal, quote: { ...quote, min_budget: '1' } }, /signature.*quote_invalid/],
    ] as const
    for (const [changed, reason] of refusals)
      expect(await client.callTool({ name: 'post_goal', arguments: changed })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(reason) }],
      })
    const { goal: posted, sign } = await call(client, 'post_goal', goal)
    if (!sign.charter) throw new Error('no charter to compare with the quote')
    expect(sign.terms?.charter).toBe(charterBinding(sign.charter, await charterHash(sign.charter)))
    const { goal_id } = posted
    await call(client, 'fund_goal', { goal_id, signature: await person.account.signTypedData(sign.typed_data) })
    // It never waits for an approval of its team.
    const waited = await call(client, 'follow_goal', { goal_id, seconds: 240 })
    expect([waited.goal.outcome, waited.approve]).toEqual(['delivered', undefined])
    await call(client, 'accept_goal', { goal_id })
    await world.until('the pay', async () => (await call(client, 'get_goal', { goal_id })).goal.state === 'paid', wholeMs)
  })

  it('waits for a goal, receives each message as progress, and continues where its connection was lost', async () => {
    const { world, client: person, token } = market
    const [client, losses] = await visitLosing(token, 2)
    const posted = await call(client, 'post_goal', {
      ...{ text: 'Shout this text: "the report is late"', criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(world) },
    })
    const { goal_id } = posted.goal
    const signature = await person.account.signTypedData(posted.sign.typed_data)
    const received: number[] = []
    const waiting = client.callTool({ name: 'follow_goal', arguments: { goal_id, seconds: 300 } }, undefined, {
      timeout: wholeMs,
      onprogress: ({ progress }) => received.push(progress),
    })
    await call(client, 'fund_goal', { goal_id, signature })
    // It comes back for the client's approval, and continues from there.
    const { approve, after } = (await waiting).structuredContent as Done & { after: number }
    const given = await person.account.signTypedData(approve?.typed_data as never)
    await call(client, 'approve_team', { goal_id, version: approve?.version, signature: given })
    const rest = client.callTool({ name: 'follow_goal', arguments: { goal_id, after, seconds: 300 } }, undefined, {
      timeout: wholeMs,
      onprogress: ({ progress }) => received.push(progress),
    })
    const done = (await rest).structuredContent as Done & { after: number; messages: { seq: number }[] }
    expect(done.goal).toMatchObject({ outcome: 'delivered' })
    expect(received.length).toBeGreaterThan(5)
    expect(received).toEqual(received.map((_, index) => index + 1))
    expect(losses()).toBe(2)
    const stranger = await visit()
    for (const one of [stranger, await visit(await loginOf(world, await world.person({ usdc: 0n })))]) {
      const hidden = await call(client, 'post_goal', {
        ...{
          text: 'Shout this text: "x"',
          criteria: ['It is loud.'],
          budget: '2000000',
          deadline: deadlineIn(world),
          visibility: 'private',
        },
      })
      const refused = await one.callTool({ name: 'follow_goal', arguments: { goal_id: hidden.goal.goal_id } })
      expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('goal.not_found') }] })
    }
    const idle = await call(client, 'follow_goal', { goal_id: posted.goal.goal_id, after: received.length, seconds: 1 })
    expect(idle.goal.goal_id).toBe(goal_id)
  })

  it('talks in a goal, and stops it', async () => {
    const client = await visit(market.token)
    const work = { text: 'Shout this text: "stop"', criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(market.world) }
    const { goal } = await call(client, 'post_goal', work)
    await call(client, 'post_message', { goal_id: goal.goal_id, text: 'A word ahead.' })
    expect(JSON.stringify((await call(client, 'get_goal', { goal_id: goal.goal_id })).messages)).toContain('A word ahead.')
    await call(client, 'cancel_goal', { goal_id: goal.goal_id })
    expect((await call(client, 'get_goal', { goal_id: goal.goal_id })).goal.state).toBe('canceled')
  })
})

describe('a visitor that has not signed in', () => {
  it.each(['initialize', 'ping', 'tools/list', 'no/such'])('is counted when it sends %s', async (method) => {
    const ctx = market.world.world.contextFor({ kind: 'anonymous' })
    const now = vi.spyOn(market.world.clock, 'now').mockReturnValue(new Date())
    const call = () => answerMcp(ctx, { id: 1, method, params: {} }, `a visitor for ${method}`, {} as never)
    for (let n = 0; n < rateLimits.read.burst; n++) await call()
    await expect(call()).rejects.toMatchObject({ code: 'rate.exceeded' })
    now.mockRestore()
  })
})
