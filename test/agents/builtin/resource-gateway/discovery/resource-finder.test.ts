import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Json, randomSeed, readReferral, type Signer, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createResourceFinder,
  type ResourceFinderOptions,
} from '../../../../../agents/builtin/resource-gateway/discovery/resource-finder.ts'
import { createGatewayServer } from '../../../../../agents/builtin/resource-gateway/gateway-server.ts'
import type { GatewayOptions } from '../../../../../agents/builtin/resource-gateway/pool/gateway-pool.ts'
import type { GatewayPeer } from '../../../../../agents/builtin/resource-gateway/pool/referrals.ts'
import { createProxySkill } from '../../../../../agents/builtin/resource-gateway/proxy/proxy-skill.ts'
import { createResourceCaller } from '../../../../../agents/builtin/resource-gateway/proxy/resource-caller.ts'
import { openGateway, rule, start, type Trial } from '../gateway-fixture.ts'
import { type Behaviour, type GatewayFixture, type Made, openGatewayFixture, shout } from '../resources.ts'

type Running = Trial & { readonly at: GatewayPeer; stop(): Promise<void> }
let fixture: GatewayFixture
let asker: Signer
const servers: Server[] = []
const clock = { at: start }
const bounds = { ms: 2_000, bytes: 262_144 }

beforeAll(async () => {
  fixture = await openGatewayFixture()
  asker = await signerFromSeed(randomSeed())
})
afterAll(async () => {
  await Promise.all(servers.map(close))
  await fixture.close()
})
const close = (gatewayServer: Server) =>
  new Promise<void>((closed) => {
    gatewayServer.closeAllConnections()
    gatewayServer.close(() => closed())
  })

type OpenProxyListing = (ticket: string, by: string) => Promise<{ agent_id: string; did: string } | { fault: string }>
const noMarket: OpenProxyListing = async () => ({ fault: 'There is no market here.' })

async function openGatewayServer(change: Partial<GatewayOptions> = {}, proxy = noMarket): Promise<Running> {
  const trial = await openGateway([fixture.origin], { clock, ...change })
  const use = createResourceCaller(trial.gateway, () => trial.rules, trial.range)
  const gatewayServer = createGatewayServer({
    ...{ gateway: trial.gateway, now: () => clock.at, onTrap: (salt: string) => void trial.sprung.add(salt) },
    proxy,
    use: (ticket, by, skill, input) => use.callByTicket(ticket, by, skill, input) as Promise<{ answer: Json } | { fault: string }>,
  })
  await new Promise<void>((ready) => gatewayServer.listen(0, '127.0.0.1', ready))
  servers.push(gatewayServer)
  const at = `http://127.0.0.1:${(gatewayServer.address() as AddressInfo).port}`
  return { ...trial, at: { did: trial.gateway.did, at }, stop: () => close(gatewayServer) }
}

async function admit(
  { gateway }: Trial,
  behaviour: Behaviour,
  change: Parameters<GatewayFixture['make']>[1] = {},
  pool: 'public' | 'private' = 'public',
): Promise<Made> {
  const made = await fixture.make(behaviour, change)
  const done = await gateway.register(made.card, gateway.issueTicket(made.card.resource, pool))
  expect(done).not.toHaveProperty('fault')
  return made
}

function finder(gateways: readonly Running[], change: Partial<ResourceFinderOptions> = {}) {
  const policy = { allowed: new Set(gateways.map(({ at }) => at.at)) }
  return createResourceFinder({
    signer: asker,
    gateways: gateways.map(({ at }) => at),
    local: () => [],
    policy,
    bounds,
    now: () => clock.at,
    ...change,
  })
}
const query = { text: 'capitals', limit: 5 }

