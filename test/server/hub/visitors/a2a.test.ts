import { randomUUID } from 'node:crypto'
import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deadlineIn, openMarket, type Visited } from './visiting.ts'

let market: Visited
beforeAll(async () => {
  market = await openMarket()
})
afterAll(() => market?.[Symbol.asyncDispose]())

type Version = '1.0' | '0.3'
/** The SDK's client, by the card alone; an older one reads only the fields that 0.3 has. */
async function visit(version: Version, token?: string): Promise<Client> {
  const fetchImpl: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    // The card names the address behind a proxy; here the hub has a port of its own.
    const { pathname } = new URL(String(input))
    const response = await fetch(new URL(pathname, market.world.hubUrl), { ...init, headers })
    if (version === '1.0' || !pathname.endsWith('agent-card.json')) return response
    const { supportedInterfaces: _, ...older } = (await response.json()) as Record<string, unknown>
    return Response.json(older)
  }
  const legacyCompat = { enabled: version === '0.3' }
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
  })
  const client = await factory.createFromUrl(market.world.hubUrl)
  expect(client.protocolVersion).toBe(version)
  return client
}

const text = (words: string) => ({ content: { $case: 'text' as const, value: words }, metadata: undefined, filename: '', mediaType: '' })
const data = (value: object) => ({ content: { $case: 'data' as const, value }, metadata: undefined, filename: '', mediaType: '' })
function message(parts: Message['parts'], taskId = '') {
  const own = { messageId: randomUUID(), role: Role.ROLE_USER, parts, taskId, contextId: '' }
  return {
    tenant: '',
    message: { ...own, metadata: undefined, extensions: [], referenceTaskIds: [] },
    configuration: undefined,
    metadata: undefined,
  }
}
const work = (words: string) =>
  message([text(words), data({ goal: { criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(market.world) } })])
const wordsOf = (parts: Message['parts'] = []) =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n')
const dataOf = (parts: Message['parts'] = []) => parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
async function post(client: Client, words: string): Promise<Task> {
  const sent = (await client.sendMessage(work(words))) as Task
  expect(sent.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
  return sent
}
const ask = (id: string) => ({ tenant: '', id, historyLength: undefined })

describe.each(['1.0', '0.3'] as const)("the SDK's client of A2A, version %s,", (version) => {
  it('searches by words, and is told why a refusal is one', async () => {
    const stranger = await visit(version)
    const found = (await stranger.sendMessage(message([text('shout')]))) as Message
    expect(wordsOf(found.parts)).toContain('shouter')
    expect(dataOf(found.parts)[0]).toMatchObject({ listings: [{ handle: 'shouter' }] })
    await expect(stranger.sendMessage(work('Shout this text: "x"'))).rejects.toThrow('auth.required')
    await expect(stranger.getTask(ask('gol_none'))).rejects.toThrow(/not found|malformed|goal/i)
  })

  it('takes a goal from its words to the delivery, and says its part in between', async () => {
    const { world, client: person, token } = market
    const client = await visit(version, token)
    const task = await post(client, 'Shout this text: "the report is late"')
    const [sign] = dataOf(task.status?.message?.parts) as { typed_data: never }[]
    await client.sendMessage(message([text('A word ahead.')], task.id))
    const signature = await person.account.signTypedData(sign?.typed_data as never)
    await client.sendMessage(message([data({ signature })], task.id))
    const done = await world.until('the delivery', async () => {
      const now = await client.getTask({ ...ask(task.id), historyLength: 50 })
      return now.status?.state === TaskState.TASK_STATE_COMPLETED && now
    })
    expect(done.history.map(({ parts }) => wordsOf(parts)).join('\n')).toContain('A word ahead.')
    expect(done.artifacts).toHaveLength(1)
    await client.sendMessage(message([data({ accept: true })], task.id))
    await world.until('the pay', async () => (await client.getTask(ask(task.id))).metadata?.parley_state === 'paid')
    expect(market.errors).toEqual([])
  })

  it('stops a goal', async () => {
    const client = await visit(version, market.token)
    const task = await post(client, 'Shout this text: "stop"')
    const stopped = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
    expect(stopped.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  })
})
