import { limits, type PoolEntry, randomSeed, type Signer, signAdmission, signerFromSeed } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { createRule } from '../../../server/policy/index.ts'
import { publishListing } from '../../../server/registry/index.ts'
import { gatewaySkill, listResourcePools, reportPool } from '../../../server/resource-pools/index.ts'
import { maxRefused } from '../../../server/resource-pools/report-pool.ts'
import { anonymous, codeOf, draftOf, openRoomWorld, type Person, system } from '../database-only-world.ts'

const world = openRoomWorld()
let signer: Signer
let owner: Person
let agentId: string
let gateway: Context
let resource: string

beforeAll(async () => {
  signer = await signerFromSeed(randomSeed())
  resource = (await signerFromSeed(randomSeed())).did
  owner = world.person()
  const draft = draftOf()
  const [skill] = draft.skills
  const listing = { ...draft, skills: skill ? [{ ...skill, id: gatewaySkill }] : [] }
  agentId = (await publishListing(owner.ctx, { type: 'listing.publish', listing })).agent_id
  gateway = world.agent(agentId, signer.did)
})

async function admissionBy(by: Signer, about = resource, lastsMs = 3_600_000) {
  const now = world.clock.now().getTime()
  const at = new Date(now).toISOString()
  const [skill] = draftOf().skills
  return (await signAdmission(by, {
    ...{
      v: 1,
      resource: about,
      kind: 'tool',
      name: 'Loud',
      summary: 'Says it louder.',
      version: '1',
      operator: about,
      skills: skill ? [skill] : [],
      topics: [],
    },
    ...{ fingerprint: 'f'.repeat(43), tested_at: at, checks: 12, issued_at: at, expires_at: new Date(now + lastsMs).toISOString() },
  })) as unknown as PoolEntry['admission']
}
const entry = (change: Partial<PoolEntry> = {}): PoolEntry => ({
  ...{
    resource,
    kind: 'tool',
    name: 'Loud',
    summary: '',
    operator: resource,
    host: 'tools.example',
    topics: [],
    skills: ['text.shout'],
    pool: 'public',
  },
  ...{ state: 'evicted', reason: 'It lied.', checks: 0, fingerprint: '', tested_at: null, admission: null },
  ...change,
})
const report = (ctx: Context, ...entries: PoolEntry[]) => reportPool(ctx, { type: 'pool.report', entries })
const audits = () => world.audit(`pool:${agentId}`)
const shown = async (ctx: Context) => (await listResourcePools(ctx)).pools[0]?.resources.map(({ name, state }) => `${name} ${state}`) ?? []

