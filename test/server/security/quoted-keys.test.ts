import { type Charter, charterHash, receiveWithAuthorizationTypes } from '@parley/protocol'
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attestationTypes,
  charterMessage,
  charterTypes,
  escrowDomainAt,
  planEscrowAbi,
  settledCharter,
} from '../../../contracts/abi/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { escrowCharter, listCharters } from '../../../server/settlement/holds/hold-store.ts'
import { authorizeHold, captureHold, getFundingTerms, getHold, recordCharter, voidHold } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import {
  authorize,
  briefHash,
  conclusionHash,
  createMoneyWorld,
  drive,
  ledgerBalance,
  type MoneyWorld,
  open,
  quotedCharter,
  sign,
} from '../settlement/money-world.ts'
import { answerTo, keyOf, planOf, settlementCall } from './attacker-calls.ts'

// The client of a quoted goal signs once, for one team and one goal. No key of the server changes who is paid, or how much.

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function quoted(options: Parameters<typeof open>[1] = {}): Promise<`gol_${string}`> {
  const goalId = await open(world, { workSeconds: 3 * 86_400, isQuoted: true, ...options })
  await authorize(world, goalId)
  await drive(world)
  return goalId
}

const evaluator = () => keyOf(world, 'evaluator')
const attacker = () => keyOf(world, 'settler').address

/** All steps of the plan, settled under this charter, with the evaluator's signature over exactly it. */
async function settledUnder(goalId: string, charter: ReturnType<typeof escrowCharter>): Promise<Hex> {
  const { planId, chainId, escrow, terms } = await planOf(world, goalId)
  const message = { planId, charter: settledCharter(charter), bits: 0b111n, close: true, conclusionHash }
  const domain = escrowDomainAt({ chainId, escrow })
  const signature = await evaluator().signTypedData({ domain, types: attestationTypes, primaryType: 'Attestation', message })
  const args = [{ terms, charter, bits: 0b111n, close: true, conclusionHash, signature }] as const
  return encodeFunctionData({ abi: planEscrowAbi, functionName: 'settle', args })
}

describe('the server’s keys', () => {
  it('pay the quoted team, and neither another payee nor another amount', async () => {
    const goalId = await quoted()
    const [kept] = await listCharters(world.system, goalId)
    const own = escrowCharter(kept ?? null)
    expect(await answerTo(world, await settledUnder(goalId, own))).toBeNull()
    const [first, ...rest] = own.steps
    if (!first) throw new Error('the charter has no step')
    for (const changed of [{ payee: attacker() }, { amount: first.amount - 1n }])
      expect(await answerTo(world, await settledUnder(goalId, { ...own, steps: [{ ...first, ...changed }, ...rest] }))).toMatch(/charter/i)
  })

  it('put no other team in its place, as a proposal or as if the client had approved it', async () => {
    const goalId = await quoted()
    const { planId, chainId, escrow, terms } = await planOf(world, goalId)
    const charter = { steps: [{ payee: attacker(), amount: 10_000_000n }], royalties: [], charterHash: `0x${'7f'.repeat(32)}` as const }
    const domain = escrowDomainAt({ chainId, escrow })
    const typedData = { domain, types: charterTypes, primaryType: 'Charter', message: charterMessage(planId, 1, charter) } as const
    const evaluatorSignature = await evaluator().signTypedData(typedData)
    const memberSignatures = [{ signer: attacker(), signature: '0x' as const }]
    for (const proposed of [true, false]) {
      const signature = proposed ? ('0x' as const) : evaluatorSignature
      const sealing = { terms, version: 1, charter, proposed, signature, evaluatorSignature, memberSignatures }
      const seal = encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] })
      expect(await answerTo(world, seal)).toMatch(/cannot be replaced|direct hire|fixed/i)
    }
  })

  it('name no session key and no veto window in the terms, regardless of the goal’s terms', async () => {
    const goalId = await open(world, { isQuoted: true, authorizer: `0x${'a1'.repeat(20)}`, vetoSeconds: 3_600 })
    expect((await planOf(world, goalId)).terms).toMatchObject({ authorizer: `0x${'0'.repeat(40)}`, vetoSeconds: 0 })
  })
})

