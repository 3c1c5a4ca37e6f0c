import { helloBytes, randomSeed, type Signer, signerFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { authenticateAgent, findKey, issueAgentToken, unbindAgentKey } from '../../../server/identity/index.ts'
import { codeOf, openRoomWorld } from '../database-only-world.ts'

const world = openRoomWorld()
const nonce = 'the-nonce-of-this-connection'
const newKey = () => signerFromSeed(randomSeed())
const issue = (agentId: string) => inTransaction(world.ctx, (tx) => issueAgentToken(tx, agentId))

async function proofOf(key: Signer, change: { audience?: string; nonce?: string; token?: string } = {}) {
  const audience = change.audience ?? world.ctx.market.serverDid
  const signature = await key.sign(helloBytes({ audience, nonce: change.nonce ?? nonce, did: key.did }))
  return { did: key.did, signature, nonce, token: change.token }
}
const prove = async (key: Signer, token?: string) =>
  codeOf(authenticateAgent(world.ctx, await proofOf(key, token === undefined ? {} : { token })))
const keysOf = async (agentId: string) => (await world.db.agentKey.findMany({ where: { agentId, revokedAt: null } })).map((row) => row.did)

describe('authenticateAgent', () => {
  it.each([
    ['another nonce', { nonce: 'of-another-connection' }],
    ['another server', { audience: 'did:key:z6Mkother' }],
  ])('refuses a signature for %s', async (_what, change) => {
    const token = await issue('agt_sig')
    const key = await newKey()
    expect(await codeOf(authenticateAgent(world.ctx, { ...(await proofOf(key, change)), token }))).toBe('auth.signature_invalid')
    expect(await keysOf('agt_sig')).toEqual([])
  })

  it("refuses another's name under one's own signature", async () => {
    const [victim, attacker] = [await newKey(), await newKey()]
    const token = await issue('agt_victim')
    await prove(victim, token)
    const stolen = await proofOf(attacker)
    expect(await codeOf(authenticateAgent(world.ctx, { ...stolen, did: victim.did }))).toBe('auth.signature_invalid')
  })

  it.each(['did:web:example.org:agents:x', 'did:key:z6Mk', 'did:pkh:eip155:1:0x1', ''])(
    'refuses the name %j, which is no Ed25519 key',
    async (did) => {
      const key = await newKey()
      expect(await codeOf(authenticateAgent(world.ctx, { ...(await proofOf(key)), did }))).toBe('auth.signature_invalid')
    },
  )

  it('refuses an unbound key without a token, or with one that is unknown or was replaced', async () => {
    const key = await newKey()
    const old = await issue('agt_unbound')
    await issue('agt_unbound')
    expect(await prove(key)).toBe('auth.required')
    expect(await prove(key, 'parley_unknown')).toBe('auth.required')
    expect(await prove(key, old)).toBe('auth.required')
    expect(await keysOf('agt_unbound')).toEqual([])
  })

  it('binds the key with the token, once, and knows it without afterwards', async () => {
    const key = await newKey()
    const token = await issue('agt_bind')
    expect(await prove(key, token)).toEqual({ agentId: 'agt_bind', did: key.did, isNew: true })
    expect(await prove(key, token)).toEqual({ agentId: 'agt_bind', did: key.did, isNew: false })
    expect(await prove(key)).toEqual({ agentId: 'agt_bind', did: key.did, isNew: false })
    expect(await findKey(world.ctx, 'agt_bind')).toBe(key.did)
  })

  it('does not mind a token that was replaced since, once the key is bound', async () => {
    const key = await newKey()
    const token = await issue('agt_replaced')
    await prove(key, token)
    await issue('agt_replaced')
    expect(await prove(key, token)).toMatchObject({ agentId: 'agt_replaced' })
  })

  it('refuses a second key for one listing', async () => {
    const token = await issue('agt_second')
    const first = await newKey()
    await prove(first, token)
    expect(await prove(await newKey(), token)).toBe('listing.key_bound')
    expect(await keysOf('agt_second')).toEqual([first.did])
  })

  it('refuses a bound key with the token of another listing', async () => {
    const key = await newKey()
    await prove(key, await issue('agt_here'))
    expect(await prove(key, await issue('agt_there'))).toBe('listing.key_bound')
    expect(await keysOf('agt_there')).toEqual([])
  })

  it('refuses a key that was unbound, for the same listing and for another', async () => {
    const key = await newKey()
    await prove(key, await issue('agt_lost'))
    expect(await inTransaction(world.ctx, (tx) => unbindAgentKey(tx, 'agt_lost'))).toEqual({ did: key.did })
    expect(await inTransaction(world.ctx, (tx) => unbindAgentKey(tx, 'agt_lost'))).toEqual({ did: null })
    expect(await prove(key)).toBe('listing.key_bound')
    expect(await prove(key, await issue('agt_lost'))).toBe('listing.key_bound')
    expect(await prove(key, await issue('agt_found'))).toBe('listing.key_bound')
    const next = await newKey()
    expect(await prove(next, await issue('agt_lost'))).toMatchObject({ agentId: 'agt_lost', isNew: true })
  })

  it('binds one key when many come with one token at once', async () => {
    const token = await issue('agt_race')
    const keys = await Promise.all(Array.from({ length: 8 }, newKey))
    const answers = await Promise.all(keys.map((key) => prove(key, token)))
    expect(answers.filter((answer) => answer === 'listing.key_bound')).toHaveLength(7)
    expect(await keysOf('agt_race')).toHaveLength(1)
  })

  it('binds a key to one listing when it comes with two tokens at once', async () => {
    const key = await newKey()
    const tokens = await Promise.all([issue('agt_left'), issue('agt_right')])
    const answers = await Promise.all(tokens.map((token) => prove(key, token)))
    expect(answers.filter((answer) => answer === 'listing.key_bound')).toHaveLength(1)
    expect([...(await keysOf('agt_left')), ...(await keysOf('agt_right'))]).toEqual([key.did])
  })

  it('binds a new key once when it connects many times at once', async () => {
    const key = await newKey()
    const token = await issue('agt_eager')
    const answers = await Promise.all(Array.from({ length: 6 }, () => prove(key, token)))
    expect(answers.filter((answer) => (answer as { isNew: boolean }).isNew)).toHaveLength(1)
    expect(await keysOf('agt_eager')).toEqual([key.did])
  })
})
