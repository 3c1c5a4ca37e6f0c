import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../server/conversations/index.ts'
import { readGoalMoney } from '../../server/trpc/views/read-goal-money-and-receipt.ts'
import { createFundedGoal, deliverForReview, type GoalFixture } from '../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../support/world.ts'
import { type Chain, openChain } from './chain.ts'
import { checkMoney, type Money, onEscrow } from './check-money.ts'
import { checkTranscript, type Transcript } from './check-transcript.ts'

let world: TestWorld
let fixture: GoalFixture
let chain: Chain
let money: Money
let transcript: Transcript
let signed: Parameters<typeof checkMoney>[1]

beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await deliverForReview(fixture)
  await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
  await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
  chain = openChain(world.chain.rpcUrl)
  money = await readGoalMoney(fixture.client.ctx, fixture.goal.id)
  transcript = await checkTranscript(await messages(), world.world.market.serverDid)
  const address = fixture.client.account.address.toLowerCase() as `0x${string}`
  signed = { planId: onEscrow(money.hold).planId, client: address, budget: fixture.goal.budget }
})
afterAll(() => world?.[Symbol.asyncDispose]())

const messages = () => readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 500 })
const faultsOf = async (changes: {
  money?: Partial<Money>
  transcript?: Partial<Transcript>
  signed?: Partial<typeof signed>
  chain?: Partial<Chain>
}) =>
  (
    await checkMoney(
      { ...money, ...changes.money },
      { ...signed, ...changes.signed },
      { ...transcript, ...changes.transcript },
      { ...chain, ...changes.chain },
    )
  ).faults
const line = (kind: string, change: (amount: bigint) => bigint) =>
  money.waterfall.map((one) => (one.kind === kind ? { ...one, amount: change(one.amount) } : one))

describe('checkTranscript', () => {
  it('finds nothing in a transcript as it is', () => {
    expect(transcript.faults).toEqual([])
    expect(transcript.charters.size).toBe(1)
  })

  it('finds a changed word, a missing message, a foreign server and an empty room', async () => {
    const all = await messages()
    const { serverDid } = world.world.market
    const changed = all.map((message) => (message.seq === 2 ? { ...message, parts: [{ text: 'Never said.' }] } : message))
    expect((await checkTranscript(changed, serverDid)).faults).toEqual([expect.stringMatching(/^message 2 is not signed/)])
    expect(
      (
        await checkTranscript(
          all.filter((message) => message.seq !== 3),
          serverDid,
        )
      ).faults[0],
    ).toMatch(/^message 3 is missing/)
    expect((await checkTranscript(all, fixture.client.did)).faults.length).toBeGreaterThan(0)
    expect((await checkTranscript([], serverDid)).faults).toHaveLength(1)
  })
})

describe('checkMoney', () => {
  it('finds nothing in a payment as it is, and adds it up', async () => {
    const check = await checkMoney(money, signed, transcript, chain)
    expect(check.faults).toEqual([])
    expect([check.paid, check.fee, check.refunded]).toEqual([2_000_000n, 50_000n, 7_950_000n])
  })

  it('finds a ledger that says another amount than the chain, for a payee, the fee and the client', async () => {
    for (const kind of ['payee', 'fee', 'refund', 'funded']) {
      const faults = await faultsOf({ money: { waterfall: line(kind, (amount) => amount + 1n) } })
      expect(faults.length, kind).toBeGreaterThan(0)
    }
    const shifted = money.waterfall.map((one) =>
      one.kind === 'payee' ? { ...one, amount: one.amount - 5n } : one.kind === 'refund' ? { ...one, amount: one.amount + 5n } : one,
    )
    expect((await faultsOf({ money: { waterfall: shifted } })).some((fault) => fault.includes('balance on chain moved by'))).toBe(true)
  })

  it('finds a chain that holds another balance or credit than its own logs say', async () => {
    let calls = 0n
    const off = async () => calls++
    expect(await faultsOf({ chain: { balanceOf: off } })).toContainEqual(expect.stringContaining('its balance on chain moved by'))
    expect(await faultsOf({ chain: { creditOf: off } })).toContainEqual(expect.stringContaining('its credit on chain moved by'))
    expect(await faultsOf({ chain: { plan: async () => ({ status: 1, remaining: 3n }) } })).toEqual([
      'the contract says the plan is Funded with 3 left',
    ])
  })

  it('finds a payment for another conversation, another charter, or one that a member never signed', async () => {
    const { conclusionSeq } = money.goal
    const hashes = transcript.hashes.map((hash, index) => (index === Number(conclusionSeq) - 1 ? '0'.repeat(64) : hash))
    expect(await faultsOf({ transcript: { hashes } })).toEqual([expect.stringMatching(/^the payment carries 0x/)])
    expect(await faultsOf({ transcript: { charters: new Map() } })).toEqual([expect.stringContaining('which nobody proposed in the room')])
    const [[hash, charter] = ['', null]] = transcript.charters
    if (!charter) throw new Error('the stage has a charter')
    const dearer = { ...charter, steps: charter.steps.map((step) => ({ ...step, amount: '7' })) }
    expect(await faultsOf({ transcript: { charters: new Map([[hash, dearer]]) } })).toEqual([
      expect.stringContaining('other payees or amounts'),
    ])
    expect(await faultsOf({ transcript: { accepted: new Map([[hash, new Set([fixture.first.did])]]) } })).toEqual([
      `${fixture.second.did} is in the charter and has not signed it`,
    ])
  })

  it('finds a plan or a budget that the client has not signed, and a goal that never was on chain', async () => {
    expect(await faultsOf({ signed: { budget: 9_000_000n } })).not.toEqual([])
    expect((await faultsOf({ signed: { planId: `0x${'1'.repeat(64)}` } }))[0]).toContain('the client has signed')
    expect(await faultsOf({ money: { proof: { ...money.proof, settledTx: null } } })).toEqual([
      'the goal was not funded and settled on chain',
    ])
    const unbalanced = money.ledger.map((transfer, index) => (index === 0 ? { ...transfer, entries: transfer.entries.slice(1) } : transfer))
    expect(await faultsOf({ money: { ledger: unbalanced } })).toEqual([expect.stringContaining('is not balanced')])
    const unpaid = money.payouts.map((payout) => ({ ...payout, state: 'refunded' as const }))
    expect((await faultsOf({ money: { payouts: unpaid } })).length).toBeGreaterThan(0)
  })
})
