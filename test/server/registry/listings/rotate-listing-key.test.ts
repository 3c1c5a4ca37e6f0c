import { helloBytes, randomSeed, type Signer, signerFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { inTransaction } from '../../../../server/db.ts'
import {
  areConnectionsCurrent,
  connectAgent,
  findAgentByToken,
  getKeyTerms,
  getListing,
  markOnline,
  publishListing,
  rotateListingKey,
} from '../../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const isCurrent = async (ctx: Context, agentId: string, connection: string) =>
  (await areConnectionsCurrent(ctx, [{ agentId, connection }]))[0]
const newKey = () => signerFromSeed(randomSeed())
/** `account`: whose wallet signs. */
async function rekey({ account, ctx }: ReturnType<typeof world.person>, agent_id: string, unbind = false) {
  const { typedData, deadline } = await getKeyTerms(ctx, agent_id, unbind)
  const signature = await account.signTypedData(typedData as never)
  return rotateListingKey(ctx, { type: 'listing_key.rotate', agent_id: agent_id as never, unbind, deadline, signature })
}
const unsigned = (ctx: typeof world.ctx, agent_id: string) =>
  rotateListingKey(ctx, { type: 'listing_key.rotate', agent_id: agent_id as never, unbind: true })

async function published() {
  const person = world.person()
  return { person, ...(await publishListing(person.ctx, { type: 'listing.publish', listing: draftOf() })) }
}
async function connect(key: Signer, token?: string, ctx = world.ctx) {
  const signature = await key.sign(helloBytes({ audience: world.ctx.market.serverDid, nonce: 'n', did: key.did }))
  return codeOf(connectAgent(ctx, { did: key.did, signature, nonce: 'n', token }))
}

describe('rotateListingKey', () => {
  it('refuses a stranger, another person and the agent itself', async () => {
    const { agent_id, token } = await published()
    expect(await codeOf(unsigned(world.as(anonymous), agent_id))).toBe('auth.required')
    expect(await codeOf(unsigned(world.person().ctx, agent_id))).toBe('listing.not_owner')
    expect(await codeOf(unsigned(world.agent(agent_id), agent_id))).toBe('permission.denied')
    expect(await codeOf(unsigned(world.person().ctx, world.ctx.ids.next('agt')))).toBe('listing.not_found')
    expect(await findAgentByToken(world.ctx, token)).toMatchObject({ agentId: agent_id })
  })

  it('ends the old token, audits each time, and never writes the token down', async () => {
    const { person, agent_id, token } = await published()
    const next = await rekey(person, agent_id)
    expect(await codeOf(findAgentByToken(world.ctx, token))).toBe('auth.required')
    expect(await findAgentByToken(world.ctx, next.token)).toMatchObject({ agentId: agent_id })
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'listing_key.rotate'])
    expect(JSON.stringify(await world.db.auditEntry.findMany({ where: { chain: agent_id } }))).not.toContain(next.token)
  })

  it('leaves a bound key and its connection alone unless it gets the command to unbind', async () => {
    const { person, agent_id, token } = await published()
    const key = await newKey()
    await connect(key, token)
    await markOnline(world.ctx, agent_id, 'c1')
    expect(await rekey(person, agent_id)).toMatchObject({ did: key.did })
    expect(await connect(key)).toMatchObject({ agentId: agent_id })
    expect(await isCurrent(world.ctx, agent_id, 'c1')).toBe(true)
  })

  it('forgets the key, ends its connection, and takes a new key with the new token', async () => {
    const { person, agent_id, did, token } = await published()
    const lost = await newKey()
    await connect(lost, token)
    await markOnline(world.ctx, agent_id, 'c1')
    const next = await rekey(person, agent_id, true)
    expect(next.did).toBe(did)
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ did, presence: 'offline' })
    expect(await isCurrent(world.ctx, agent_id, 'c1')).toBe(false)
    expect(await connect(lost, next.token)).toBe('listing.key_bound')
    const fresh = await newKey()
    expect(await connect(fresh, token)).toBe('auth.required')
    expect(await connect(fresh, next.token)).toMatchObject({ actor: { did: fresh.did } })
  })

  it('waits for a first connection in progress, and leaves no key behind', async () => {
    const { person, agent_id, did, token } = await published()
    const key = await newKey()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: bound, resolve: bind } = Promise.withResolvers<void>()
    const connection = inTransaction(world.ctx, async (tx) => {
      const agent = await connect(key, token, tx)
      bind()
      await released
      return agent
    })
    await bound
    const rekeyed = rekey(person, agent_id, true)
    await world.blocked(1)
    release()
    expect(await connection).toMatchObject({ actor: { did: key.did } })
    await rekeyed
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ did })
    expect(await world.db.agentKey.count({ where: { agentId: agent_id, revokedAt: null } })).toBe(0)
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'key.bind', 'listing_key.rotate'])
  })

  it('refuses a login without a signature, another wallet, other values, a late one, and one that was used', async () => {
    const { person, agent_id, token } = await published()
    expect(await codeOf(unsigned(person.ctx, agent_id))).toBe('listing.signature_invalid')
    const attacker = { ...world.person(), ctx: person.ctx }
    expect(await codeOf(rekey(attacker, agent_id, true))).toBe('listing.signature_invalid')
    const { typedData, deadline } = await getKeyTerms(person.ctx, agent_id, false)
    const command = {
      type: 'listing_key.rotate' as const,
      agent_id: agent_id as never,
      deadline,
      signature: await person.account.signTypedData(typedData as never),
    }
    expect(await codeOf(rotateListingKey(person.ctx, { ...command, unbind: true }))).toBe('listing.signature_invalid')
    expect(await findAgentByToken(world.ctx, token)).toMatchObject({ agentId: agent_id })
    await rotateListingKey(person.ctx, { ...command, unbind: false })
    expect(await codeOf(rotateListingKey(person.ctx, { ...command, unbind: false }))).toBe('listing.signature_invalid')
    const late = await getKeyTerms(person.ctx, agent_id, false)
    world.clock.advance(3_700_000)
    const signature = await person.account.signTypedData(late.typedData as never)
    expect(await codeOf(rotateListingKey(person.ctx, { ...command, unbind: false, deadline: late.deadline, signature }))).toBe(
      'listing.signature_invalid',
    )
  })

  it('makes one token of one signature that comes many times at once', async () => {
    const { person, agent_id } = await published()
    const made = await Promise.all(Array.from({ length: 5 }, () => codeOf(rekey(person, agent_id))))
    expect(made.filter((one) => typeof one === 'object')).toHaveLength(1)
  })
})
