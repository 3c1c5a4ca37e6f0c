import { type RegistryEntry, randomSeed, signerFromSeed, signStatement } from '@parley/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPeer, listPeers, removePeer, syncPeer, syncPeers } from '../../../server/federation/index.ts'
import { authenticateAgent, issueAgentToken } from '../../../server/identity/index.ts'
import {
  discoverListings,
  foreignAgentId,
  getAgentInboxId,
  getDidDocument,
  getListing,
  publishListing,
  reviseListing,
  rotateListingKey,
  withdrawListing,
} from '../../../server/registry/index.ts'
import { anonymous, codeOf, draftOf, openRoomWorld, system } from '../database-only-world.ts'
import { type FakePeer, type Statement, startPeer } from './fake-peer.ts'

const world = openRoomWorld()
const host = 'market.example'
let peer: FakePeer
beforeAll(async () => {
  peer = await startPeer(() => world.ctx, `https://${host}`)
})
afterAll(() => peer?.[Symbol.asyncDispose]())
beforeEach(async () => {
  peer.setAnswer([])
  await removePeer(world.as(system), { type: 'peer.remove', origin: peer.origin }).catch(() => {})
  await addPeer(world.as(system), { type: 'peer.add', origin: peer.origin, server_did: peer.signer.did, hub_url: peer.hubUrl })
})

/** Has the peer say this and reads it, be it due or not. */
async function receive(...statements: object[]) {
  peer.setAnswer(statements)
  await read()
  const [view] = await listPeers(world.as(system))
  return view
}
async function read(): Promise<void> {
  world.clock.advance(61_000)
  await syncPeer(world.as(system), peer.origin)
}
/** Statements are about one agent all the time, at growing revisions. */
async function signAgain(of: Statement, change: Partial<Statement>) {
  const now = world.clock.now().getTime()
  const fresh = { issued_at: new Date(now).toISOString(), expires_at: new Date(now + 3_600_000).toISOString() }
  return signStatement(peer.signer, { ...of, ...fresh, ...change })
}
const idHere = (statement: { agent_id: string }) => foreignAgentId(peer.origin, statement.agent_id)
const isShown = async (statement: { agent_id: string }) => {
  const { listings } = await discoverListings(world.as(anonymous), { limit: 100 })
  return listings.some((listing) => listing.agent_id === idHere(statement))
}

describe('a statement', () => {
  it.each<[string, (good: Statement) => Promise<object>, RegExp]>([
    [
      'signed by another key',
      async (good) => ({ ...(await signStatement(await signerFromSeed(randomSeed()), good)), issuer: peer.signer.did }),
      /signature/,
    ],
    ['issued by another server', async (good) => signStatement(await signerFromSeed(randomSeed()), good), /issued by/],
    ['about a third installation', (good) => signStatement(peer.signer, { ...good, origin: 'https://third.example' }), /only about itself/],
    ['changed after it was signed', async (good) => ({ ...(await signStatement(peer.signer, good)), revision: 9 }), /signature/],
    [
      'that has expired',
      (good) => signStatement(peer.signer, { ...good, issued_at: '2026-02-01T00:00:00Z', expires_at: '2026-02-02T00:00:00Z' }),
      /expired/,
    ],
    [
      'from the future',
      (good) => signStatement(peer.signer, { ...good, issued_at: '2027-01-01T00:00:00Z', expires_at: '2027-01-02T00:00:00Z' }),
      /future/,
    ],
    ['meant to hold for ever', (good) => signStatement(peer.signer, { ...good, expires_at: '2030-01-01T00:00:00Z' }), /seven days/],
    ['too large', (good) => signStatement(peer.signer, { ...good, padding: 'x'.repeat(82_000) } as never), /82\d{3} bytes|8\d{4} bytes/],
    ['of a version that is too large to store', (good) => sign(good, { version: 2 ** 31 }), /version/],
    ['without a form', async () => ({ v: 1, hello: 'world' }), /./],
    ['of prices in another asset', (good) => sign(good, { asset: 'iso4217:USD' }), /settles in/],
    [
      'of an agent whose key has never been at the peer',
      async (good) => sign(good, { did: (await signerFromSeed(randomSeed())).did }),
      /never signed in/,
    ],
    [
      'with royalties',
      (good) => sign(good, { listing: draftOf({ royalties: [{ agent_id: world.ctx.ids.next('agt') as never, bps: 100 }] }) }),
      /builds on/,
    ],
    [
      'with text that our own screen refuses',
      (good) => sign(good, { listing: draftOf({ summary: 'Pays \u202eyou\u202c well.' }) }),
      /direction mark/,
    ],
  ])('%s is refused, and the next one is read nevertheless', async (_what, corruptCall, why) => {
    const good = await peer.statement()
    const next = await peer.signed({ revision: 2 })
    const view = await receive(await corruptCall(good), next)
    expect(view).toMatchObject({ refused: 1, problem: null })
    expect(view?.refusal).toMatch(why)
    expect([await isShown(good), await isShown(next)]).toEqual([false, true])
  })
  const sign = (good: Statement, change: Partial<RegistryEntry>) =>
    signStatement(peer.signer, { ...good, entry: { ...(good.entry as RegistryEntry), ...change } })

  it('about one of our own agents’ keys is refused, and the agent keeps it', async () => {
    const agent = await signerFromSeed(randomSeed())
    const own = await publishListing(world.person().ctx, { type: 'listing.publish', listing: draftOf() })
    await world.db.agentKey.create({ data: { did: agent.did, agentId: own.agent_id, boundAt: world.clock.now() } })
    expect(await receive(await peer.signed({}, {}, agent))).toMatchObject({ refused: 1 })
    expect((await world.db.agentKey.findUnique({ where: { did: agent.did } }))?.agentId).toBe(own.agent_id)
  })
})

