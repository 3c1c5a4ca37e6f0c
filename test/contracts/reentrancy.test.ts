/**
 * A token that calls back, before and after each of its moves: every call that moves tokens × every entry point.
 * Each call back is refused by the lock, and the call that it came from continues as if nothing had been tried.
 */
import { type Address, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlanTerms, planEscrowAbi } from '../../contracts/abi/index.ts'
import { reenteringTokenAbi, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, hash, settlementOf, unsealed, usdc, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.write(actors.relayer, world.reentering, reenteringTokenAbi, 'mint', [actors.client.address, usdc(1_000_000)])
})
afterAll(() => world[Symbol.asyncDispose]())

const locked = toFunctionSelector('ReentrancyGuardReentrantCall()')
const settled = (bits: bigint, close = false) => settlementOf(bits, close)

/** Every way in, as calldata that would succeed on its own. */
async function waysIn(): Promise<Record<string, Hex>> {
  const token = world.reentering
  const ready = await world.terms({ token })
  const open = await world.terms({ token })
  const charter = charterOf()
  await world.fund(open)
  await world.seal(open, charter)
  const expired = await world.terms({ token })
  const encode = (functionName: never, args: readonly unknown[]) =>
    encodeFunctionData({ abi: planEscrowAbi, functionName, args: args as never })
  const settledSteps = settled(1n)
  const settlement = await world.settlement(open, charter, settledSteps)
  const sealing = await world.sealing(open, charterOf({ version: 2 }))
  const sealed = await world.sealedSettlement(open, charterOf({ version: 2 }), settledSteps)
  const to = actors.stranger.address
  return {
    fund: encode('fund' as never, [ready]),
    fundWithAuthorization: encode('fundWithAuthorization' as never, [ready, 0n, 9_999_999_999n, '0x']),
    fundMany: encode('fundMany' as never, [[ready]]),
    fundWithPermit2: encode('fundWithPermit2' as never, [ready, 0n, 9_999_999_999n, '0x']),
    seal: encode('seal' as never, [sealing]),
    reseal: encode('reseal' as never, [sealing, charter]),
    sealAndSettle: encode('sealAndSettle' as never, [sealed]),
    sealAndSettleMany: encode('sealAndSettleMany' as never, [world.batch('sealAndSettle', [sealed], 200_000n)]),
    veto: encode('veto' as never, [open, 1, '0x']),
    requestClose: encode('requestClose' as never, [ready, '0x']),
    submit: encode('submit' as never, [open, charter, 1n, hash(1), to, '0x']),
    settle: encode('settle' as never, [settlement]),
    settleHalf: encode('settleHalf' as never, [settlement]),
    settleMany: encode('settleMany' as never, [world.batch('settle', [settlement], 200_000n)]),
    settleOnSilence: encode('settleOnSilence' as never, [
      open,
      charter,
      1n,
      { bits: 0n, outputsHash: hash(1), receivedAt: 0, signature: '0x' },
    ]),
    release: encode('release' as never, [{ ...settlement, signature: await world.signRelease(open, charter, settledSteps) }]),
    dispute: encode('dispute' as never, [open, charter, 0, hash(1), actors.client.address, '0x']),
    rule: encode('rule' as never, [open, charter, 0, 5000, hash(1), '0x']),
    acceptOffer: encode('acceptOffer' as never, [open, charter, 0, 5000, 4_102_444_800, '0x', '0x']),
    refund: encode('refund' as never, [expired]),
    closeExpired: encode('closeExpired' as never, [expired, charter]),
    withdrawCredit: encode('withdrawCredit' as never, [token, to]),
    withdrawCreditTo: encode('withdrawCreditTo' as never, [to, token, to, 9_999_999_999n, '0x']),
    setSigner: encode('setSigner' as never, [to, true]),
    setSignerBySignature: encode('setSignerBySignature' as never, [to, to, true, 9_999_999_999n, '0x']),
  }
}

