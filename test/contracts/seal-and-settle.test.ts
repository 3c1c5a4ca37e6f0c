/**
 * sealAndSettle
 * ├── reverts for a proposal, without the client side's word, a member's or the evaluator's
 * ├── seals and pays, and leaves the rest of the steps for later
 * ├── with `close` it writes no charter, and logs what seal and settle would
 * ├── only settles where the same charter is in force already
 * └── authorizes and settles a proposal, whose submitted steps stay in review
 * sealAndSettleMany, settleMany
 * ├── carry out each separately: one that fails leaves the others
 * ├── take the caller's word for its own settlements
 * ├── a signer or token that eats all its gas fails alone
 * └── revert whole where less gas is left than each was promised
 */
import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindCharter, type PlanTerms, planEscrowAbi } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { gains } from './disputes.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, usdc, type World } from './world.ts'

const { alice, bob, carol, client, evaluator, feeTo: session, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function funded(changes: Partial<PlanTerms> = {}): Promise<PlanTerms> {
  const terms = await world.terms({ authorizer: session.address, vetoSeconds: 600, ...changes })
  await world.fund(terms)
  return terms
}
const boundCharter = (of: PlanTerms) =>
  world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'charterOf', args: [world.planId(of)] })
const all = settlementOf(0b111n, true)

describe('sealAndSettle', () => {
  it('reverts for a proposal, and without the signature of client side or evaluator', async () => {
    const terms = await funded()
    const good = await world.sealedSettlement(terms, charterOf(), all)
    const bring = (one: typeof good) => revertOf(world.call(relayer, 'sealAndSettle', [one]))
    const proposal = await world.proposal(terms, charterOf())
    expect(await bring({ ...good, sealing: proposal })).toEqual(['ProposalRefused', world.planId(terms)])
    const unauthorized = { ...good.sealing, signature: await world.signAuthorization(terms, charterOf(), evaluator) }
    expect(await bring({ ...good, sealing: unauthorized })).toEqual(['BadSignature', client.address])
    const unattested = { ...good, signature: await world.signSettlement(terms, charterOf(), all, client) }
    expect(await bring(unattested)).toEqual(['BadSignature', evaluator.address])
    expect(await bring({ ...good, bits: 0b11n })).toEqual(['BadSignature', evaluator.address])
    expect((await world.plan(terms)).version).toBe(0)
    await world.call(relayer, 'sealAndSettle', [good])
  })

  it('reverts for another version of the same charter, so that no account moves the team to one that its words are not over', async () => {
    const terms = await funded({ onSilence: 3 })
    await world.seal(terms, charterOf())
    const good = await world.sealedSettlement(terms, charterOf(), settlementOf(1n))
    const moved = { ...good.sealing, version: 77, signature: await world.signAuthorization(terms, charterOf({ version: 77 }), client) }
    for (const evaluatorSignature of ['0x' as const, good.sealing.evaluatorSignature])
      expect(await revertOf(world.call(client, 'sealAndSettle', [{ ...good, sealing: { ...moved, evaluatorSignature } }]))).toEqual([
        'BadSignature',
        evaluator.address,
      ])
  })

  it('pays no account by another charter of the same version, although the client signed and brought that one', async () => {
    const terms = await funded()
    const own = charterOf({ steps: [{ payee: stranger.address, amount: usdc(6) }] })
    const attested = await world.signSettlement(terms, charterOf(), settlementOf(1n, true))
    await world.seal(terms, own)
    const settlement = await world.settlement(terms, own, settlementOf(1n, true), attested)
    expect(await revertOf(world.call(relayer, 'settle', [settlement]))).toEqual(['BadSignature', evaluator.address])
    const sealed = await world.sealedSettlement(terms, own, settlementOf(1n, true), attested)
    expect(await revertOf(world.call(relayer, 'sealAndSettle', [sealed]))).toEqual(['BadSignature', evaluator.address])
  })

  it('pays some steps, and leaves the others for later', async () => {
    const terms = await funded()
    expect(await gains(world, [alice, bob], () => world.sealAndSettle(terms, charterOf(), settlementOf(1n)))).toEqual([usdc(1), 0n])
    expect(await boundCharter(terms)).toBe(bindCharter(charterOf()))
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(9), codes: 1n, version: 1 })
    await world.settle(terms, charterOf(), settlementOf(0b110n, true))
  })

  it('with close writes no charter, and logs what seal and settle would', async () => {
    const terms = await funded({ feeBps: 250 })
    const { events } = await world.sealAndSettle(terms, charterOf(), all)
    expect(events.map(({ name }) => name)).toEqual([
      'PlanSealed',
      'StepsSettled',
      'FeeCredited',
      'PlanClosed',
      'Paid',
      'Paid',
      'Paid',
      'Refunded',
    ])
    expect(await boundCharter(terms)).toBe(zeroHash)
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n, version: 1 })
    expect(await revertOf(world.sealAndSettle(terms, charterOf(), all))).toEqual(['AlreadyClosed', world.planId(terms)])
  })

  it('only settles if the same charter was brought first', async () => {
    const terms = await funded()
    const late = await world.sealedSettlement(terms, charterOf(), all)
    await world.seal(terms, charterOf())
    const other = { ...late, sealing: await world.sealing(terms, charterOf({ charterHash: zeroHash })) }
    expect((await revertOf(world.call(relayer, 'sealAndSettle', [other])))[0]).toBe('CharterMismatch')
    const { events } = await world.call(relayer, 'sealAndSettle', [late])
    expect(events.map(({ name }) => name)).not.toContain('PlanSealed')
    expect(await world.plan(terms)).toMatchObject({ status: 2 })
  })

  it('authorizes and settles a proposal, whose submitted steps stay in review', async () => {
    const terms = await funded({ arbitrator: actors.arbitrator.address })
    await world.propose(terms, charterOf())
    await world.submit(terms, charterOf(), 0b10n, bob)
    const { events } = await world.sealAndSettle(terms, charterOf(), settlementOf(1n, true))
    expect(events).toContainEqual({ name: 'PlanClosing', planId: world.planId(terms), bits: 0b10n })
    await world.settle(terms, charterOf(), settlementOf(0b10n))
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
  })
})