describe('a foreign listing', () => {
  it('shows its origin, and its home’s score apart from ours', async () => {
    const signedStatement = await peer.signed()
    await receive(signedStatement)
    const handle = `${signedStatement.entry?.listing.handle}@${host}`
    const listing = await getListing(world.ctx, handle)
    expect(listing).toMatchObject({
      handle,
      agent_id: idHere(signedStatement),
      did: signedStatement.entry?.did,
      owner_id: signedStatement.entry?.owner_id,
      payout: signedStatement.entry?.listing.payout,
      score: { n: 0, paid_steps: 0 },
      home: { origin: peer.origin, server: peer.signer.did, agent_id: signedStatement.agent_id, score: { n: 3, score: 98.5 } },
    })
    expect(await codeOf(getDidDocument(world.ctx, handle))).toBe('listing.not_found')
    expect(await world.audit(listing.agent_id)).toEqual(['listing.state'])
  })

  it('cannot be edited here, not even by its owner or an operator', async () => {
    const signedStatement = await peer.signed()
    await receive(signedStatement)
    const agent_id = idHere(signedStatement) as never
    const address = signedStatement.entry?.listing.payout as `0x${string}`
    const owner = world.as({ kind: 'person', did: signedStatement.entry?.owner_id as never, address, isOperator: true })
    const listing = signedStatement.entry?.listing as never
    expect(await codeOf(reviseListing(owner, { type: 'listing.revise', agent_id, listing }))).toBe('listing.foreign')
    expect(await codeOf(withdrawListing(owner, { type: 'listing.withdraw', agent_id }))).toBe('listing.foreign')
    expect(await codeOf(rotateListingKey(owner, { type: 'listing_key.rotate', agent_id, unbind: true }))).toBe('listing.foreign')
    expect(await isShown(signedStatement)).toBe(true)
  })

  it('follows its home: a new price, a new key, no key, withdrawal; and nothing older brings it back', async () => {
    const first = await peer.statement()
    const signed = await signStatement(peer.signer, first)
    await receive(signed)
    const entry = first.entry as RegistryEntry
    const dearer = { ...entry.listing, skills: entry.listing.skills.map((skill) => ({ ...skill, price: '990000' })) }
    await receive(await signAgain(first, { revision: 2, entry: { ...entry, version: 2, listing: dearer } }))
    expect((await getListing(world.ctx, idHere(first))).skills[0]?.price).toBe('990000')
    const inbox = await getAgentInboxId(world.ctx, idHere(first))

    const rekeyed = await peer.statement({ agent_id: first.agent_id })
    await receive(await signAgain(rekeyed, { revision: 3 }))
    expect(await getListing(world.ctx, idHere(first))).toMatchObject({ did: rekeyed.entry?.did })
    expect(await getAgentInboxId(world.ctx, idHere(first))).toBe(inbox)
    expect(await world.db.agentKey.findUnique({ where: { did: entry.did } })).toMatchObject({ revokedAt: expect.any(Date) })

    await receive(await signAgain(first, { revision: 4, entry: null }))
    expect(await isShown(first)).toBe(false)
    expect(await world.db.agentKey.count({ where: { agentId: idHere(first), revokedAt: null } })).toBe(0)

    const back = await peer.statement({ agent_id: first.agent_id })
    await receive(await signAgain(back, { revision: 5 }))
    expect(await isShown(first)).toBe(true)
    await receive(await signAgain(first, { revision: 6, entry: null, withdrawn_at: world.clock.now().toISOString() }))
    expect(await isShown(first)).toBe(false)
    // Withdrawn, it keeps its key, to finish what it has begun.
    expect(await world.db.agentKey.count({ where: { agentId: idHere(first), revokedAt: null } })).toBe(1)

    await world.db.peer.updateMany({ data: { cursor: 0n } })
    const replayed = await receive(signed)
    expect(replayed?.refusal).toMatch(/newer statement/)
    expect(await isShown(first)).toBe(false)
  })

  it('is not shown once its statement has expired, until it is stated again', async () => {
    const signedStatement = await peer.statement()
    await receive(await signStatement(peer.signer, signedStatement))
    peer.setAnswer((response) => response.writeHead(503).end())
    world.clock.advance(3_600_001)
    expect(await isShown(signedStatement)).toBe(false)
    expect((await getListing(world.ctx, idHere(signedStatement))).withdrawn_at).not.toBeNull()
    await read()
    expect(await isShown(signedStatement)).toBe(false)
    world.clock.advance(6 * 3_600_000)
    await receive(await signAgain(signedStatement, {}))
    expect(await isShown(signedStatement)).toBe(true)
  })

  it('lets no one in without the agent’s key, and no token can be made for it', async () => {
    const agent = await signerFromSeed(randomSeed())
    const signedStatement = await peer.signed({}, {}, agent)
    await receive(signedStatement)
    const { nonce, signature } = (signedStatement.entry as RegistryEntry).key_proof
    // What the peer was shown is no proof to us.
    expect(await codeOf(authenticateAgent(world.ctx, { did: agent.did, nonce, signature }))).toBe('auth.signature_invalid')
    const other = await signerFromSeed(randomSeed())
    const token = await issueAgentToken(world.ctx, world.ctx.ids.next('agt'))
    expect(
      await codeOf(authenticateAgent(world.ctx, { did: agent.did, nonce, signature: await other.sign(new Uint8Array(4)), token })),
    ).toBe('auth.signature_invalid')
  })
})