describe('reportPool', () => {
  it('refuses everyone but agents whose listing reports that they are gateways', async () => {
    const other = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    expect(await codeOf(report(world.as(anonymous), entry()))).toBe('auth.required')
    expect(await codeOf(report(world.person().ctx, entry()))).toBe('permission.denied')
    expect(await codeOf(report(owner.ctx, entry()))).toBe('permission.denied')
    expect(await codeOf(report(world.agent(other.agent_id), entry()))).toBe('pool.not_gateway')
    expect(await world.db.poolEntry.count()).toBe(0)
  })

  it.each<[string, () => Promise<Partial<PoolEntry>>]>([
    ['without one', async () => ({})],
    ['by another key', async () => ({ admission: await admissionBy(await signerFromSeed(randomSeed())) })],
    ['of another resource', async () => ({ admission: await admissionBy(signer, (await signerFromSeed(randomSeed())).did) })],
    ['that has expired', async () => ({ admission: await admissionBy(signer, resource, 0) })],
  ])('takes nothing for admitted on an admission %s', async (_what, change) => {
    const good = entry({ resource: (await signerFromSeed(randomSeed())).did })
    expect(await codeOf(report(gateway, good, entry({ state: 'admitted', ...(await change()) })))).toBe('pool.admission_invalid')
    expect(await world.db.poolEntry.count()).toBe(0)
  })

  it('audits what has changed, once, and the same again changes nothing', async () => {
    const admitted = entry({
      state: 'admitted',
      reason: 'It passed 12 checks.',
      fingerprint: 'f'.repeat(43),
      admission: await admissionBy(signer),
    })
    await report(gateway, admitted)
    await report(gateway, admitted)
    expect(await audits()).toEqual(['pool.report'])
    await report(gateway, { ...admitted, state: 'drifted', reason: 'It offers shell.run besides.', admission: null })
    expect(await audits()).toEqual(['pool.report', 'pool.report'])
    const [row] = await world.db.auditEntry.findMany({ where: { chain: `pool:${agentId}` }, orderBy: { n: 'desc' }, take: 1 })
    expect(row?.after).toMatchObject({ changes: [{ was: 'admitted', state: 'drifted', reason: 'It offers shell.run besides.' }] })
  })

  it('returns the rules in force, also without anything to report', async () => {
    expect(await report(gateway)).toEqual({ rules: [] })
    await createRule(world.as(system), {
      type: 'rule.create',
      rule: { effect: 'deny', points: ['admit'], subject: { kind: 'model' }, reason: 'No models.' },
    })
    expect(await report(gateway)).toMatchObject({ rules: [{ effect: 'deny', subject: { kind: 'model' } }] })
    expect(await audits()).toHaveLength(2)
  })

  it('shows what is private or was refused to operators and its owner only', async () => {
    const hidden = entry({ resource: (await signerFromSeed(randomSeed())).did, name: 'Ours', pool: 'private' })
    const refused = entry({ resource: (await signerFromSeed(randomSeed())).did, name: 'Stranger', state: 'refused' })
    await report(gateway, hidden, refused)
    expect((await shown(world.as(anonymous))).toSorted()).toEqual(['Loud drifted'])
    expect((await shown(world.person().ctx)).toSorted()).toEqual(['Loud drifted'])
    const all = ['Loud drifted', 'Ours evicted', 'Stranger refused']
    expect((await shown(owner.ctx)).toSorted()).toEqual(all)
    expect((await shown(world.as({ ...world.person().actor, isOperator: true }))).toSorted()).toEqual(all)
    // Where it stands is not changed by a registration in its name.
    await report(gateway, entry({ state: 'refused', reason: 'The ticket has expired.' }))
    expect((await shown(owner.ctx)).toSorted()).toEqual(all)
  })

  it('keeps so many of what was refused, the latest', async () => {
    const now = world.clock.now()
    const rows = Array.from({ length: maxRefused + 5 }, (_, n) => ({
      ...{ agentId, resource: `did:key:old-${n}`, state: 'refused', pool: 'public', name: 'Old', reason: 'x', fingerprint: '', body: {} },
      ...{ changedAt: new Date(now.getTime() - 1_000), reportedAt: now },
    }))
    await world.db.poolEntry.createMany({ data: rows })
    const last = (await signerFromSeed(randomSeed())).did
    await report(gateway, entry({ resource: last, state: 'refused' }))
    expect(await world.db.poolEntry.count({ where: { state: 'refused' } })).toBe(maxRefused)
    expect(await world.db.poolEntry.count({ where: { resource: last } })).toBe(1)
  })

  it('shows under its host what has a name that could pass for another, and takes the rest of the report', async () => {
    const others = await Promise.all(Array.from({ length: 3 }, async () => (await signerFromSeed(randomSeed())).did))
    const named = ['Parley Official', 'Lоud', '東京データ'].map((name, index) => entry({ resource: others[index] as never, name }))
    await reportPool(gateway, { type: 'pool.report', entries: named })
    const rows = await world.db.poolEntry.findMany({ where: { agentId, resource: { in: others } } })
    const names = new Map(rows.map((row) => [row.resource, [row.name, (row.body as { name: string }).name]]))
    const expected = ['tools.example', 'tools.example', '東京データ']
    expect(others.map((other) => names.get(other))).toEqual(expected.map((name) => [name, name]))
  })
})

describe('listResourcePools', () => {
  it('shares one answer between the gateways, and reports how many resources each has', async () => {
    const now = world.clock.now()
    const body = { ...entry(), summary: '計'.repeat(200), skills: Array.from({ length: 16 }, (_, n) => `${'s'.repeat(70)}${n}`) }
    for (let n = 0; n < 8; n++) {
      const { agent_id } = await publishListing(owner.ctx, { type: 'listing.publish', listing: draftOf() })
      const rows = Array.from({ length: 200 }, (_, place) => ({
        ...{ agentId: agent_id, resource: `did:key:r-${place}`, state: 'admitted', pool: 'public', name: 'R', reason: 'x'.repeat(200) },
        ...{ fingerprint: '', body: body as object, changedAt: now, reportedAt: now },
      }))
      await world.db.poolEntry.createMany({ data: rows })
    }
    const { pools, isWhole } = await listResourcePools(world.as(anonymous))
    expect(JSON.stringify(pools).length).toBeLessThan(limits.pageBytes + 50_000)
    expect(isWhole).toBe(true)
    const full = pools.filter((pool) => pool.counts.admitted >= 200)
    expect(full).toHaveLength(8)
    for (const pool of full) expect([pool.resources.length > 10, pool.resources.length < 200]).toEqual([true, true])
  })
})