describe('who looks for a resource', () => {
  it('asks its own pool first, and no gateway where that has what is wanted', async () => {
    const gateway = await openGatewayServer()
    await admit(gateway, shout)
    const [offer] = (await finder([gateway]).find(query)).offers
    const own = finder([gateway], { local: () => (offer ? [{ ...offer, ticket: null }] : []) })
    expect(await own.find(query)).toMatchObject({ asked: [], offers: [{ ticket: null }] })
  })

  it('receives the address against its ticket, once, and no one else does', async () => {
    const gateway = await openGatewayServer()
    const made = await admit(gateway, shout)
    const find = finder([gateway])
    const [offer] = (await find.find(query)).offers
    if (!offer) throw new Error('nothing was found')
    expect(JSON.stringify(offer.admission)).not.toContain(fixture.origin)
    const stranger = finder([gateway], { signer: await signerFromSeed(randomSeed()) })
    expect(await stranger.connect(offer)).toEqual({ error: 'The ticket was issued to another agent.' })
    expect(await find.connect(offer)).toMatchObject({ endpoint: made.endpoint, resource: made.card.resource })
    expect(await find.connect(offer)).toEqual({ error: 'The ticket is already used, or was never issued.' })
    // What was used is not available any more: it asks again.
    expect((await find.find(query)).asked).toEqual([gateway.at.did])
  })

  it('continues to another gateway where one is gone, and leaves the gone one alone for a while', async () => {
    const [first, second] = [await openGatewayServer(), await openGatewayServer()]
    await admit(first, shout, { name: 'Loud at the first' })
    await admit(second, shout, { name: 'Loud at the second' })
    const find = finder([first, second])
    expect((await find.find(query)).offers[0]?.admission.name).toBe('Loud at the first')
    await first.stop()
    const rounds = []
    for (const limit of [4, 3, 2]) rounds.push(await find.find({ ...query, limit }))
    // The gateway that was asked less goes first. One request shows that a gateway is gone.
    expect(rounds.map(({ offers }) => offers[0]?.admission.name)).toEqual(Array(3).fill('Loud at the second'))
    expect(rounds.map(({ asked }) => asked)).toEqual([[second.at.did], [first.at.did, second.at.did], [second.at.did]])
    expect(find.stats.get(first.at.did)).toMatchObject({ failures: 1 })
    await second.stop()
    expect((await find.find({ ...query, limit: 1 })).offers).toEqual([])
  })

  it('believes no admission that another key has signed, or that has expired', async () => {
    const [honest, forger] = [await openGatewayServer(), await openGatewayServer()]
    await admit(honest, shout)
    const posing = { ...forger, at: { did: honest.at.did, at: forger.at.at } }
    await admit(forger, shout)
    expect((await finder([posing]).find(query)).offers).toEqual([])
    const falseServer = createServer((_request, response) => {
      response.end(JSON.stringify({ found: forger.gateway.admissions().map((admission) => ({ admission, ticket: 'x' })), referrals: [] }))
    })
    await new Promise<void>((ready) => falseServer.listen(0, '127.0.0.1', ready))
    servers.push(falseServer)
    const falseListing = { ...honest, at: { did: honest.at.did, at: `http://127.0.0.1:${(falseServer.address() as AddressInfo).port}` } }
    expect(forger.gateway.admissions()).toHaveLength(1)
    expect((await finder([falseListing]).find(query)).offers).toEqual([])
    const ahead = finder([honest], { now: () => clock.at + 90_000 })
    expect((await ahead.find(query)).offers).toHaveLength(1)
    clock.at += 2 * 3_600_000
    expect((await finder([honest]).find(query)).offers).toEqual([])
  })

  it('is referred to a gateway that it does not know, by a word that is signed and expires', async () => {
    const [regional, topical] = [
      await openGatewayServer({ scope: { region: 'eu', topics: [] } }),
      await openGatewayServer({ scope: { topics: ['text'] } }),
    ]
    const made = await admit(topical, shout, { region: 'us-east' })
    const elsewhere = await fixture.make(shout, { region: 'us-east' })
    const refused = await regional.gateway.register(elsewhere.card, regional.gateway.issueTicket(elsewhere.card.resource))
    expect(refused).toEqual({ fault: 'This gateway takes resources in eu, and the card names us-east.' })
    expect(await regional.gateway.learn(topical.at, topical.gateway.admissions())).toBe(1)
    const { found, referrals } = await regional.gateway.find(query, asker.did)
    expect([found.length, referrals.length]).toEqual([0, 1])
    expect(await readReferral(referrals[0], regional.at.did, clock.at)).toMatchObject({
      fault: null,
      value: { referral: { to: topical.at.did } },
    })
    expect(await readReferral(referrals[0], regional.at.did, clock.at + 600_000)).toMatchObject({
      fault: expect.stringContaining('expired'),
    })
    expect(await readReferral({ ...referrals[0], at: 'https://elsewhere.example' }, regional.at.did, clock.at)).toEqual({
      fault: 'The signature is invalid.',
    })
    const find = finder([regional], { policy: { allowed: new Set([regional.at.at, topical.at.at]) } })
    const { offers, asked } = await find.find(query)
    expect(asked).toEqual([regional.at.did, topical.at.did])
    expect(offers[0]?.admission.resource).toBe(made.card.resource)
    // A neighbour's word about resources that are not in its own pool is no one's word.
    expect(await regional.gateway.learn({ ...topical.at, did: asker.did }, topical.gateway.admissions())).toBe(0)
  })

  it('finds in a private pool only what it may see', async () => {
    const gateway = await openGatewayServer({ insiders: new Set([asker.did]) })
    await admit(gateway, shout, { name: 'Loud for us' }, 'private')
    expect((await finder([gateway]).find(query)).offers).toHaveLength(1)
    expect((await finder([gateway], { signer: await signerFromSeed(randomSeed()) }).find(query)).offers).toEqual([])
    expect(gateway.gateway.admissions()).toEqual([])
  })

  it.each([
    [{ kind: 'model' as const }, 0],
    [{ kind: 'tool' as const, topic: 'text', region: 'eu' }, 1],
    [{ region: 'us' }, 0],
    [{ output_type: 'text.plain', input_types: ['query.text'] }, 1],
    [{ input_types: ['table.csv'] }, 0],
    [{ text: 'capital letters' }, 1],
    [{ text: 'translation' }, 0],
  ])('finds by %j: %i', async (conditions, count) => {
    const trial = await openGateway([fixture.origin])
    await admit(trial, shout)
    expect((await trial.gateway.find({ limit: 5, ...conditions }, asker.did)).found).toHaveLength(count)
  })
})

