import { randomUUID } from 'node:crypto'
import { type Message, Role, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk'
import { type Client, ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client'
import { findQuoteFault, formatAmount, type SignedQuote } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStoredMessages } from '../../../../../server/delivery/index.ts'
import { shoutSkill } from '../../../../agents/builtin/resource-gateway/resources.ts'
import { deadlineIn, openMarket, type Visited, wholeMs } from '../market-fixture.ts'

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
const work = (words: string, more: object = {}) =>
  message([text(words), data({ goal: { ...more, criteria: ['It is loud.'], budget: '2000000', deadline: deadlineIn(market.world) } })])
const wordsOf = (parts: Message['parts'] = []) =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n')
const formatted = (amount = '0') => `${formatAmount(BigInt(amount), 6)} USDC`
const dataOf = (parts: Message['parts'] = []) => parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
async function post(client: Client, words: string): Promise<Task> {
  const sent = (await client.sendMessage(work(words))) as Task
  expect(sent.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
  return sent
}
const ask = (id: string) => ({ tenant: '', id, historyLength: undefined })

/** Ids of the messages that a stream has sent, in its order. The data to sign arrives with the state, and is no message of the room. */
const idsIn = (events: readonly StreamResponse[]) =>
  events
    .flatMap(({ payload }) => (payload?.$case === 'statusUpdate' ? (payload.value.status?.message?.messageId ?? []) : []))
    .filter((id) => !/-(sign|approve)$/.test(id))

/** A stream as any reader of server-sent events comes back to it: with the last id that it has. */
async function resume(method: string, id: string, lastEventId: number, token: string): Promise<{ id: string; data: string }[]> {
  const response = await fetch(`${market.world.hubUrl}/v1/a2a`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'last-event-id': String(lastEventId) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id } }),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const field = (event: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1] ?? ''
  return (await response.text()).split('\n\n').map((event) => ({ id: field(event, 'id'), data: field(event, 'data') }))
}

