import { type PoolEntry, personDid, randomSeed, type Signer, signAdmission, signerFromSeed } from '@parley/protocol'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import { createRule, listRules, revokeRule } from '../../../server/policy/index.ts'
import { getListing, publishListing, reviseListing, withdrawListing } from '../../../server/registry/index.ts'
import { gatewaySkill, openProxy, reportPool } from '../../../server/resource-pools/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld, type Person, system } from '../database-only-world.ts'

const world = openRoomWorld()
const wallet = `0x${'5'.repeat(40)}`
const operator = personDid(31_337, wallet)
let signer: Signer
let owner: Person
let agentId: string
let gateway: Context

beforeAll(async () => {
  signer = await signerFromSeed(randomSeed())
  owner = world.person()
  const draft = draftOf()
  const listing = { ...draft, skills: draft.skills.map((skill) => ({ ...skill, id: gatewaySkill })) }
  agentId = (await publishListing(owner.ctx, { type: 'listing.publish', listing })).agent_id
  gateway = world.agent(agentId, signer.did)
})
beforeEach(async () => {
  const { rules } = await listRules(world.as(system))
  for (const { rule_id } of rules) await revokeRule(world.as(system), { type: 'rule.revoke', rule_id })
})

type ChainEvent = {
  state?: PoolEntry['state']
  pool?: PoolEntry['pool']
  operator?: string
  price?: string
  outputs?: string[]
  lastsMs?: number
}

/** A resource that its gateway agent has reported to the market. */
async function pushReport(
  { state = 'admitted', pool = 'public', operator: by = operator, lastsMs = 3_600_000, ...skill }: ChainEvent = {},
  known?: string,
) {
  const resource = known ?? (await signerFromSeed(randomSeed())).did
  const now = world.clock.now().getTime()
  const at = new Date(now).toISOString()
  const about = { resource, kind: 'tool' as const, name: 'Loud', operator: by as `did:key:${string}`, topics: [] }
  const admission = await signAdmission(signer, {
    ...{ v: 1, ...about, summary: 'Says it louder.', version: '1', skills: draftOf(skill).skills, checks: 12 },
    ...{ fingerprint: 'f'.repeat(43), tested_at: at, issued_at: at, expires_at: new Date(now + lastsMs).toISOString() },
  })
  const isIn = state === 'admitted' || state === 'demoted'
  const entry: PoolEntry = {
    ...{ ...about, summary: '', host: 'tools.example', skills: ['text.shout'], pool, state, reason: 'So it is.', checks: 12 },
    ...{ fingerprint: 'f'.repeat(43), tested_at: at, admission: isIn ? (admission as unknown as PoolEntry['admission']) : null },
  }
  await reportPool(gateway, { type: 'pool.report', entries: [entry] })
  return resource
}
const open = (ctx: Context, resource: string) => openProxy(ctx, { type: 'proxy.open', resource })

