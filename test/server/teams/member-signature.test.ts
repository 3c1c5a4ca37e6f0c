import { type Charter, charterHash, charterTypedData, ListingDraft } from '@parley/protocol'
import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { writeVersion } from '../../../server/registry/index.ts'
import { buildSealingPackage, getHold } from '../../../server/settlement/index.ts'
import { putCharterInForce } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { approveTeam, createFundedGoal, type GoalFixture, inboxData } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

type Hex = `0x${string}`
let world: TestWorld
let fixture: GoalFixture
let other: PrivateKeyAccount
let plan: NonNullable<Charter['plan']>
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  // The second worker is paid elsewhere, so that the charter has two payees.
  other = privateKeyToAccount(generatePrivateKey())
  const { agentId } = fixture.second
  const listing = await world.system.db.listingRevision.findFirstOrThrow({ where: { agentId } })
  const payout = other.address.toLowerCase()
  await inTransaction(world.system, (tx) => writeVersion(tx, agentId, ListingDraft.parse({ ...(listing.body as object), payout })))
  plan = await planOf(fixture)
})
afterAll(() => world[Symbol.asyncDispose]())

async function planOf({ goal }: GoalFixture): Promise<NonNullable<Charter['plan']>> {
  const hold = await getHold(world.system, goal.id)
  return { chain_id: hold.chainId ?? 0, escrow: hold.escrow ?? '', plan_id: hold.planId ?? '' }
}

/** The stage's charter with both payees, for its plan. */
function charterOf(changes: Partial<Charter> = {}): Charter {
  const [first, second] = fixture.charter().steps
  if (!first || !second) throw new Error('the stage has two steps')
  return fixture.charter({ plan, steps: [first, { ...second, payee: other.address.toLowerCase() }], ...changes })
}

async function sign(account: PrivateKeyAccount, charter: Charter, at = plan) {
  const hash = await charterHash(charter)
  return { signer: account.address.toLowerCase(), signature: await account.signTypedData(charterTypedData(charter, hash, at)) }
}
const propose = (charter: Charter, more: object = {}) =>
  fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter, ...more })
const accept = async (agent: GoalFixture['first'], charter: Charter, member_signature?: unknown) =>
  agent.send({
    type: 'team.accept',
    goal_id: fixture.goal.id,
    charter_hash: await charterHash(charter),
    ...(member_signature ? { member_signature } : { unsigned: true }),
  })
const kept = () => world.system.db.memberSignature.findMany({ where: { goalId: fixture.goal.id }, orderBy: { version: 'asc' } })
const handedOver = () => world.system.db.holdCharter.findFirstOrThrow({ where: { goalId: fixture.goal.id }, orderBy: { version: 'desc' } })

