import { helloBytes, randomSeed, signerFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { connectAgent, getDidDocument, publishListing, rotateListingKey } from '../../../../server/registry/index.ts'
import { codeOf, draftOf, openRoomWorld, system } from '../../database-only-world.ts'

const world = openRoomWorld()

describe('getDidDocument', () => {
  it('has none for a handle that is not there', async () => {
    expect(await codeOf(getDidDocument(world.ctx, 'nobody'))).toBe('listing.not_found')
  })

  it("lets the server's key vouch for an agent without a key, and log in for no one", async () => {
    const draft = draftOf()
    const { did } = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draft })
    const { serverDid } = world.ctx.market
    const document = await getDidDocument(world.ctx, draft.handle)
    expect(document).toMatchObject({
      id: did,
      verificationMethod: [
        { id: `${did}#key`, type: 'Multikey', controller: serverDid, publicKeyMultibase: serverDid.slice('did:key:'.length) },
      ],
      assertionMethod: [`${did}#key`],
    })
    expect(document).not.toHaveProperty('authentication')
    expect(document).not.toHaveProperty('alsoKnownAs')
  })

  it("shows the agent's own key while it has one", async () => {
    const person = world.person()
    const draft = draftOf()
    const { agent_id, did, token } = await publishListing(person.ctx, { type: 'listing.publish', listing: draft })
    const key = await signerFromSeed(randomSeed())
    const signature = await key.sign(helloBytes({ audience: world.ctx.market.serverDid, nonce: 'n', did: key.did }))
    await connectAgent(world.ctx, { did: key.did, signature, nonce: 'n', token })
    expect(await getDidDocument(world.ctx, draft.handle)).toMatchObject({
      id: did,
      alsoKnownAs: [key.did],
      verificationMethod: [{ controller: did, publicKeyMultibase: key.did.slice('did:key:'.length) }],
      authentication: [`${did}#key`],
    })
    await rotateListingKey(world.as(system), { type: 'listing_key.rotate', agent_id, unbind: true })
    expect(JSON.stringify(await getDidDocument(world.ctx, draft.handle))).not.toContain(key.did.slice('did:key:'.length))
  })
})
