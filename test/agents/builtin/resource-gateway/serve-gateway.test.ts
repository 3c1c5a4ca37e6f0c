import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomSeed, type Signer, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayListing } from '../../../../agents/builtin/resource-gateway/gateway-listing.ts'
import { type RunningGateway, type ServeOptions, serveGateway } from '../../../../agents/builtin/resource-gateway/serve-gateway.ts'
import { createRule } from '../../../../server/policy/index.ts'
import { publishListing } from '../../../../server/registry/index.ts'
import { listResourcePools, reportPool } from '../../../../server/resource-pools/index.ts'
import { openRoomWorld, system } from '../../../server/database-only-world.ts'
import { type GatewayFixture, openGatewayFixture, shout } from './resources.ts'

// The gateway with the server's own rooms behind it: what goes between them by the hub goes by a call here.
const world = openRoomWorld()
let fixture: GatewayFixture
let home: string
let signer: Signer
let agentId: string
let isAway = false
const open: RunningGateway[] = []

beforeAll(async () => {
  fixture = await openGatewayFixture()
  home = await mkdtemp(path.join(tmpdir(), 'gateway-'))
  signer = await signerFromSeed(randomSeed())
  agentId = (await publishListing(world.person().ctx, { type: 'listing.publish', listing: gatewayListing(`0x${'7'.repeat(40)}`) })).agent_id
})
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
  await fixture.close()
  await rm(home, { recursive: true })
})

async function serve(change: Partial<ServeOptions> = {}): Promise<RunningGateway> {
  const serving = await serveGateway({
    ...{ signer, scope: { topics: [] }, isOpen: true, insiders: new Set(), allowed: new Set([fixture.origin]), neighbours: [] },
    ...{ file: path.join(home, 'pool.json'), host: '127.0.0.1', port: 0, now: () => world.clock.now().getTime(), warn: () => undefined },
    report: async (entries) => {
      if (isAway) throw new RangeError('The server is away.')
      return reportPool(world.agent(agentId, signer.did), { type: 'pool.report', entries: [...entries] })
    },
    ...change,
  })
  open.push(serving)
  return serving
}
const post = async (serving: RunningGateway, way: string, body: object) =>
  (await fetch(`${serving.address}/${way}`, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<Record<string, string>>
async function register(serving: RunningGateway, change: Parameters<GatewayFixture['make']>[1] = {}) {
  const { card } = await fixture.make(shout, change)
  const { ticket } = await post(serving, 'ticket', { resource: card.resource })
  return { card, answer: await post(serving, 'register', { card, ticket }) }
}
const shown = async () =>
  (await listResourcePools(world.as(system))).pools[0]?.resources.map(({ name, state }) => `${name} ${state}`).toSorted()

describe('a gateway that runs', () => {
  let first: RunningGateway
  it('takes a resource in by its door, and the market sees it, signed', async () => {
    first = await serve()
    const { card, answer } = await register(first, { name: 'One' })
    expect(answer).toMatchObject({ resource: card.resource })
    await first.tick()
    expect(await shown()).toEqual(['One admitted'])
    expect(await world.audit(`pool:${agentId}`)).toEqual(['pool.report'])
  })

  it('reports also refusals, and what happened while the server was unavailable', async () => {
    isAway = true
    expect((await register(first, { name: 'Inside', endpoint: 'https://10.0.0.1/' })).answer).toEqual({
      error: expect.stringContaining('network'),
    })
    await register(first, { name: 'Two' })
    await first.tick()
    expect(await shown()).toEqual(['One admitted'])
    isAway = false
    await first.tick()
    expect(await shown()).toEqual(['Inside refused', 'One admitted', 'Two admitted'])
  })

  it('keeps its pool over a restart, and reports it no second time', async () => {
    await first.close()
    const second = await serve()
    open.push(second)
    expect(second.gateway.list().map(({ card, state }) => `${card.name} ${state}`)).toEqual(['One admitted', 'Two admitted'])
    expect((await second.gateway.find({ limit: 10 }, signer.did)).found).toHaveLength(2)
    first = second
  })

  it("throws out what an operator's rule denies, with the next round of its clock", async () => {
    const [resource] = first.gateway.list()
    const rule = {
      effect: 'deny',
      points: ['admit' as const],
      subject: { did: resource?.id as 'did:key:' },
      reason: 'It is on trial.',
    } as const
    await createRule(world.as(system), { type: 'rule.create', rule: { ...rule, points: [...rule.points] } })
    await first.tick()
    expect(await shown()).toEqual(['Inside refused', 'One evicted', 'Two admitted'])
    expect((await first.gateway.find({ limit: 10 }, signer.did)).found).toHaveLength(1)
  })

  it('refers to what its neighbour has admitted', async () => {
    const other = await serve({ signer: await signerFromSeed(randomSeed()), file: undefined, report: async () => ({ rules: [] }) })
    await register(other, { name: 'Elsewhere' })
    const neighbours = [{ did: other.gateway.did, at: other.address }]
    const third = await serve({
      file: undefined,
      neighbours,
      allowed: new Set([fixture.origin, other.address]),
      report: async () => ({ rules: [] }),
    })
    const { found, referrals } = await third.gateway.find({ limit: 10 }, signer.did)
    expect([found.length, referrals.length]).toEqual([0, 1])
  })

  it('answers nonsense at its door with a sentence, and breaks on none', async () => {
    for (const body of ['', '{', '[]', '{"a":1,"a":2}', `{"x":"${'y'.repeat(200_000)}"}`]) {
      const answer = await fetch(`${first.address}/find`, { method: 'POST', body }).catch(() => null)
      expect(answer === null || (answer.status >= 400 && answer.status < 500)).toBe(true)
    }
    expect((await post(first, 'find', { by: signer.did, at: 'now', params: {}, sig: 'x' })).error).toMatch(/\.$/)
    const at = world.clock.now().toISOString()
    const forged = await post(first, 'find', { by: signer.did, at, params: {}, sig: 'A'.repeat(86) })
    expect(forged.error).toBe('The signature is invalid.')
    expect((await post(first, 'register', { card: { v: 1 }, ticket: 'x' })).error).toMatch(/^The card is invalid/)
    expect((await fetch(`${first.address}/elsewhere`)).status).toBe(404)
  })
})