describe('openProxy', () => {
  it('refuses everyone but the gateway agent that has the resource in its pool', async () => {
    const resource = await pushReport()
    const other = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    const rival = await publishListing(world.person().ctx, {
      type: 'listing.publish',
      listing: { ...draftOf(), skills: draftOf().skills.map((skill) => ({ ...skill, id: gatewaySkill })) },
    })
    expect(await codeOf(open(world.as(anonymous), resource))).toBe('auth.required')
    expect(await codeOf(open(world.person().ctx, resource))).toBe('permission.denied')
    expect(await codeOf(open(owner.ctx, resource))).toBe('permission.denied')
    expect(await codeOf(open(world.agent(other.agent_id), resource))).toBe('pool.not_gateway')
    expect(await codeOf(open(world.agent(rival.agent_id), resource))).toBe('pool.proxy_refused')
    expect(await world.db.poolEntry.count({ where: { proxyId: { not: null } } })).toBe(0)
  })

  it.each<[string, ChainEvent]>([
    ['in a private pool', { pool: 'private' }],
    ['evicted', { state: 'evicted' }],
    ['drifted', { state: 'drifted' }],
    ['run by no wallet', { operator: 'did:web:tools.example' }],
    ['run by a wallet of another chain', { operator: personDid(1, wallet) }],
  ])('refuses what is %s', async (_what, how) => {
    expect(await codeOf(open(gateway, await pushReport(how)))).toBe('pool.proxy_refused')
  })

  it('refuses what the gateway has not vouched for lately', async () => {
    const resource = await pushReport({ lastsMs: 1_000 })
    world.clock.advance(2_000)
    expect(await codeOf(open(gateway, resource))).toBe('pool.proxy_refused')
  })

  it('lists the resource as in its admission, for its operator, and shows what stands behind it', async () => {
    const resource = await pushReport({ price: '120000' })
    const { agent_id, token } = await open(gateway, resource)
    const listing = await getListing(world.ctx, agent_id)
    expect(listing).toMatchObject({
      name: 'Loud',
      payout: wallet,
      owner_id: owner.actor.did,
      skills: [{ id: 'text.shout', price: '120000' }],
    })
    expect(listing.proxy).toMatchObject({ resource, operator, kind: 'tool', state: 'admitted', gateway: { agent_id: agentId } })
    expect(token).toMatch(/^parley_/)
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'proxy.open'])
  })

  it('lists a skill with all its outputs', async () => {
    const { agent_id } = await open(gateway, await pushReport({ outputs: ['text.plain', 'text.loud'] }))
    const [skill] = (await getListing(world.ctx, agent_id)).skills
    expect(skill?.outputs.map(({ type }) => type)).toEqual(['text.plain', 'text.loud'])
  })

  it('leaves the payout of a proxy as it is where another operator was admitted', async () => {
    const resource = await pushReport()
    const { agent_id } = await open(gateway, resource)
    await pushReport({ operator: personDid(31_337, `0x${'6'.repeat(40)}`) }, resource)
    expect(await codeOf(open(gateway, resource))).toBe('pool.proxy_refused')
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ payout: wallet, version: 1 })
  })

  it('gives the same proxy again, at the new price where another was admitted, and no one else can revise it', async () => {
    const resource = await pushReport({ price: '120000' })
    const first = await open(gateway, resource)
    expect((await open(gateway, resource)).agent_id).toBe(first.agent_id)
    expect((await getListing(world.ctx, first.agent_id)).version).toBe(1)
    await pushReport({ price: '90000' }, resource)
    await open(gateway, resource)
    const listing = await getListing(world.ctx, first.agent_id)
    expect(listing).toMatchObject({ version: 2, skills: [{ price: '90000' }] })
    const { handle, name, summary, readme, skills, policy } = listing
    const dearer = { handle, name, summary, readme, policy, skills, payout: `0x${'6'.repeat(40)}` }
    const revised = reviseListing(owner.ctx, { type: 'listing.revise', agent_id: first.agent_id as never, listing: dearer })
    expect(await codeOf(revised)).toBe('listing.is_proxy')
    await withdrawListing(owner.ctx, { type: 'listing.withdraw', agent_id: first.agent_id as never })
    expect(await codeOf(open(gateway, resource))).toBe('pool.proxy_refused')
  })

  it('shows readers of the listing that no one vouches for it any more', async () => {
    const resource = await pushReport()
    const { agent_id } = await open(gateway, resource)
    await pushReport({ state: 'evicted' }, resource)
    expect((await getListing(world.ctx, agent_id)).proxy).toMatchObject({ state: 'evicted', admitted_until: null })
  })
})

describe('rules about what stands behind a proxy', () => {
  const deny = (subject: object, points: ('act' | 'admit' | 'execute')[]) =>
    createRule(world.as(system), { type: 'rule.create', rule: { effect: 'deny', points, subject, reason: 'It is on trial.' } })

  it('keep it from being put on offer', async () => {
    const resource = await pushReport()
    await deny({ host: 'tools.example' }, ['admit'])
    expect(await codeOf(dispatchCommand(gateway, { type: 'proxy.open', resource }))).toBe('rule.denied')
  })

  it.each([
    ['the resource', (resource: string) => deny({ did: resource }, ['execute'])],
    ['its operator', () => deny({ did: operator }, ['execute'])],
    ['its gateway', () => deny({ agent_id: agentId }, ['execute'])],
    ['its gateway, at everything', () => deny({ agent_id: agentId }, ['act'])],
  ])('keep it from being given work: %s', async (_what, denied) => {
    const resource = await pushReport()
    const { agent_id } = await open(gateway, resource)
    const principal = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    const listing = await getListing(world.ctx, agent_id)
    const id = '0'.repeat(32)
    const step = {
      ...{ step: 1, title: 'Shout', skill_id: 'text.shout', agent_id, sender_id: listing.did, payee: wallet, amount: '250000' },
      ...{ mode: 'sync', depends_on: [], inputs: [], outputs: ['report.text'] },
    }
    const charter = {
      ...{
        v: '1',
        goal_id: `gol_${id}`,
        room_id: `rom_${id}`,
        version: 1,
        client_id: operator,
        principal_id: principal.did,
        fee_bps: 250,
      },
      ...{ evaluator_id: 'x', asset: 'x', total: '1000000', on_review_timeout: 'pay_if_delivered', steps: [step] },
    }
    const propose = () =>
      codeOf(dispatchCommand(world.agent(principal.agent_id, principal.did), { type: 'team.propose', goal_id: `gol_${id}`, charter }))
    expect(await propose()).not.toBe('rule.denied')
    await denied(resource)
    expect(await propose()).toBe('rule.denied')
  })
})
