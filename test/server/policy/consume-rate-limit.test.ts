import { commandTypes } from '@parley/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Actor, Context } from '../../../server/context.ts'
import { DomainError } from '../../../server/errors.ts'
import { admitRate, type CostClass, consumeRoomRate, costClassOf, rateLimits, requireRateLeft } from '../../../server/policy/index.ts'
import { codeOf } from '../database-only-world.ts'

let now = 0
let ctx: Context

beforeEach(() => {
  now = Date.parse('2026-03-01T12:00:00Z')
  ctx = { actor: { kind: 'anonymous' }, clock: { now: () => new Date(now) }, ports: {} } as Context
})

const person = (n: number): Actor => ({ kind: 'person', did: `did:pkh:eip155:1:0x${n}`, address: `0x${n}`, isOperator: false })
const ask = (costClass: CostClass, actor: Actor = person(1), source = '') => codeOf(admitRate({ ...ctx, actor }, costClass, source))

async function exhaust(costClass: CostClass, actor: Actor = person(1), source = ''): Promise<void> {
  for (let i = 0; i < rateLimits[costClass].burst; i++) expect(await ask(costClass, actor, source)).toBeUndefined()
}

describe('requireRateLeft', () => {
  it('refuses where there is nothing left, states how long to wait, and takes nothing itself', async () => {
    const source = '198.51.100.9'
    const left = () => requireRateLeft(ctx, 'unproven', source)
    await exhaust('unproven', { kind: 'anonymous' }, source)
    expect(left).toThrow(expect.objectContaining({ code: 'rate.exceeded', facts: { class: 'unproven', retry_after_seconds: 1 } }))
    now += 1_000
    for (let times = 0; times < 3; times++) expect(left).not.toThrow()
    expect(() => requireRateLeft(ctx, 'unproven', '198.51.100.10')).not.toThrow()
  })
})

describe('admitRate', () => {
  it('refuses the request after the burst, and states how long to wait', async () => {
    await exhaust('money')
    const refused = await admitRate({ ...ctx, actor: person(1) }, 'money').catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DomainError)
    expect(refused).toMatchObject({ code: 'rate.exceeded', facts: { class: 'money', retry_after_seconds: 2 } })
  })

  it('counts the requests of pages and API routes together, which have instances of this module of their own', async () => {
    await exhaust('money')
    // The query makes Node evaluate the file again.
    const bundle = (await import(
      `${'../../../server/policy/consume-rate-limit.ts'}?bundle`
    )) as typeof import('../../../server/policy/consume-rate-limit.ts')
    expect(bundle.admitRate).not.toBe(admitRate)
    await expect(bundle.admitRate({ ...ctx, actor: person(1) }, 'money')).rejects.toMatchObject({ code: 'rate.exceeded' })
    await bundle.admitRate({ ...ctx, actor: person(2) }, 'money')
  })

  it('admits again after exactly that long, one at a time', async () => {
    await exhaust('money')
    now += 1_999
    expect(await ask('money')).toBe('rate.exceeded')
    now += 1
    expect(await ask('money')).toBeUndefined()
    expect(await ask('money')).toBe('rate.exceeded')
  })

  it('fills no further than the burst, however long it rests', async () => {
    await exhaust('money')
    now += 86_400_000
    await exhaust('money')
    expect(await ask('money')).toBe('rate.exceeded')
  })

  it('gives nothing back when the clock goes backwards', async () => {
    await exhaust('money')
    now -= 60_000
    expect(await ask('money')).toBe('rate.exceeded')
  })

  it('counts each actor and each class apart', async () => {
    await exhaust('money')
    expect(await ask('money', person(2))).toBeUndefined()
    expect(await ask('write')).toBeUndefined()
  })

  it('counts strangers by their address, and members by their identity', async () => {
    await exhaust('identity', { kind: 'anonymous' }, '198.51.100.7')
    expect(await ask('identity', { kind: 'anonymous' }, '198.51.100.7')).toBe('rate.exceeded')
    expect(await ask('identity', { kind: 'anonymous' }, '198.51.100.8')).toBeUndefined()
    await exhaust('money', person(1), '198.51.100.7')
    expect(await ask('money', person(1), '198.51.100.8')).toBe('rate.exceeded')
  })

  it('admits no more from a network of IPv6 than from 16 sources, and still counts its sources separately', async () => {
    const inNetwork = (n: number) => `2001:db8:7:${n.toString(16)}::/64`
    const stranger: Actor = { kind: 'anonymous' }
    const admitted = 16 * rateLimits.identity.burst
    await exhaust('identity', stranger, inNetwork(0))
    for (let n = 0; n < 500; n++) expect(await ask('identity', stranger, inNetwork(0))).toBe('rate.exceeded')
    for (let n = rateLimits.identity.burst; n < admitted; n++) expect(await ask('identity', stranger, inNetwork(n + 1))).toBeUndefined()
    expect(await ask('identity', stranger, inNetwork(60_000))).toBe('rate.exceeded')
    expect(() => requireRateLeft({ ...ctx, actor: stranger }, 'identity', inNetwork(60_000))).toThrow(
      expect.objectContaining({ code: 'rate.exceeded' }),
    )
    expect(await ask('identity', stranger, '2001:db8:8:0::/64')).toBeUndefined()
  })

  it('keeps the buckets of others while one IPv6 network sends many requests', async () => {
    const stranger: Actor = { kind: 'anonymous' }
    await exhaust('identity', stranger, '198.51.100.7')
    for (let n = 0; n < 65_536; n++) await ask('identity', stranger, `2001:db8:7:${n.toString(16)}::/64`)
    expect(await ask('identity', stranger, '198.51.100.7')).toBe('rate.exceeded')
  })

  it("does not count the server's own jobs", async () => {
    for (let i = 0; i < 3 * rateLimits.money.burst; i++) expect(await ask('money', { kind: 'system', name: 'jobs' })).toBeUndefined()
  })

  it('keeps the buckets of two compositions apart', async () => {
    await exhaust('money')
    expect(await codeOf(admitRate({ ...ctx, actor: person(1), ports: { ...ctx.ports } }, 'money'))).toBeUndefined()
  })

  it('forgets who was here longest ago rather than growing without end', async () => {
    await exhaust('money', person(1))
    for (let i = 0; i < 20_000; i++) await admitRate({ ...ctx, actor: { kind: 'anonymous' } }, 'read', String(i))
    expect(await ask('money', person(1))).toBeUndefined()
  })

  it('has a class for every command', () => {
    for (const type of commandTypes) expect(rateLimits[costClassOf(type)].burst).toBeGreaterThan(0)
  })

  it('counts the messages of a room over all senders, and each room separately', async () => {
    const post = (roomId: string, actor: Actor) => codeOf(Promise.resolve().then(() => consumeRoomRate({ ...ctx, actor }, roomId)))
    for (let i = 0; i < rateLimits.room.burst; i++) consumeRoomRate({ ...ctx, actor: person(i % 9) }, 'rom_1')
    expect(await post('rom_1', person(20))).toBe('rate.exceeded')
    expect(await post('rom_2', person(20))).toBeUndefined()
    now += 1
    expect(await post('rom_1', person(20))).toBeUndefined()
  })
})
