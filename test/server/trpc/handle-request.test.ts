import { limits } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listGoals } from '../../../server/goals/index.ts'
import { admitRate, rateLimits } from '../../../server/policy/index.ts'
import { handleTrpcRequest } from '../../../server/trpc/handle-request.ts'
import { exportTranscript } from '../../../server/trpc/views/export-transcript.ts'
import { readGoalPage } from '../../../server/trpc/views/read-goal-page.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { codeOf } from '../database-only-world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  Object.assign(globalThis, { parleyWorld: Promise.resolve(world.world) })
})
afterAll(async () => {
  Object.assign(globalThis, { parleyWorld: undefined })
  await world[Symbol.asyncDispose]()
})

type Sent = { path?: string; body?: BodyInit; type?: string | null }
/** Processor time of this process: what other processes do meanwhile does not count. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function send({ path = 'goals.post', body = '', type = 'application/json' }: Sent) {
  const headers = type === null ? new Headers() : new Headers({ 'content-type': type })
  const before = process.cpuUsage()
  const response = await handleTrpcRequest(new Request(`http://here/api/trpc/${path}`, { method: 'POST', headers, body }))
  const text = await response.text()
  return { status: response.status, text, ms: cpuMsSince(before) }
}
const inGoal = (criteria: string) => `{"json":{"id":"x","goal":{"text":"x","criteria":${criteria}},"attachments":[]}}`

describe('handleTrpcRequest', () => {
  it('counts a mutation that names what its sender may not see as a read', async () => {
    const body = JSON.stringify({ json: { goal_id: `gol_${'0'.repeat(32)}`, reason: 'It is not needed.' } })
    const asked = () => send({ path: 'goals.cancel', body })
    expect((await asked()).status).toBe(401)
    for (let n = 0; n < rateLimits.read.burst; n++) await codeOf(admitRate(world.world.contextFor({ kind: 'anonymous' }), 'read', ''))
    // Many at once, because the bucket refills meanwhile.
    const statuses = (await Promise.all(Array.from({ length: 100 }, asked))).map(({ status }) => status)
    expect(statuses).toContain(429)
  })

  it.each([
    ['criteria nested 20,000 deep', inGoal(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ['400,000 keys', inGoal(`{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":1`).join(',')}}`)],
    ['400,000 keys in small objects', inGoal(`[${'{"a":1},'.repeat(400_000)}{}]`)],
    ['a reserved key', inGoal('[{"text":"x","constructor":{"prototype":1}}]')],
    ['the key __proto__', inGoal('[{"text":"x","__proto__":{}}]')],
    ['a NUL', inGoal('[{"text":"a\\u0000b"}]')],
    ['a lone surrogate', inGoal('[{"text":"\\ud800"}]')],
    ['no JSON', '{'],
    ['nothing', ''],
    ['another value', '[]'],
  ])('answers %s with a refusal, at once', async (_, body) => {
    const { status, text, ms } = await send({ body })
    expect([status, text.includes('server.internal_error')]).toEqual([400, false])
    expect(ms).toBeLessThan(1_500)
  })

  it('refuses a body that is no UTF-8, or too long', async () => {
    expect((await send({ body: Uint8Array.from([0x7b, 0xff, 0x7d]) })).status).toBe(400)
    expect((await send({ body: 'x'.repeat(limits.requestBytes + 1) })).status).toBe(413)
  })

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/octet-stream', null])(
    'refuses a body of the type %s without calling it a bug of ours',
    async (type) => {
      const { status, text } = await send({ body: '{"json":{}}', type })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(text).not.toContain('server.internal_error')
    },
  )

  it('answers an unknown procedure, and too many at once', async () => {
    expect((await send({ path: 'goals.nothing', body: '{}' })).status).toBe(404)
    const many = Array(17).fill('goals.list').join(',')
    expect((await handleTrpcRequest(new Request(`http://here/api/trpc/${many}?batch=1&input={}`))).status).toBe(400)
  })

  it('refuses hostile values in a query too, also where a page calls it in place', async () => {
    const input = encodeURIComponent('{"json":{"text":"a\\u0000b"}}')
    expect((await handleTrpcRequest(new Request(`http://here/api/trpc/goals.list?input=${input}`))).status).toBe(400)
    const { createRequestContext } = await import('../../../server/trpc/request-context.ts')
    const { createCaller } = await import('../../../server/trpc/app-router.ts')
    const api = createCaller(await createRequestContext({ headers: new Headers(), reply: null }))
    await expect(api.goals.list({ text: 'a\0b' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

/** As JSON has it, and no literal of ours could. */
const poison = JSON.parse('{"constructor":{"prototype":1},"prototype":{},"__proto__":{"x":1}}') as object