describe('rules at a gateway', () => {
  it('take a resource out of sight, stop its use, and stop all of it at once', async () => {
    const gateway = await openGatewayServer()
    const made = await admit(gateway, shout)
    const find = finder([gateway])
    const [offer] = (await find.find(query)).offers
    if (!offer) throw new Error('nothing was found')
    gateway.rules.push(rule('deny', ['execute'], { did: made.card.resource }))
    expect(await find.use(offer, 'text.shout', { text: 'hush' })).toEqual({ error: 'A rule forbids it: It is on trial.' })
    gateway.rules.length = 0
    // A refusal consumes nothing.
    expect(await find.use(offer, 'text.shout', { text: 'hush' })).toEqual({ answer: { text: 'HUSH', value: 'HUSH' } })
    gateway.rules.push(rule('deny', ['retrieve']))
    expect((await finder([gateway]).find(query)).offers).toEqual([])
  })

  it('keep personal data from going in, and secrets from coming out', async () => {
    const gateway = await openGatewayServer()
    await admit(gateway, (input, tool) => (JSON.stringify(input).includes('the key') ? `sk-${'a1'.repeat(20)}` : shout(input, tool)))
    const use = async (text: string) => {
      const find = finder([gateway])
      const [offer] = (await find.find(query)).offers
      return offer && find.use(offer, 'text.shout', { text })
    }
    gateway.rules.push(rule('deny', ['post'], { tag: 'pii.email' }), rule('deny', ['deliver'], { tag: 'secret.key' }))
    const before = fixture.asked.length
    expect(await use('write to someone@example.org')).toEqual({ error: 'A rule forbids it: It is on trial.' })
    expect(fixture.asked).toHaveLength(before)
    expect(await use('tell me the key')).toEqual({ error: 'A rule forbids it: It is on trial.' })
    expect(await use('good morning')).toMatchObject({ answer: { text: 'GOOD MORNING' } })
  })
})