type Sealed = Awaited<ReturnType<World['sealedSettlement']>>
const gasEach = 400_000n
async function sealAndSettleMany(all: readonly Sealed[], by = relayer) {
  const batch = world.batch('sealAndSettle', all, gasEach)
  const request = { address: world.escrow, abi: planEscrowAbi, account: by, args: [batch] } as const
  const { result } = await world.reader.simulateContract({ ...request, functionName: 'sealAndSettleMany' })
  const { events } = await world.call(by, 'sealAndSettleMany', [batch])
  return { ok: result, events }
}

describe('a batch', () => {
  it('carries out each separately, and leaves the others when one fails', async () => {
    const [a, b, c] = [await funded(), await funded(), await funded()]
    const batch = await Promise.all([a, b, c].map((terms) => world.sealedSettlement(terms, charterOf(), all)))
    const [first, second, third] = batch as [Sealed, Sealed, Sealed]
    const spoiled = { ...second, sealing: { ...second.sealing, signature: '0x' as Hex } }
    const { ok } = await sealAndSettleMany([first, spoiled, third])
    expect(ok).toBe(0b101n)
    expect((await Promise.all([a, b, c].map(world.plan))).map(({ status }) => status)).toEqual([2, 1, 2])
  })

  it('accepts the signature of who calls it: the evaluator for its settlements, no account for another', async () => {
    const [a, b] = [await funded(), await funded()]
    const unsigned = async (terms: PlanTerms) => ({ ...(await world.sealedSettlement(terms, charterOf(), all)), signature: '0x' as Hex })
    expect((await sealAndSettleMany([await unsigned(a)], stranger)).ok).toBe(0n)
    expect((await sealAndSettleMany([await unsigned(a), await unsigned(b)], evaluator)).ok).toBe(0b11n)
  })

  it('reverts whole where less gas is left than each was promised', async () => {
    const terms = await funded()
    const batch = [await world.sealedSettlement(terms, charterOf(), all)]
    const request = { address: world.escrow, abi: planEscrowAbi, account: relayer, functionName: 'sealAndSettleMany' } as const
    const attempt = world.reader.simulateContract({ ...request, args: [world.batch('sealAndSettle', batch, 1_000_000n)], gas: 900_000n })
    expect((await revertOf(attempt))[0]).toBe('GasTooLow')
  })

  it('is not made to fail by a wallet that eats all the gas it is given', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [evaluator.address])
    await world.write(relayer, wallet, testWalletAbi, 'setMood', [3])
    const eater = await funded({ evaluator: wallet, total: usdc(6) })
    const good: PlanTerms[] = []
    for (let i = 0; i < 10; i++) good.push(await funded())
    const batch = await Promise.all([eater, ...good].map((terms) => world.sealedSettlement(terms, charterOf(), all)))
    // A signature that is no key's, so that the wallet is asked.
    const [first, ...rest] = batch as [Sealed, ...Sealed[]]
    const args = [world.batch('sealAndSettle', [{ ...first, signature: '0x01' }, ...rest], gasEach)] as const
    const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'sealAndSettleMany', args })
    const limit = 5_500_000n
    const { data: answer } = await world.reader.call({ account: relayer.address, to: world.escrow, data, gas: limit })
    expect(BigInt(answer ?? '0x0')).toBe(0b11111111110n)
  })

  it('is not made to fail by a token that eats all the gas it is given', async () => {
    const terms = await funded({ token: world.wayward })
    const good = await funded()
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [carol.address, 6])
    const batch = await Promise.all([terms, good].map((one) => world.sealedSettlement(one, charterOf(), all)))
    const data = encodeFunctionData({
      abi: planEscrowAbi,
      functionName: 'sealAndSettleMany',
      args: [world.batch('sealAndSettle', batch, gasEach)],
    })
    const { data: answer } = await world.reader.call({ account: relayer.address, to: world.escrow, data, gas: 1_200_000n })
    expect(BigInt(answer ?? '0x0') & 0b10n).toBe(0b10n)
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [carol.address, 0])
  })
})