describe('what is stored already', () => {
  it('fails no list and no page, for any damage', async () => {
    const owner = await world.person({ usdc: 0n })
    const skills = [
      { id: 'text.sing', name: 'Sing', description: 'Sings.', inputs: [], outputs: [{ name: 'song', type: 'text.song' }], price: '1' },
    ]
    const listings = await Promise.all(
      ['poisoned', 'misshapen', 'sound'].map((handle) =>
        world.publish(owner, { handle, name: handle, summary: 'Sings.', skills, policy: undefined } as never),
      ),
    )
    const client = await world.person()
    const post = (text: string) => {
      const id = world.system.ids.uuid()
      const deadline = new Date(Date.now() + 86_400_000).toISOString()
      const goal = { text, criteria: [{ text: 'Sung.' }], budget: '5000000', deadline }
      return client.send<{ goal_id: string }>({ type: 'goal.post', id, goal, attachments: [] })
    }
    const goals = [await post('Sing me a song.'), await post('Sing me another.'), await post('Sing it all again.')]
    const { db } = world.system
    const asJson = (value: unknown) => value as never
    await db.listing.update({ where: { agentId: listings[0]?.agent_id ?? '' }, data: { policy: asJson(poison) } })
    await db.listingSkill.updateMany({
      where: { agentId: listings[0]?.agent_id ?? '' },
      data: { inputs: asJson([poison]), samples: asJson([poison]) },
    })
    await db.listing.update({ where: { agentId: listings[1]?.agent_id ?? '' }, data: { policy: asJson('none') } })
    await db.listingSkill.updateMany({
      where: { agentId: listings[1]?.agent_id ?? '' },
      data: { inputs: asJson({ a: 1 }), outputs: asJson(7), samples: asJson('x') },
    })
    await db.goal.update({
      where: { id: goals[0]?.goal_id ?? '' },
      data: { openedAt: new Date(), state: 'open', criteria: asJson([{ text: 'Sung.', ...poison }, poison, 5]) },
    })
    await db.goal.update({
      where: { id: goals[1]?.goal_id ?? '' },
      data: { openedAt: new Date(), state: 'open', criteria: asJson('none') },
    })
    await db.goal.update({ where: { id: goals[2]?.goal_id ?? '' }, data: { openedAt: new Date(), state: 'open' } })

    const ask = async (path: string, json: object) => {
      const response = await handleTrpcRequest(
        new Request(`http://here/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json }))}`),
      )
      return { status: response.status, text: await response.text() }
    }
    const board = await ask('goals.list', {})
    expect(board.status, board.text.slice(0, 300)).toBe(200)
    for (const { goal_id } of goals) expect(board.text).toContain(goal_id)
    const directory = await ask('registry.discover', {})
    expect(directory.status, directory.text.slice(0, 300)).toBe(200)
    for (const { agent_id } of listings) {
      expect(directory.text).toContain(agent_id)
      const one = await ask('registry.get', { agent: agent_id })
      expect(one.status, one.text.slice(0, 300)).toBe(200)
      const { skills: shown, policy } = (
        JSON.parse(one.text) as {
          result: { data: { json: { skills: { inputs: unknown; outputs: unknown; samples: unknown }[]; policy: unknown } } }
        }
      ).result.data.json
      expect([typeof policy, ...shown.flatMap((skill) => [skill.inputs, skill.outputs, skill.samples].map(Array.isArray))]).toEqual([
        'object',
        true,
        true,
        true,
      ])
    }
    for (const { goal_id } of goals) expect((await readGoalPage(client.ctx, goal_id)).goal.id).toBe(goal_id)
    expect((await ask('market.getOverview', {})).status).toBe(200)
  })
})

