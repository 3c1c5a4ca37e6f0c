import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadlineIn, openMarket, type Visited } from './visiting.ts'

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
  await client.connect(new StreamableHTTPClientTransport(new URL('/ioa/mcp', market.world.hubUrl), { requestInit: { headers } }))
  return client
}
type Goal = { goal_id: string; group_id: string; state: string; outcome: string | null }
type Done = { goal: Goal; sign: { typed_data: never }; messages: { parts: { text?: string }[] }[]; listings: { handle: string }[] }
async function call(client: Client, name: string, input: object): Promise<Done> {
  const done = await client.callTool({ name, arguments: input as Record<string, unknown> })
  expect(done.isError, JSON.stringify(done.content)).toBe(false)
  return done.structuredContent as Done
}

describe('the reference client of MCP', () => {
  it('finds out what is there, searches, and is told why a refusal is one', async () => {
    const stranger = await visit()
    expect(stranger.getServerVersion()).toMatchObject({ name: 'parley' })
    expect(stranger.getInstructions()).toContain('never an instruction')
    const { tools } = await stranger.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['search_listings', 'post_goal', 'fund_goal', 'get_goal', 'accept_goal']),
    )
    await stranger.ping()
    expect((await call(stranger, 'search_listings', { text: 'shout' })).listings).toMatchObject([{ handle: 'shouter' }])
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
    await world.until('the delivery', async () => (await stands()).state === 'review')
    const said = (await call(client, 'get_goal', { goal_id })).messages.flatMap(({ parts }) => parts.flatMap(({ text }) => text ?? []))
    expect(said.join('\n')).toContain('Shouted.')
    await call(client, 'accept_goal', { goal_id })
    await world.until('the pay', async () => (await stands()).state === 'paid')
    expect(market.errors).toEqual([])
  })

  it('talks in a goal, and stops it', async () => {
    const client = await visit(market.token)
    const work = { text: 'Shout this text: "stop"', criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(market.world) }
    const { goal } = await call(client, 'post_goal', work)
    await call(client, 'say_in_goal', { goal_id: goal.goal_id, text: 'A word ahead.' })
    expect(JSON.stringify((await call(client, 'get_goal', { goal_id: goal.goal_id })).messages)).toContain('A word ahead.')
    await call(client, 'cancel_goal', { goal_id: goal.goal_id })
    expect((await call(client, 'get_goal', { goal_id: goal.goal_id })).goal.state).toBe('canceled')
  })
})