// Each case runs a whole goal on a real chain.
describe.each(['1.0', '0.3'] as const)("the SDK's client of A2A, version %s,", { timeout: wholeMs }, (version) => {
  it('searches by words, and receives the reason of a refusal', async () => {
    const stranger = await visit(version)
    const found = (await stranger.sendMessage(message([text('shout')]))) as Message
    expect(wordsOf(found.parts)).toContain('shouter')
    expect(wordsOf(found.parts)).toMatch(/^shouter: .* \(0\.10 USDC\)$/m)
    expect(dataOf(found.parts)[0]).toMatchObject({
      listings: [{ handle: 'shouter', skills: [{ price: '100000', price_text: '0.10 USDC' }] }],
    })
    const card = await (await fetch(`${market.world.hubUrl}/.well-known/agent-card.json`)).json()
    for (const id of ['quote', 'goal'])
      expect((card as { skills: { id: string; description: string }[] }).skills.find((skill) => skill.id === id)?.description).toContain(
        'base units: "2000000" is 2.00 USDC.',
      )
    await expect(stranger.sendMessage(work('Shout this text: "x"'))).rejects.toThrow('auth.required')
    await expect(stranger.getTask(ask('gol_none'))).rejects.toThrow(/not found|malformed|goal/i)
  })

  it('searches by words and conditions together, and refuses data that it does not know', async () => {
    const stranger = await visit(version)
    const search = async (words: string, query: object) =>
      wordsOf(((await stranger.sendMessage(message([text(words), data({ query })]))) as Message).parts)
    expect(await search('shout', { limit: 5 })).toContain('shouter')
    expect(await search('shout', { max_price: '1' })).toBe('No agent on offer fits.')
    expect(await search('zzqqzz', { limit: 5 })).toBe('No agent on offer fits.')
    expect(await search('', { text: 'shout' })).toContain('shouter')
    await expect(stranger.sendMessage(message([text('shout'), data({ querry: { limit: 5 } })]))).rejects.toThrow(
      /querry.*query, quote, goal/,
    )
  })

  it('shows each result on one line', async () => {
    const owner = await market.world.person({ usdc: 0n })
    const handle = `liner-${version.replace('.', '-')}`
    const summary = 'Crochets.\nshouter: free\u2028shouter: now and here.'
    const { agent_id } = await market.world.publish(owner, { handle, summary, skills: [{ ...shoutSkill, price: '100000' }] as never })
    const found = (await (await visit(version)).sendMessage(message([text('crochets')]))) as Message
    expect(
      wordsOf(found.parts)
        .split(/[\n\u2028\u0085]/)
        .filter((line) => /^shouter:/.test(line)),
    ).toEqual([])
    expect(wordsOf(found.parts)).toContain(`${handle}: Crochets. shouter: free shouter: now and here.`)
    await owner.send({ type: 'listing.withdraw', agent_id } as never)
  })

  it('takes a goal from its words to the delivery, and posts its part in between', async () => {
    const { world, client: person, token } = market
    const client = await visit(version, token)
    const task = await post(client, 'Shout this text: "the report is late"')
    expect(wordsOf(task.status?.message?.parts)).toMatch(/It sets 2\.00 USDC aside; the wallet has \d+\.\d+ USDC\./)
    expect(task.metadata).toMatchObject({ parley_budget: '2000000', parley_budget_text: '2.00 USDC' })
    const [sign] = dataOf(task.status?.message?.parts) as { typed_data: never }[]
    await client.sendMessage(message([text('A word ahead.')], task.id))
    const signature = await person.account.signTypedData(sign?.typed_data as never)
    const signed = (await client.sendMessage(message([data({ signature })], task.id))) as Task
    // Signed once: what is being recorded on chain is not asked for again.
    expect([signed.status?.state, signed.status?.message]).toEqual([TaskState.TASK_STATE_WORKING, undefined])
    const asked = await world.until(
      'the team',
      async () => {
        const { status } = await client.getTask(ask(task.id))
        return status?.state === TaskState.TASK_STATE_INPUT_REQUIRED && status.message?.messageId.endsWith('-approve') && status.message
      },
      wholeMs,
    )
    const [team] = dataOf(asked.parts) as { typed_data: never; charter: { steps: unknown[] }; total: string }[]
    expect(wordsOf(asked.parts)).toContain(`Approve the team, which costs ${formatted(team?.total)}:\n1. `)
    expect(wordsOf(asked.parts)).toMatch(/^\d\. .*: 0\.10 USDC to 0x[0-9a-f]{40}$/m)
    expect(team?.charter.steps).toHaveLength(2)
    await client.sendMessage(message([data({ signature: await person.account.signTypedData(team?.typed_data as never) })], task.id))
    const done = await world.until(
      'the delivery',
      async () => {
        const now = await client.getTask({ ...ask(task.id), historyLength: 50 })
        return now.status?.state === TaskState.TASK_STATE_COMPLETED && now
      },
      wholeMs,
    )
    expect(done.history.map(({ parts }) => wordsOf(parts)).join('\n')).toContain('A word ahead.')
    expect(done.artifacts).toHaveLength(1)
    await client.sendMessage(message([data({ accept: true })], task.id))
    await world.until('the pay', async () => (await client.getTask(ask(task.id))).metadata?.parley_state === 'paid', wholeMs)
    expect(market.errors).toEqual([])
  })

  it('is quoted without a login, and posts the goal with that quote, which needs no approval of its team', async () => {
    const { world, client: person, token } = market
    const words = text('Shout this text: "quoted"')
    const answered = (await (await visit(version)).sendMessage(message([words, data({ quote: { criteria: ['It is loud.'] } })]))) as Message
    const [{ quote }] = dataOf(answered.parts) as [{ quote: SignedQuote }]
    expect(await findQuoteFault(quote, { issuer: world.system.market.serverDid, now: world.clock.now().getTime() })).toBeNull()
    expect(quote.outcome).toBe('planned')
    expect(wordsOf(answered.parts).split('\n')).toEqual([
      quote.summary,
      expect.stringMatching(/^ {2}1\. .* {2}@shouter {2}0\.10 USDC$/),
      ...(quote.steps ?? []).slice(1).map(({ price }) => expect.stringContaining(formatted(price))),
      `  fee  ${formatted(quote.fee)}`,
      `  total, set aside  ${formatted(quote.min_budget)}`,
    ])
    const client = await visit(version, token)
    const goal = data({ goal: { criteria: ['It is loud.'], budget: quote.min_budget, deadline: deadlineIn(world) } })
    await expect(client.sendMessage(message([text('Shout this text: "other"'), goal, data({ quote })]))).rejects.toThrow('another text')
    const task = (await client.sendMessage(message([words, goal, data({ quote })]))) as Task
    const [sign] = dataOf(task.status?.message?.parts) as { typed_data: never; charter: { steps: unknown[] } }[]
    expect(sign?.charter.steps).toHaveLength(2)
    await client.sendMessage(message([data({ signature: await person.account.signTypedData(sign?.typed_data as never) })], task.id))
    const states = new Set<TaskState | undefined>()
    await world.until(
      'the delivery',
      async () => {
        const { status } = await client.getTask(ask(task.id))
        states.add(status?.state)
        return status?.state === TaskState.TASK_STATE_COMPLETED
      },
      wholeMs,
    )
    expect([...states]).not.toContain(TaskState.TASK_STATE_INPUT_REQUIRED)
  })

  it('follows a goal from its first word to completion, and continues after any event that it has, with no gap and nothing twice', async () => {
    const { client: person, token } = market
    const client = await visit(version, token)
    const events: StreamResponse[] = []
    const signed = new Set<string>()
    for await (const event of client.sendMessageStream(work('Shout this text: "the report is late"'))) {
      events.push(event)
      const { payload } = event
      if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') continue
      const { status } = payload.value
      const taskId = payload.$case === 'task' ? payload.value.id : payload.value.taskId
      // What is to be signed comes with the state: first the money, then the team. It may repeat while it is current.
      const intent = status?.message?.messageId ?? ''
      if (!/-(sign|approve)$/.test(intent) || signed.has(intent)) continue
      signed.add(intent)
      const [sign] = dataOf(status?.message?.parts) as { typed_data: never }[]
      const signature = await person.account.signTypedData(sign?.typed_data as never)
      await client.sendMessage(message([data({ signature })], taskId))
    }
    expect(signed.size).toBe(2)
    const [first] = events
    const task = first?.payload?.$case === 'task' ? first.payload.value : undefined
    const states = events.flatMap(({ payload }) => (payload?.$case === 'statusUpdate' ? [payload.value.status?.state] : []))
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(states.filter((state) => state === TaskState.TASK_STATE_COMPLETED)).toHaveLength(1)
    expect(events.filter(({ payload }) => payload?.$case === 'artifactUpdate')).toHaveLength(1)
    const log = await readStoredMessages(market.world.system, { roomId: task?.contextId ?? '', after: 0, limit: 1_000 })
    const messages = log.map((one) => JSON.parse(one.body) as { id: string; seq: number })
    const known = task?.history.length ?? 0
    // Messages after the answer that ended it are not part of the stream.
    expect(idsIn(events)).toEqual(messages.slice(known, known + idsIn(events).length).map(({ id }) => id))
    expect(idsIn(events).length).toBeGreaterThan(5)
    const method = version === '1.0' ? 'SubscribeToTask' : 'tasks/resubscribe'
    const again = await resume(method, task?.id ?? '', known + 2, token)
    expect(
      again
        .filter(({ id }) => id)
        .map(({ id }) => Number(id))
        .slice(0, 4),
    ).toEqual([known + 2, known + 3, known + 4, known + 5])
    await expect(client.resubscribeTask({ tenant: '', id: task?.id ?? '' }).next()).rejects.toThrow(/ended/)
    const stranger = await visit(version)
    await expect(stranger.sendMessageStream(work('Shout this text: "x"')).next()).rejects.toThrow('auth.required')
  })

  it('posts one goal for a message that comes again, and refuses its id for another', async () => {
    const client = await visit(version, market.token)
    const asked = work('Shout this text: "again"')
    const [first, second] = [(await client.sendMessage(asked)) as Task, (await client.sendMessage(asked)) as Task]
    expect(second.id).toBe(first.id)
    const other = { ...asked, message: { ...work('Shout this text: "other"').message, messageId: asked.message.messageId } }
    await expect(client.sendMessage(other)).rejects.toThrow('request.id_reused')
    await client.cancelTask({ tenant: '', id: first.id, metadata: undefined })
  })

  it('posts the text of a message to a task once, and refuses its id for other text', async () => {
    const client = await visit(version, market.token)
    const task = await post(client, 'Shout this text: "once"')
    const sent = message([text('Said once.')], task.id)
    await client.sendMessage(sent)
    const again = (await client.sendMessage(sent)) as Task
    expect(again.history.filter(({ parts }) => wordsOf(parts) === 'Said once.')).toHaveLength(1)
    const other = { ...sent, message: { ...message([text('Said otherwise.')], task.id).message, messageId: sent.message.messageId } }
    await expect(client.sendMessage(other)).rejects.toThrow('request.id_reused')
    const now = await client.getTask({ ...ask(task.id), historyLength: 50 })
    expect(now.history.map(({ parts }) => wordsOf(parts))).not.toContain('Said otherwise.')
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
  })

  it('stops a goal', async () => {
    const client = await visit(version, market.token)
    const task = (await client.sendMessage(work('Shout this text: "stop"', { visibility: 'private' }))) as Task
    const stranger = await visit(version)
    await expect(stranger.getTask(ask(task.id))).rejects.toThrow('goal.not_found')
    await expect(stranger.resubscribeTask({ tenant: '', id: task.id }).next()).rejects.toThrow('goal.not_found')
    const stopped = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
    expect(stopped.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
  })
})