describe('the server', () => {
  it('takes no charter but the funded one, and that one at once', async () => {
    const goalId = await quoted()
    const charter = quotedCharter(world, goalId)
    const record = async (changes: Partial<Charter>, version = 0) => {
      const changed = { ...charter, ...changes }
      const steps = changed.steps.map(({ step, payee, amount, agent_id: agentId }) => ({
        step,
        payee: payee as Hex,
        amount: BigInt(amount),
        agentId,
      }))
      const hash = await charterHash(changed)
      await inTransaction(world.system, (tx) =>
        recordCharter(tx, { goalId, version, charterHash: hash, steps, memberSignatures: [null, null] }),
      )
    }
    const [first, ...rest] = charter.steps
    if (!first) throw new Error('the charter has no step')
    await expectProblem(record({ steps: [{ ...first, payee: attacker().toLowerCase() }, ...rest] }), 'team.charter_invalid')
    await expectProblem(record({ steps: [{ ...first, amount: '4000001' as never }, ...rest] }), 'team.charter_invalid')
    await expectProblem(record({ version: 1 }, 1), 'team.charter_invalid')
    await record({})
    expect(await world.system.db.payout.count({ where: { goalId, state: 'sealed', charterVersion: 0 } })).toBe(3)
  })

  it('refuses to open a quoted hold that the escrow could not pay', async () => {
    await expectProblem(open(world, { isQuoted: true, total: 10_249_999n }), 'team.charter_invalid')
  })
})

describe('the client’s signature', () => {
  it('funds one goal: it is worth nothing for another with the same team and price', async () => {
    const [one, other] = [await open(world, { isQuoted: true }), await open(world, { isQuoted: true })]
    const signature = await sign(world, one)
    const client = world.as(world.person(world.client))
    await expectProblem(authorizeHold(client, { type: 'hold.authorize', goal_id: other, signature }), 'hold.signature_invalid')
    const { terms } = await planOf(world, other)
    const { validAfter, validBefore } = await getFundingTerms(world.system, one)
    const args = [terms, BigInt(validAfter), BigInt(validBefore), signature] as const
    const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'fundWithAuthorization', args })
    expect(await answerTo(world, data)).not.toBeNull()
    await authorizeHold(client, { type: 'hold.authorize', goal_id: one, signature })
    await drive(world)
    // The same money is not taken twice.
    const again = [(await planOf(world, one)).terms, BigInt(validAfter), BigInt(validBefore), signature] as const
    expect(
      await answerTo(world, encodeFunctionData({ abi: planEscrowAbi, functionName: 'fundWithAuthorization', args: again })),
    ).not.toBeNull()
    expect((await getHold(world.system, one)).state).toBe('authorized')
  })

  it('covers the team: the same transfer for terms with another team has another nonce', async () => {
    const goalId = await open(world, { isQuoted: true })
    const { typedData, terms } = await getFundingTerms(world.system, goalId)
    const others = world.system.ports.rail.planId({ ...terms, charter: `0x${'7f'.repeat(32)}` })
    expect(typedData.types).toEqual(receiveWithAuthorizationTypes)
    expect((typedData.message as { nonce: string }).nonce).toBe(world.system.ports.rail.planId(terms))
    expect(others).not.toBe(world.system.ports.rail.planId(terms))
    expect(terms.briefHash).toBe(briefHash)
  })
})

describe('the money of a quoted goal', () => {
  const escrowed = (goalId: string) => ledgerBalance(world, `escrow:${goalId}`)

  it('goes back whole at once if its team never forms', async () => {
    const goalId = await quoted()
    const before = await world.balance(world.client.address)
    await inTransaction(world.system, (tx) => voidHold(tx, { goalId, conclusionHash }))
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('voided')
    expect((await world.balance(world.client.address)) - before).toBe(10_250_000n)
    expect(await escrowed(goalId)).toBe(0n)
  })

  it('goes back without the server once the plan has expired, by anyone’s call', async () => {
    const goalId = await quoted({ workSeconds: 3_600 })
    const { terms } = await planOf(world, goalId)
    const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [terms] })
    expect(await answerTo(world, data)).not.toBeNull()
    await world.warp(2 * 86_400)
    const before = await world.balance(world.client.address)
    await world.send(world.chain.keys[7] ?? '0x', { to: world.system.market.escrow, data })
    expect((await world.balance(world.client.address)) - before).toBe(10_250_000n)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('reclaimed')
  })

  it('is settled in one transaction, and the books agree', async () => {
    const goalId = await quoted()
    await inTransaction(world.system, (tx) => captureHold(tx, { goalId, bits: 0b111n, conclusionHash, taskIds: {}, disputeBy: null }))
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect(await world.system.db.payout.count({ where: { goalId, state: 'paid' } })).toBe(3)
    expect(await escrowed(goalId)).toBe(0n)
    expect(await answerTo(world, await settlementCall(world, goalId, evaluator()))).not.toBeNull()
  })
})