describe('a member’s signature for the escrow', () => {
  it('needs a charter that names the hold’s plan', async () => {
    await expectProblem(propose(charterOf({ plan: { ...plan, plan_id: `0x${'1'.repeat(64)}` } })), 'team.charter_invalid')
    await expectProblem(propose(charterOf({ plan: { ...plan, chain_id: 1 } })), 'team.charter_invalid')
    await propose(charterOf())
  })

  it('is refused where it is another key’s, another charter’s, another plan’s, or malformed', async () => {
    const charter = charterOf()
    const stranger = privateKeyToAccount(generatePrivateKey())
    const good = await sign(fixture.publisher.account, charter)
    for (const [name, bad] of Object.entries({
      stranger: { ...good, signer: stranger.address.toLowerCase() },
      forged: { ...(await sign(stranger, charter)), signer: good.signer },
      version: await sign(fixture.publisher.account, { ...charter, version: 2 }),
      amounts: await sign(fixture.publisher.account, { ...charter, steps: charter.steps.map((step) => ({ ...step, amount: '1' })) }),
      plan: await sign(fixture.publisher.account, charter, { ...plan, plan_id: `0x${'2'.repeat(64)}` }),
      chain: await sign(fixture.publisher.account, charter, { ...plan, chain_id: 1 }),
    })) {
      // The chain of this world asks no one about signers yet to be allowed, so a foreign signer ends there.
      const code = name === 'stranger' ? /^(team.signature_invalid|hold.chain_unavailable)$/ : /^team.signature_invalid$/
      await expect(accept(fixture.first, charter, bad), name).rejects.toMatchObject({ code: expect.stringMatching(code) })
    }
    expect(await kept()).toEqual([])
  })

  it('is asked for by the invitation, and kept for the seal', async () => {
    const charter = charterOf()
    const invitations = (await inboxData(fixture, fixture.first.agentId)).filter((data) => data.kind === 'team.invite')
    expect(invitations.map((data) => data.member_signature)).toEqual(['requested'])
    await accept(fixture.first, charter, await sign(fixture.publisher.account, charter))
    expect(await kept()).toMatchObject([{ payee: fixture.first.payee, signer: fixture.first.payee, version: 1 }])
    await expectProblem(fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id }), 'team.incomplete')
  })

  it('goes to the seal with all others, in the order of the payees', async () => {
    const charter = charterOf({ version: 2 })
    await propose(charter)
    const signatures = [await sign(fixture.publisher.account, charter), await sign(other, charter)]
    await accept(fixture.second, charter, signatures[1])
    await accept(fixture.first, charter, signatures[0])
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    expect(await handedOver()).toMatchObject({ version: 2, memberSignatures: signatures })
    const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 })
    const accepted = messages.flatMap((one) => one.parts.flatMap((part) => (part.data?.kind === 'charter.accept' ? [part.data] : [])))
    expect(accepted.at(-1)).toMatchObject({ member_signature: signatures[0] })
  })

  it('is empty of who accepts without, beside those that signed', async () => {
    const charter = charterOf({ version: 3 })
    await propose(charter)
    const signed = await sign(other, charter)
    await accept(fixture.second, charter, signed)
    await accept(fixture.first, charter)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    expect(await handedOver()).toMatchObject({ version: 3, memberSignatures: [{ signer: fixture.first.payee, signature: '0x' }, signed] })
  })

  it('is not needed of a team without keys: once the client has approved it, anyone can seal with the evaluator’s word', async () => {
    const bare = await createFundedGoal(world, 'bare-')
    const charter = bare.charter()
    const charter_hash = await charterHash(charter)
    await bare.lead.send({ type: 'team.propose', goal_id: bare.goal.id, charter, unsigned: true })
    for (const member of [bare.first, bare.second])
      await member.send({ type: 'team.accept', goal_id: bare.goal.id, charter_hash, unsigned: true })
    await bare.lead.send({ type: 'team.seal', goal_id: bare.goal.id })
    expect(await buildSealingPackage(world.system, bare.goal.id, 1)).toBeNull()
    await approveTeam(world, bare.client, bare.goal.id)
    const found = await buildSealingPackage(world.system, bare.goal.id, 1)
    const typedData = charterTypedData(charter, charter_hash, await planOf(bare))
    expect(found?.member_signatures).toEqual([{ signer: bare.first.payee, signature: '0x' }])
    const signer = await recoverTypedDataAddress({ ...typedData, signature: found?.evaluator_signature ?? '0x' })
    expect(signer.toLowerCase()).toBe(world.world.market.evaluator)
  })

  it('shows in the room how the escrow holds the charter', async () => {
    const again = await createFundedGoal(world, 'words-')
    const proposal = again.charter()
    const hash = await charterHash(proposal)
    await again.lead.send({ type: 'team.propose', goal_id: again.goal.id, charter: proposal })
    for (const member of [again.first, again.second]) await member.send({ type: 'team.accept', goal_id: again.goal.id, charter_hash: hash })
    await again.lead.send({ type: 'team.seal', goal_id: again.goal.id })
    await putCharterInForce(world.system, { goalId: again.goal.id, version: 1, planId: '0x' as Hex, tx: '0x', agreed: true, sealing: null })
    const messages = await readMessages(world.system, { roomId: again.goal.roomId, after: 0, limit: 200 })
    const notice = messages.find((one) => one.parts.some((part) => part.data?.kind === 'charter.recorded'))
    expect(notice?.parts.map((part) => part.text ?? part.data?.agreed).join()).toMatch(/holds the charter|has approved the team/)
  })
})