/** Every call that moves tokens, made ready first so that only the call itself is attacked. */
const moves: Record<string, () => Promise<() => Promise<unknown>>> = {
  fund: async () => {
    const terms = await world.terms({ token: world.reentering })
    return () => world.fund(terms)
  },
  fundWithAuthorization: async () => {
    const terms = await world.terms({ token: world.reentering })
    return () => world.fundWithAuthorization(terms, 0n, 9_999_999_999n, '0x')
  },
  'settle, paying and closing': async () => {
    const terms = await sealed()
    return () => world.settle(terms, charterOf(), settled(0b101n, true))
  },
  'settle, void': async () => {
    const terms = await world.terms({ token: world.reentering })
    await world.fund(terms)
    return () => world.settle(terms, unsealed, settled(0n, true))
  },
  release: async () => {
    const terms = await sealed()
    return () => world.release(terms, charterOf(), settled(0b111n, true))
  },
  refund: async () => {
    const terms = await sealed()
    await world.timeIs(terms.expiry)
    return () => world.refund(terms)
  },
}

async function sealed(): Promise<PlanTerms> {
  const terms = await world.terms({ token: world.reentering })
  await world.fund(terms)
  await world.seal(terms, charterOf())
  return terms
}

const look = <const F extends 'attempts' | 'entered' | 'lastAnswer'>(functionName: F) =>
  world.reader.readContract({ address: world.reentering, abi: reenteringTokenAbi, functionName })
const arm = (target: Address, data: Hex) => world.write(actors.relayer, world.reentering, reenteringTokenAbi, 'arm', [target, data])

describe('the lock', () => {
  it('is tried by every way in that there is', async () => {
    const writes = planEscrowAbi.filter((entry) => entry.type === 'function' && entry.stateMutability !== 'view').map((entry) => entry.name)
    expect(Object.keys(await waysIn()).sort()).toEqual(writes.sort())
  })

  it.each(Object.keys(moves))('refuses every way in while %s moves tokens', async (name) => {
    for (const [way, data] of Object.entries(await waysIn())) {
      const act = await (moves[name] as (typeof moves)[string])()
      await arm(world.escrow, data)
      await act()
      expect(await look('attempts'), `${way} was tried`).toBeGreaterThan(0n)
      expect(await look('entered'), `${way} entered`).toBe(0n)
      expect(await look('lastAnswer')).toBe(locked)
      await arm('0x0000000000000000000000000000000000000000', '0x')
    }
  })

  it('refuses every way in while withdrawCredit moves tokens', async () => {
    const { feeTo } = actors
    for (const data of Object.values(await waysIn())) {
      const terms = await world.terms({ token: world.reentering, feeBps: 1000 })
      await world.fund(terms)
      await world.seal(terms, charterOf())
      await world.settle(terms, charterOf(), settled(1n))
      await arm(world.escrow, data)
      await world.withdrawCredit(feeTo, world.reentering, feeTo.address)
      expect([await look('entered'), await look('lastAnswer')]).toEqual([0n, locked])
      await arm('0x0000000000000000000000000000000000000000', '0x')
    }
  })

  it('lets views through, and they already return what the call has done', async () => {
    const terms = await sealed()
    const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'plan', args: [world.planId(terms)] })
    await arm(world.escrow, data)
    await world.settle(terms, charterOf(), settled(0b1n, true))
    expect(await look('entered')).toBe(await look('attempts'))
    const [status, remaining] = [
      BigInt(`0x${(await look('lastAnswer')).slice(2, 66)}`),
      BigInt(`0x${(await look('lastAnswer')).slice(66, 130)}`),
    ]
    expect([status, remaining]).toEqual([2n, 0n])
    await arm('0x0000000000000000000000000000000000000000', '0x')
  })

  it('opens again after a call, also one that was reverted', async () => {
    const batch = parseAbi(['function setFee(uint256)'])
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setFee', [1n])
    const terms = await world.terms({ token: world.wayward })
    await expect(world.fund(terms)).rejects.toThrow()
    await world.write(actors.relayer, world.wayward, batch, 'setFee', [0n])
    await world.fund(terms)
    expect((await world.plan(terms)).remaining).toBe(usdc(10))
  })
})