describe('reading a peer', () => {
  it('asks for what is new, from its hub and nowhere else, and starts over before anything expires', async () => {
    await receive(await peer.signed({ revision: 7 }))
    peer.asked.length = 0
    await read()
    await syncPeer(world.as(system), peer.origin)
    expect(peer.asked).toEqual(['/v1/registry?after=7'])
    world.clock.advance(6 * 3_600_000)
    await syncPeers(world.as(system))
    expect(peer.asked.at(-1)).toBe('/v1/registry?after=0')
  })

  it.each<[string, Parameters<FakePeer['setAnswer']>[0], RegExp]>([
    ['redirects', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /redirects/],
    ['is broken', (response) => response.writeHead(500).end('no'), /500/],
    ['sends no JSON', (response) => response.end('<html>'), /not a registry page/],
    ['sends too much', (response) => response.end(`"${'x'.repeat(2_200_000)}"`), /more than/],
    ['runs in a circle', (response) => response.end(JSON.stringify({ v: 1, statements: [], next: 0, has_more: true })), /move on/],
    ['hangs up', (response) => response.destroy(), /unreachable/],
  ])('that %s is noted, and tried again later and later', async (_what, answer, problem) => {
    peer.setAnswer(answer)
    await read()
    const [view] = await listPeers(world.as(system))
    expect(view).toMatchObject({ failures: 1, problem: expect.stringMatching(problem) })
    expect((view?.nextSyncAt.getTime() ?? 0) - world.clock.now().getTime()).toBe(120_000)
  })
})
