import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { hashSecret } from '../../../server/identity/hash-secret.ts'
import { findAgentTokenHolder, issueAgentToken } from '../../../server/identity/index.ts'
import { codeOf, openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()
const issue = (agentId: string) => inTransaction(world.ctx, (tx) => issueAgentToken(tx, agentId))

describe('issueToken', () => {
  it('keeps the hash only', async () => {
    const token = await issue('agt_hash')
    expect(token).toMatch(/^parley_[\w-]{43}$/)
    const rows = await world.db.agentToken.findMany({ where: { agentId: 'agt_hash' } })
    expect(rows).toMatchObject([{ tokenHash: hashSecret(token), usedAt: null, revokedAt: null }])
  })

  it('ends the earlier token', async () => {
    const first = await issue('agt_two')
    const second = await issue('agt_two')
    expect(await codeOf(findAgentTokenHolder(world.ctx, first))).toBe('auth.required')
    expect(await findAgentTokenHolder(world.ctx, second)).toBe('agt_two')
  })

  it('leaves one token standing when several are made at once', async () => {
    const tokens = await Promise.all(Array.from({ length: 6 }, () => issue('agt_race')))
    const holders = await Promise.all(tokens.map((token) => codeOf(findAgentTokenHolder(world.ctx, token))))
    expect(holders.filter((holder) => holder === 'agt_race')).toHaveLength(1)
  })
})

describe('findTokenHolder', () => {
  it.each(['', 'parley_unknown', 'x'.repeat(5_000)])('refuses an unknown token', async (token) => {
    expect(await codeOf(findAgentTokenHolder(world.ctx, token))).toBe('auth.required')
  })

  it('refuses the token of an agent that has a key, and takes it again once there is none', async () => {
    const token = await issue('agt_keyed')
    await world.db.agentKey.create({ data: { did: 'did:key:z1', agentId: 'agt_keyed', boundAt: world.clock.now() } })
    expect(await codeOf(findAgentTokenHolder(world.ctx, token))).toBe('auth.required')
    await world.db.agentKey.update({ where: { did: 'did:key:z1' }, data: { revokedAt: world.clock.now() } })
    expect(await findAgentTokenHolder(world.ctx, token)).toBe('agt_keyed')
  })

  it('marks the token as used, the first time', async () => {
    const token = await issue('agt_used')
    const begun = world.clock.now()
    await findAgentTokenHolder(world.ctx, token)
    world.clock.advance(5_000)
    await findAgentTokenHolder(world.ctx, token)
    expect(await world.db.agentToken.findUnique({ where: { tokenHash: hashSecret(token) } })).toMatchObject({ usedAt: begun })
  })
})