describe('a page of a list', () => {
  it('is bounded in bytes, and the next one continues after it', async () => {
    const client = await world.person()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const deadline = new Date(Date.now() + 86_400_000).toISOString()
      const goal = { text: 'Sing me a long song.', criteria: [{ text: 'Sung.' }], budget: '5000000', deadline }
      ids.push((await client.send<{ goal_id: string }>({ type: 'goal.post', id: world.system.ids.uuid(), goal, attachments: [] })).goal_id)
    }
    await world.system.db.goal.updateMany({ where: { id: { in: ids } }, data: { answer: [{ text: 'la'.repeat(350_000) }] } })
    const found: string[] = []
    let pages = 0
    for (let after: string | null | undefined; after !== null; pages++) {
      const page = await listGoals(client.ctx, { mine: true, limit: 100, ...(after ? { after } : {}) })
      expect(JSON.stringify(page.goals.map((goal) => goal.answer)).length).toBeLessThan(limits.pageBytes)
      found.push(...page.goals.map((goal) => goal.id))
      after = page.next
    }
    expect([found.sort(), pages]).toEqual([[...ids].sort(), 3])
  })
})

describe('a command', () => {
  it('is bounded without its files, in any field', async () => {
    const client = await world.person({ usdc: 0n })
    const deadline = new Date(Date.now() + 86_400_000).toISOString()
    const goal = { text: 'Sing me a song.', criteria: [{ text: 'Sung.' }], budget: '5000000', deadline }
    const post = (more: object, attachments: unknown[] = []) =>
      client.send({ type: 'goal.post', id: world.system.ids.uuid(), goal: { ...goal, ...more }, attachments })
    await expectProblem(post({ criteria: [{ text: 'Sung.', aside: 'x'.repeat(70_000) }] }), 'request.too_large')
    await expectProblem(
      client.send({ type: 'goal.claim', goal_id: `gol_${'0'.repeat(32)}`, aside: 'x'.repeat(400_000) }),
      'request.too_large',
    )
    await post({}, [{ name: 'a.txt', media_type: 'text/plain', artifact_type: 'file.any', content: 'YWFh'.repeat(150_000) }])
  })
})

describe('the answer to one request', () => {
  it('is bounded, however many full pages it asks for', async () => {
    const client = await world.person({ usdc: 0n })
    const deadline = new Date(Date.now() + 86_400_000).toISOString()
    const posted = await client.send<{ goal_id: string; room_id: string }>({
      type: 'goal.post',
      id: world.system.ids.uuid(),
      goal: { text: 'Sing me a long song.', criteria: [{ text: 'Sung.' }], budget: '5000000', deadline },
      attachments: [],
    })
    await world.system.db.goal.update({ where: { id: posted.goal_id }, data: { openedAt: new Date(), state: 'open' } })
    await world.system.db.conversation.update({ where: { roomId: posted.room_id }, data: { isPublic: true } })
    const parts = Array(4).fill({ text: 'la'.repeat(31_000) })
    for (let n = 0; n < 8; n++) await client.send({ type: 'message.post', room_id: posted.room_id, parts })
    const pages = async (times: number) => {
      const paths = Array(times).fill('conversations.list').join(',')
      const input = Object.fromEntries(Array.from({ length: times }, (_, n) => [n, { json: { room_id: posted.room_id, limit: 500 } }]))
      const response = await handleTrpcRequest(
        new Request(`http://here/api/trpc/${paths}?batch=1&input=${encodeURIComponent(JSON.stringify(input))}`),
      )
      return { status: response.status, text: await response.text() }
    }
    expect((await pages(64)).status).toBe(400)
    const { status, text } = await pages(16)
    expect(status).toBe(207)
    expect(text.length).toBeLessThan(5 * limits.pageBytes)
    const answers = JSON.parse(text) as { result?: unknown; error?: { json: { data: { problem: { code: string } } } } }[]
    expect(answers.filter((one) => one.result !== undefined).length).toBeGreaterThanOrEqual(3)
    expect(answers.flatMap((one) => one.error?.json.data.problem.code ?? [])).toContain('request.too_large')

    // An export that has begun continues to completion during other requests of its reader.
    const begin = () => exportTranscript(new Headers(), { goalId: posted.goal_id, query: {} })
    const { pages: exported } = await begin()
    for (let n = 0; n < rateLimits.search.burst; n++) await codeOf(admitRate(world.world.contextFor({ kind: 'anonymous' }), 'search', ''))
    await expectProblem(begin(), 'rate.exceeded')
    const lengths: number[] = []
    for await (const page of exported) lengths.push(page.length)
    expect(lengths.length).toBeGreaterThan(1)
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(9)
  })
})
