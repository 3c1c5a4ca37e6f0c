import { type AgentSession, agent, connect, connectFederated } from '@parley/agents'
import { type Charter, charterHash, type Listing, ListingDraft, randomSeed, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '../../server/db.ts'
import { listPeers, syncPeer } from '../../server/federation/index.ts'
import { discoverListings, foreignAgentId, getListing, writeVersion } from '../../server/registry/index.ts'
import { listPayouts } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { newTaskId, planOf, publishTestAgent, type TestAgent } from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// Two installations, each with its own database, key and hub, on one chain. Here hosts a goal; there is the home of an agent
// that works in it. Nothing is shared between them but the chain and the agent's key.

const price = 1_000_000n
const home = 'http://localhost:3001'
const backoff = { baseMs: 20, capMs: 200 }
const seed = randomSeed()

let here: TestWorld
let there: TestWorld
let operator: TestPerson
let client: TestPerson
let lead: TestAgent
let near: TestAgent
let farOwner: TestPerson
let farId: string
let far: AgentSession

beforeAll(async () => {
  here = await createWorld()
  const sameChain = { ...here.chain, [Symbol.asyncDispose]: async () => {} }
  there = await createWorld({ chain: sameChain, jobs: false, env: { PUBLIC_URL: home } })
  operator = await here.person({ usdc: 0n, isOperator: true })
  client = await here.person()
  const publisher = await here.person({ usdc: 0n })
  lead = await publishTestAgent(here, publisher, 'lead', 'goal.plan', ['plan'])
  near = await publishTestAgent(here, publisher, 'near', 'text.near')
  farOwner = await there.person({ usdc: 0n })
})
afterAll(async () => {
  far?.close()
  await there?.[Symbol.asyncDispose]()
  await here?.[Symbol.asyncDispose]()
})

const skill = { id: 'text.far', name: 'Far', description: 'Writes.', inputs: [], outputs: [{ name: 'text', type: 'text.plain' }] }
const addPeer = () => operator.send({ type: 'peer.add', origin: home, server_did: there.world.market.serverDid, hub_url: there.hubUrl })
/** Reads the peer now, whenever it would be due. */
async function read(): Promise<void> {
  await here.system.db.peer.updateMany({ data: { nextSyncAt: new Date(0) } })
  await syncPeer(here.system, home)
}
const found = async () => (await discoverListings(here.system, { skill_id: 'text.far', limit: 10 })).listings

it('an agent is known here once its home has stated it, and lets no one else in', async () => {
  const { agent_id, token } = await there.publish(farOwner, { handle: 'far', skills: [{ ...skill, price: price.toString() }] as never })
  farId = foreignAgentId(home, agent_id)
  await addPeer()
  await here.until('the first reading', async () => (await listPeers(here.system))[0]?.readAt)
  // It has no key yet: at home it could speak by its token, here by nothing.
  expect(await found()).toEqual([])
  await expect(connect({ url: here.hubUrl, signer: await signerFromSeed(seed), backoff })).rejects.toMatchObject({ code: 'auth.required' })

  const skills = { 'text.far': () => 'Written far away.' }
  const atHome = await agent({ url: there.hubUrl, seed, token, skills, backoff })
  await read()
  expect(await found()).toMatchObject([{ agent_id: farId, handle: 'far@localhost:3001', did: atHome.did, presence: 'offline' }])
  const stranger = await signerFromSeed(randomSeed())
  await expect(connect({ url: here.hubUrl, signer: stranger, backoff })).rejects.toMatchObject({ code: 'auth.required' })
  await expect(farOwner.send({ type: 'listing.withdraw', agent_id: farId })).rejects.toMatchObject({ code: 'listing.not_found' })

  const channel = { agent_id: farId, deposit: '5000000', authorizer: client.account.address.toLowerCase() }
  await expect(client.send({ type: 'channel.quote', ...channel })).rejects.toMatchObject({ code: 'channel.not_offered' })

  const payee = farOwner.account
  far = await connectFederated(atHome, {
    url: here.hubUrl,
    seed,
    skills,
    backoff,
    payoutSigner: payee,
    server: here.world.market.serverDid,
  })
  expect(far).toMatchObject({ agent_id: farId, did: atHome.did, handle: 'far@localhost:3001' })
  expect(await getListing(here.system, farId)).toMatchObject({ presence: 'online', owner_id: farOwner.did })
})

const stepOf = (step: number, skill_id: string, agent: { agentId: string; did: string; payee: string }, amount = price) => ({
  step,
  title: `Step ${step}`,
  skill_id,
  agent_id: agent.agentId as never,
  sender_id: agent.did as never,
  payee: agent.payee,
  amount: amount.toString(),
  mode: 'async' as const,
  depends_on: [],
  inputs: [],
  outputs: ['text.plain'],
})
async function planIn(goalId: string): Promise<Pick<Charter, 'plan'>> {
  const plan = await planOf(here, goalId)
  return plan ? { plan } : {}
}
async function charterOf(goalId: string, version: number, listing: Listing, amount: bigint): Promise<Charter> {
  const goal = await here.goal(goalId)
  return {
    v: '1',
    goal_id: goal.id as never,
    room_id: goal.roomId as never,
    version,
    client_id: client.did as never,
    principal_id: lead.did as never,
    evaluator_id: here.world.market.evaluator,
    asset: goal.asset,
    total: goal.budget.toString(),
    fee_bps: here.world.market.feeBps,
    on_review_timeout: 'pay_if_delivered',
    ...(await planIn(goalId)),
    steps: [
      stepOf(1, 'text.near', near),
      stepOf(2, 'text.far', { agentId: listing.agent_id, did: listing.did, payee: listing.payout }, amount),
    ],
  }
}

it('a team of one agent of each runs from goal to paid, on the terms that were signed', async () => {
  const goal = await here.postFundedGoal(client, { text: 'Two short texts, please.' })
  await lead.send({ type: 'goal.claim', goal_id: goal.id })
  const listing = await getListing(here.system, farId)

  // It holds us to what its listing says at home.
  await lead.send({ type: 'team.propose', goal_id: goal.id, charter: await charterOf(goal.id, 1, listing, price - 1n) })
  await here.until('the no to a low price', async () =>
    (await getTeam(here.system, goal.id)).members.some((one) => one.agentId === farId && one.answer === 'declined'),
  )
  const elsewhere = { ...listing, payout: near.payee }
  await expect(
    lead.send({ type: 'team.propose', goal_id: goal.id, charter: await charterOf(goal.id, 2, elsewhere, price) }),
  ).rejects.toMatchObject({ code: 'team.charter_invalid' })

  const charter = await charterOf(goal.id, 2, listing, price)
  await lead.send({ type: 'team.propose', goal_id: goal.id, charter })
  await near.send({ type: 'team.accept', goal_id: goal.id, charter_hash: await charterHash(charter) })
  await here.until('the word of the agent from far away', async () =>
    (await getTeam(here.system, goal.id)).members.every((one) => one.answer === 'accepted'),
  )
  await lead.send({ type: 'team.seal', goal_id: goal.id })

  // What its home says from now on changes nothing that was signed.
  const [atHome] = await there.system.db.listing.findMany({ where: { handle: 'far' } })
  const dearer = {
    handle: 'far',
    name: 'far',
    summary: 'The agent far.',
    payout: near.payee,
    skills: [{ ...skill, price: (5n * price).toString() }],
  }
  // As a change of the owner's, signed a day ago, that takes effect now.
  await inTransaction(there.system, (tx) => writeVersion(tx, atHome?.agentId as never, ListingDraft.parse(dearer)))
  await read()
  expect(await getListing(here.system, farId)).toMatchObject({ payout: near.payee, version: 2 })

  await here.until('the charter on chain', async () => (await getTeam(here.system, goal.id)).recordedAt)
  const [one, two] = [newTaskId(), newTaskId()]
  await lead.send({ type: 'task.assign', goal_id: goal.id, task_id: two, step: 2 })
  await lead.send({ type: 'task.assign', goal_id: goal.id, task_id: one, step: 1 })
  const content = Buffer.from('Written near by.').toString('base64')
  const artifacts = [{ name: 'text.txt', media_type: 'text/plain', artifact_type: 'text.plain', content }]
  await near.send({ type: 'task.complete', task_id: one, artifacts })
  await here.until(
    'the work from far away',
    async () => (await here.system.db.task.findUnique({ where: { id: two } }))?.state === 'completed',
  )
  await lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [{ text: 'Both texts are there.' }] })
  await client.send({ type: 'task.accept', goal_id: goal.id })
  await here.until('the payment', async () => (await here.goal(goal.id)).state === 'paid')

  expect((await listPayouts(here.system, { goalId: goal.id })).map((payout) => payout.state)).toEqual(['paid', 'paid'])
  expect(await balanceOf(here.chain, farOwner.account.address)).toBe(price)
  // What it has earned here counts here; its home does not know it.
  expect((await getListing(here.system, farId)).score.paid_steps).toBe(1)
  expect((await getListing(there.system, 'far')).score.paid_steps).toBe(0)
})

it('withdrawn at home it is gone from here too, and what was stated before is not believed again', async () => {
  const [atHome] = await there.system.db.listing.findMany({ where: { handle: 'far' } })
  await farOwner.send({ type: 'listing.withdraw', agent_id: atHome?.agentId })
  await read()
  expect(await found()).toEqual([])
  const kept = await here.system.db.foreignListing.findUniqueOrThrow({ where: { agentId: farId } })
  expect(kept.statement).toMatchObject({ entry: null, origin: home })
  // The same question again is answered in a word.
  await read()
  const etag = `"${kept.revision}.${kept.revision}"`
  const again = await fetch(`${there.hubUrl}/v1/registry?after=${kept.revision}`, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})
