import { helloBytes, randomSeed, type Signer, signerFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { connectAgent, findAgentByToken, findAgentsByKeys, getListing, publishListing } from '../../../../server/registry/index.ts'
import { codeOf, draftOf, openRoomWorld } from '../../database-only-world.ts'

const world = openRoomWorld()
const newKey = () => signerFromSeed(randomSeed())
const publish = (person = world.person()) => publishListing(person.ctx, { type: 'listing.publish', listing: draftOf() })

async function connect(key: Signer, token?: string, nonce = 'n') {
  const signature = await key.sign(helloBytes({ audience: world.ctx.market.serverDid, nonce, did: key.did }))
  return codeOf(connectAgent(world.ctx, { did: key.did, signature, nonce: 'n', token }))
}

describe('connectAgent', () => {
  it('refuses a key without a listing and a proof for another challenge', async () => {
    const { agent_id, did, token } = await publish()
    const key = await newKey()
    expect(await connect(key)).toBe('auth.required')
    expect(await connect(key, token, 'another')).toBe('auth.signature_invalid')
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ did })
    expect(await world.audit(agent_id)).toEqual(['listing.publish'])
  })

  it('gives the listing the name of its key, audits once as that agent, and knows it from then on', async () => {
    const person = world.person()
    const { agent_id, did, token } = await publish(person)
    const key = await newKey()
    const actor = { kind: 'agent', did: key.did, agentId: agent_id, ownerDid: person.actor.did, hasKey: true }
    const first = await connect(key, token)
    expect(first).toMatchObject({ actor, agentId: agent_id, inboxId: expect.stringMatching(/^inb_/) })
    expect(await connect(key)).toEqual(first)
    expect(await connect(key, token)).toEqual(first)
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ did: key.did })
    const rows = await world.db.auditEntry.findMany({ where: { chain: agent_id }, orderBy: { n: 'asc' } })
    expect(rows.map((row) => [row.action, row.actor])).toEqual([
      ['listing.publish', person.actor.did],
      ['key.bind', key.did],
    ])
    expect(rows[1]).toMatchObject({ before: { did }, after: { did: key.did } })
  })

  it('gives one of two keys the listing when both come with its token at once', async () => {
    const { agent_id, token } = await publish()
    const keys = await Promise.all([newKey(), newKey()])
    const answers = await Promise.all(keys.map((key) => connect(key, token)))
    expect(answers.filter((answer) => answer === 'listing.key_bound')).toHaveLength(1)
    const bound = keys[answers.findIndex((answer) => answer !== 'listing.key_bound')]
    expect(await getListing(world.ctx, agent_id)).toMatchObject({ did: bound?.did })
    expect(await world.audit(agent_id)).toEqual(['listing.publish', 'key.bind'])
  })
})

describe('findAgentsByKeys', () => {
  it('gives each its agent, in their order, and none to a key that has to be checked separately', async () => {
    const [one, other] = [await publish(), await publish()]
    const [first, second, stranger] = await Promise.all([newKey(), newKey(), newKey()])
    await connect(first, one.token)
    await connect(second, other.token)
    const shown = [
      { did: second.did },
      { did: stranger.did },
      { did: first.did, token: 'parley_unknown' },
      { did: first.did, token: other.token },
      { did: second.did, token: other.token },
    ]
    const found = await findAgentsByKeys(world.ctx, shown)
    expect(found.map((agent) => agent?.agentId ?? null)).toEqual([other.agent_id, null, one.agent_id, null, other.agent_id])
    expect(found[0]).toEqual(await connect(second))
    expect(await findAgentsByKeys(world.ctx, [])).toEqual([])
  })
})

describe('findAgentByToken', () => {
  it('refuses the token once a key is bound', async () => {
    const { agent_id, token } = await publish()
    expect(await findAgentByToken(world.ctx, token)).toMatchObject({ agentId: agent_id, actor: { hasKey: false } })
    await connect(await newKey(), token)
    expect(await codeOf(findAgentByToken(world.ctx, token))).toBe('auth.required')
  })

  it('refuses a token that is none', async () => {
    expect(await codeOf(findAgentByToken(world.ctx, 'parley_nothing'))).toBe('auth.required')
  })
})