describe('hiring through gateways', () => {
  const any = () => true
  const opens =
    (agent_id: string): OpenProxyListing =>
    async () => ({ agent_id, did: asker.did })

  it('has the best that fits put on offer, and what its gateway refuses left out', async () => {
    const gateway = await openGatewayServer({}, opens('agt_1'))
    const made = await admit(gateway, shout, { name: 'Loud' })
    const refusing = await openGatewayServer()
    await admit(refusing, shout, { name: 'Shy' })
    const hired = await finder([refusing, gateway]).openFirst(query, any)
    expect(hired).toMatchObject({ agent_id: 'agt_1', offer: { admission: { resource: made.card.resource } } })
    expect(await finder([gateway]).openFirst(query, ({ admission }) => admission.name === 'Nobody')).toBeNull()
    expect(await finder([refusing]).openFirst(query, any)).toBeNull()
  })

  it('continues to the next gateway where one falls silent, before or after it was found there', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready))
    servers.push(silent)
    const late: Running = await openGatewayServer({}, () => new Promise(() => undefined))
    await admit(late, shout, { name: 'Late' })
    const good = await openGatewayServer({}, opens('agt_2'))
    await admit(good, shout, { name: 'Loud' })
    const mute = {
      ...late,
      at: { did: (await signerFromSeed(randomSeed())).did, at: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
    }
    const find = finder([mute, late, good], { bounds: { ms: 300, bytes: 262_144 } })
    expect(await find.openFirst(query, any)).toMatchObject({ agent_id: 'agt_2', offer: { admission: { name: 'Loud' } } })
    for (const { did } of [mute.at, late.at]) expect(find.stats.get(did)).toMatchObject({ failures: 1 })
  })
})

describe('an agent in front of a resource', () => {
  const output = { name: 'loud.txt', media_type: 'text/plain', artifact_type: 'text.plain' }
  const inputs = [{ port: 'text', type: 'query.text', text: 'good morning' }]
  const proxy = (gateways: readonly Running[]) =>
    createProxySkill({ finder: finder(gateways), query: { skill_id: 'text.shout', limit: 5 }, skill: 'text.shout', output })

  it('does a step by a tool that speaks MCP, and by the next resource where one fails', async () => {
    const gateway = await openGatewayServer()
    let isWell = true
    await admit(gateway, (input, tool) => (isWell ? shout(input, tool) : { refuse: 'Not today.' }), { name: 'A first' })
    await admit(gateway, shout, { name: 'B second' })
    isWell = false
    const done = await proxy([gateway])({ inputs })
    expect(done).toEqual({ outputs: [{ ...output, text: 'GOOD MORNING' }], text: expect.stringContaining('B second') })
  })

  it('states in a sentence why no one could', async () => {
    const gateway = await openGatewayServer()
    await expect(async () => proxy([gateway])({ inputs })).rejects.toThrow('No gateway has a resource for this now.')
    let isWell = true
    await admit(gateway, (input, tool) => (isWell ? shout(input, tool) : { refuse: 'Not today.' }))
    isWell = false
    await expect(async () => proxy([gateway])({ inputs })).rejects.toThrow('No resource could do it: Loud: Loud refuses: Not today.')
  })
})
