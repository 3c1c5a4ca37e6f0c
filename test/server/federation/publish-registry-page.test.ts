import { helloBytes, type RegistryPage, randomSeed, readStatement, signerFromSeed } from '@parley/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { addPeer, publishRegistryPage, syncPeer } from '../../../server/federation/index.ts'
import { connectAgent, publishListing, withdrawListing } from '../../../server/registry/index.ts'
import { draftOf, openRoomWorld, type Person, system } from '../database-only-world.ts'
import { type FakePeer, startPeer } from './fake-peer.ts'

const world = openRoomWorld()
let peer: FakePeer | undefined
afterAll(() => peer?.[Symbol.asyncDispose]())

async function publish(person: Person, change: Parameters<typeof draftOf>[0] = {}) {
  const { agent_id, token } = await publishListing(person.ctx, { type: 'listing.publish', listing: draftOf(change) })
  return { agent_id: agent_id as `agt_${string}`, token }
}
/** The agent connects for the first time, as its library would. */
async function bindKey(token: string) {
  const agent = await signerFromSeed(randomSeed())
  const nonce = 'bm9uY2U'
  const signature = await agent.sign(helloBytes({ audience: world.ctx.market.serverDid, nonce, did: agent.did }))
  await connectAgent(world.ctx, { did: agent.did, signature, nonce, token })
  return agent
}
async function pageAfter(after: number): Promise<RegistryPage> {
  const { page } = await publishRegistryPage(world.ctx, { after, known: null })
  if (!page) throw new Error('nothing was known')
  return page
}
const about = (page: RegistryPage) => page.statements.map((one) => [one.agent_id, one.entry === null ? null : 'entry'])

describe('publishRegistryPage', () => {
  it('states each agent as it stands now, on entry once it has a key, at a new revision with each change', async () => {
    const person = world.person()
    const first = await publish(person)
    const second = await publish(person)
    const all = await pageAfter(0)
    expect(about(all)).toEqual([
      [first.agent_id, null],
      [second.agent_id, null],
    ])
    const agent = await bindKey(first.token)
    const bound = await pageAfter(all.next)
    expect(about(bound)).toEqual([[first.agent_id, 'entry']])
    expect(bound.statements[0]).toMatchObject({ entry: { did: agent.did, owner_id: person.actor.did, version: 1 } })
    await withdrawListing(person.ctx, { type: 'listing.withdraw', agent_id: first.agent_id })
    expect(about(await pageAfter(bound.next))).toEqual([[first.agent_id, null]])
    expect(about(await pageAfter(0))).toEqual([
      [second.agent_id, null],
      [first.agent_id, null],
    ])
  })

  it('signs what a reader takes, and answers the same question in a word', async () => {
    const { token, agent_id } = await publish(world.person())
    await bindKey(token)
    const { etag, page } = await publishRegistryPage(world.ctx, { after: 0, known: null })
    const statement = page?.statements.find((one) => one.agent_id === agent_id) ?? {}
    const from = { issuer: world.ctx.market.serverDid, origin: 'http://localhost:3000', now: world.clock.now().getTime() }
    expect(await readStatement(statement, from)).toMatchObject({ fault: null })
    expect(await publishRegistryPage(world.ctx, { after: 0, known: etag })).toEqual({ etag, page: null })
  })

  it('turns pages before they grow too large', async () => {
    const person = world.person()
    const start = (await pageAfter(0)).next
    for (let n = 0; n < 20; n++) await bindKey((await publish(person, { readme: 'é'.repeat(18_000), skills: wide })).token)
    const page = await pageAfter(start)
    expect(page.has_more).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_200_000)
    const rest = await pageAfter(page.next)
    expect([rest.has_more, page.statements.length + rest.statements.length]).toEqual([false, 20])
  })

  it('reveals nothing of what it has read elsewhere', async () => {
    peer = await startPeer(() => world.ctx, 'https://market.example')
    const before = await publishRegistryPage(world.ctx, { after: 0, known: null })
    peer.setAnswer([await peer.signed()])
    await addPeer(world.as(system), { type: 'peer.add', origin: peer.origin, server_did: peer.signer.did, hub_url: peer.hubUrl })
    await syncPeer(world.as(system), peer.origin)
    expect(await world.db.foreignListing.count()).toBe(1)
    expect(await publishRegistryPage(world.ctx, { after: 0, known: before.etag })).toEqual({ etag: before.etag, page: null })
  })
})

const wide = Array.from({ length: 16 }, (_, index) => ({
  ...(draftOf().skills[0] as ReturnType<typeof draftOf>['skills'][number]),
  id: `text.s${index}`,
  description: 'é'.repeat(700),
}))
