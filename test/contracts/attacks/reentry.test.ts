/**
 * Attack 01: re-entry. Every call of another account (a token transfer, an ERC-1271 wallet, an ERC-6492 factory) combined with every entry
 * point. None gets in, and the call continues as if nothing had been tried.
 */
import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseAbi,
  size,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permit2Address, planEscrowAbi } from '../../../contracts/abi/index.ts'
import { reenteringTokenAbi, waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { deployPermit2 } from '../permit2/permit2.ts'
import { actors, charterOf, createWorld, hiredFor, settlementOf, usdc, type World } from '../world.ts'
import { disputed, entryPoints, full, noReceipt, onSilence, type Plan, rule, sealed, setCode, split, undone } from './attack-fixture.ts'

const { alice, client, evaluator, feeTo, relayer, stranger } = actors
const locked = toFunctionSelector('ReentrancyGuardReentrantCall()')
const token = () => world.reentering

let world: World
let ways: Record<string, Hex>
beforeAll(async () => {
  world = await createWorld()
  await deployPermit2(world.connection.provider)
  await world.write(client, token(), reenteringTokenAbi as Abi, 'approve', [permit2Address, 2n ** 256n - 1n])
  ways = await waysIn()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Every way in, as calldata; most of it would succeed on its own, for any caller. */
async function waysIn(): Promise<Record<string, Hex>> {
  const terms = await world.terms({ token: token(), client: token(), ...full })
  const ready = await world.terms({ token: token(), ...full })
  const open = await sealed(world, { token: token(), ...full })
  const { charter } = open
  const seal = await world.sealing(open.terms, charterOf({ version: 2 }))
  const [proposed, unsealedTerms] = [await world.terms({ vetoSeconds: 600 }), await world.terms()]
  for (const one of [proposed, unsealedTerms]) await world.fund(one)
  await world.propose(proposed, charter)
  const sealedSettlement = await world.sealedSettlement(unsealedTerms, charter, settlementOf(1n))
  const settlement = await world.settlement(open.terms, charter, settlementOf(1n))
  const released = settlementOf(1n)
  const release = { terms: open.terms, charter, ...released, signature: await world.signRelease(open.terms, charter, released) }
  const dispute = await world.signDispute(open.terms, 1, { step: 0, evidenceHash: zeroHash }, client)
  const offer = await world.signOffer(open.terms, 1, { step: 0, payeeBps: 10_000, deadline: 2 ** 40 - 1 }, client)
  const far = 2n ** 48n
  const withdrawal = { account: alice.address, token: token(), to: stranger.address, nonce: 0n, deadline: far }
  const signer = { account: alice.address, signer: stranger.address, allowed: true, nonce: 0n, deadline: far }
  const args: Record<string, readonly unknown[]> = {
    fund: [terms],
    fundMany: [[terms]],
    fundWithAuthorization: [ready, 0n, far, '0x'],
    fundWithPermit2: [ready, 9n, far, await world.signPermit2(ready, 9n, far)],
    seal: [seal],
    reseal: [seal, charter],
    setSigner: [stranger.address, true],
    setSignerBySignature: [signer.account, signer.signer, true, far, await world.signSigner(signer, alice)],
    submit: [
      open.terms,
      charter,
      1n,
      zeroHash,
      alice.address,
      await world.signSteps(open.terms, 1, { bits: 1n, outputsHash: zeroHash }, alice),
    ],
    settle: [settlement],
    settleHalf: [settlement],
    settleMany: [world.batch('settle', [settlement], 200_000n)],
    sealAndSettle: [sealedSettlement],
    sealAndSettleMany: [world.batch('sealAndSettle', [sealedSettlement], 200_000n)],
    veto: [proposed, 1, await world.signVeto(proposed, 1, client)],
    requestClose: [unsealedTerms, await world.signCloseRequest(unsealedTerms, 0, client)],
    release: [release],
    settleOnSilence: [open.terms, charter, 1n, noReceipt],
    dispute: [open.terms, charter, 0, zeroHash, client.address, dispute],
    rule: [open.terms, charter, 0, 1, zeroHash, '0x'],
    acceptOffer: [open.terms, charter, 0, 10_000, 2 ** 40 - 1, offer, '0x'],
    refund: [open.terms],
    closeExpired: [open.terms, charter],
    withdrawCredit: [token(), stranger.address],
    withdrawCreditTo: [alice.address, token(), stranger.address, far, await world.signWithdrawal(withdrawal, alice)],
  }
  return Object.fromEntries(
    Object.entries(args).map(([functionName, list]) => [
      functionName,
      encodeFunctionData({ abi: planEscrowAbi as Abi, functionName, args: list }),
    ]),
  )
}

/** Every call that moves tokens, made ready first so that only the call itself is attacked. */
const moves: Record<string, () => Promise<() => Promise<unknown>>> = {
  fund: async () => {
    const terms = await world.terms({ token: token() })
    return () => world.fund(terms)
  },
  fundMany: async () => {
    const terms = [await world.terms({ token: token() }), await world.terms({ token: token() })]
    return () => world.call(client, 'fundMany', [terms])
  },
  fundWithAuthorization: async () => {
    const terms = await world.terms({ token: token() })
    return () => world.fundWithAuthorization(terms, 0n, 2n ** 48n, '0x')
  },
  fundWithPermit2: async () => {
    const terms = await world.terms({ token: token() })
    const signature = await world.signPermit2(terms, 1n, 2n ** 48n)
    return () => world.call(relayer, 'fundWithPermit2', [terms, 1n, 2n ** 48n, signature])
  },
  'settle, paying and closing': async () => {
    const { terms, charter } = await sealed(world, { token: token() })
    return () => world.settle(terms, charter, settlementOf(0b101n, true))
  },
  settleHalf: async () => {
    const { terms, charter } = await sealed(world, { token: token(), ...full, onSilence: 5 })
    const signature = await world.signHalf(terms, charter, settlementOf(0b101n, true))
    return () => world.call(relayer, 'settleHalf', [{ terms, charter, ...settlementOf(0b101n, true), signature }])
  },
  settleMany: async () => {
    const { terms, charter } = await sealed(world, { token: token() })
    const settlement = await world.settlement(terms, charter, settlementOf(0b101n))
    return () => world.call(relayer, 'settleMany', [world.batch('settle', [settlement], 2_000_000n)])
  },
  sealAndSettle: async () => {
    const terms = await world.terms({ token: token() })
    await world.fund(terms)
    const one = await world.sealedSettlement(terms, charterOf(), settlementOf(0b111n, true))
    return () => world.call(relayer, 'sealAndSettle', [one])
  },
  sealAndSettleMany: async () => {
    const terms = await world.terms({ token: token() })
    await world.fund(terms)
    const one = await world.sealedSettlement(terms, charterOf(), settlementOf(0b111n, true))
    return () => world.call(relayer, 'sealAndSettleMany', [world.batch('sealAndSettle', [one], 2_000_000n)])
  },
  release: async () => {
    const { terms, charter } = await sealed(world, { token: token() })
    return () => world.release(terms, charter, settlementOf(0b111n, true))
  },
  settleOnSilence: async () => {
    const plan = await sealed(world, { token: token(), ...full })
    await world.timeIs(plan.terms.reviewBy)
    return () => onSilence(world, plan, 0b11n)
  },
  rule: async () => {
    const plan = await disputed(world, { token: token() })
    return () => rule(world, plan, 0, 5000)
  },
  acceptOffer: async () => {
    const plan = await sealed(world, { token: token() })
    return () => split(world, plan, 0, 5000, alice)
  },
  refund: async () => {
    const { terms } = await sealed(world, { token: token() })
    await world.timeIs(terms.expiry)
    return () => world.refund(terms)
  },
  closeExpired: async () => {
    const { terms, charter } = await disputed(world, { token: token() })
    await world.timeIs(terms.expiry)
    return () => world.call(stranger, 'closeExpired', [terms, charter])
  },
  withdrawCredit: async () => {
    await creditFeeTo()
    return () => world.withdrawCredit(feeTo, token(), feeTo.address)
  },
  withdrawCreditTo: async () => {
    await creditFeeTo()
    const words = { account: feeTo.address, token: token(), to: feeTo.address, nonce: 0n, deadline: 2n ** 48n }
    const signature = await world.signWithdrawal(words, feeTo)
    return () => world.call(relayer, 'withdrawCreditTo', [feeTo.address, token(), feeTo.address, words.deadline, signature])
  },
}

async function creditFeeTo() {
  const { terms, charter } = await sealed(world, { token: token(), feeBps: 1000 })
  await world.settle(terms, charter, settlementOf(1n))
}

const look = <const F extends 'attempts' | 'entered' | 'lastAnswer'>(functionName: F) =>
  world.reader.readContract({ address: token(), abi: reenteringTokenAbi, functionName })
const arm = (target: Address, data: Hex) => world.write(relayer, token(), reenteringTokenAbi as Abi, 'arm', [target, data])

describe('attack 01: re-entry', () => {
  it('is tried by every way in', () => {
    expect(Object.keys(ways).sort()).toEqual(entryPoints.map((entry) => entry.name).sort())
  })

  it.each(Object.keys(moves))('from the token, while %s moves it', (name) =>
    undone(world, async () => {
      const act = await (moves[name] as (typeof moves)[string])()
      for (const [way, data] of Object.entries(ways)) {
        await undone(world, async () => {
          await arm(world.escrow, data)
          await act()
          expect(await look('attempts'), `${way} was tried`).toBeGreaterThan(0n)
          expect(await look('entered'), `${way} entered`).toBe(0n)
          expect((await look('lastAnswer')).slice(0, 10), way).toBe(locked)
        })
      }
    }),
  )

  it('from a wallet that is asked for its signature', async () => {
    const { terms } = await sealed(world)
    for (const [way, data] of Object.entries(ways)) {
      await undone(world, async () => {
        const wallet = '0x00000000000000000000000000000000000011a1'
        // Accepts only if its own call was refused.
        await setCode(world, wallet, reenteringWallet(world.escrow, data))
        const plan = await sealed(world, { evaluator: evaluator.address })
        const held = await world.terms({ ...terms, evaluator: wallet, salt: plan.terms.salt + 10_000n, ...hiredFor(charterOf()) })
        await world.fund(held)
        await world.settle(held, { ...charterOf(), version: 0 }, settlementOf(1n), '0x1234')
        expect((await world.plan(held)).codes, way).toBe(1n)
      })
    }
  })

  it('from the factory of a wallet that is not there yet', async () => {
    for (const [way, data] of Object.entries(ways)) {
      await undone(world, async () => {
        const factory = '0x00000000000000000000000000000000000011f1'
        await setCode(world, factory, reenteringFactory(world.escrow, data))
        const wallet = getContractAddress({ opcode: 'CREATE2', from: factory, salt: zeroHash, bytecode: yesInit })
        const terms = await world.terms({ evaluator: wallet, ...hiredFor(charterOf()) })
        await world.fund(terms)
        const wrapped = encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [factory, '0x', '0x12'])
        const magic = `0x${'6492'.repeat(16)}` as Hex
        await world.settle(terms, { ...charterOf(), version: 0 }, settlementOf(1n), concat([wrapped, magic]))
        expect((await world.plan(terms)).codes).toBe(1n)
        // 1: the call back was made and refused; 2: it entered.
        expect(await world.reader.getStorageAt({ address: factory, slot: zeroHash }), way).toBe(numberToHex(1, { size: 32 }))
      })
    }
  })

  it('for reading only: what views return during a call is what it has done', () =>
    undone(world, async () => {
      const plan: Plan = await sealed(world, { token: token() })
      const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'plan', args: [world.planId(plan.terms)] })
      await arm(world.escrow, data)
      await world.settle(plan.terms, plan.charter, settlementOf(1n, true))
      expect(await look('entered')).toBe(await look('attempts'))
      expect((await look('lastAnswer')).slice(2, 130)).toBe(`${'2'.padStart(64, '0')}${'0'.repeat(64)}`)
    }))

  it('for reading only: a credit that is in progress out is read as gone', () =>
    undone(world, async () => {
      await creditFeeTo()
      const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'credit', args: [token(), feeTo.address] })
      await arm(world.escrow, data)
      await world.withdrawCredit(feeTo, token(), feeTo.address)
      expect(await look('entered')).toBe(await look('attempts'))
      expect(await look('lastAnswer')).toBe(zeroHash)
    }))

  it('leaves the lock open, also after a call that was reverted', () =>
    undone(world, async () => {
      await arm(zeroAddress, '0x')
      const setFee = parseAbi(['function setFee(uint256)'])
      await world.write(relayer, world.wayward, setFee as Abi, 'setFee', [1n])
      const terms = await world.terms({ token: world.wayward })
      await expect(world.fund(terms)).rejects.toThrow()
      await world.write(relayer, world.wayward, waywardTokenAbi as Abi, 'setFee', [0n])
      await world.fund(terms)
      expect(await world.plan({ ...terms })).toMatchObject({ remaining: usdc(10) })
    }))
})

const word = (n: number) => numberToHex(n, { size: 2 })

/** Runtime code that calls `target` with `data`, and answers the ERC-1271 yes if that failed, nothing if not. */
function reenteringWallet(target: Address, data: Hex): Hex {
  const program = (at: number) =>
    concat([
      '0x61',
      word(size(data)),
      '0x61',
      word(at),
      '0x5f39', // the payload to memory
      '0x5f5f61',
      word(size(data)),
      '0x5f5f73',
      target,
      '0x5af1', // call
      '0x15631626ba7e60e01b025f5260205ff3', // magic × (it failed)
    ] as Hex[])
  const length = size(program(0))
  return concat([program(length), data])
}

/** Creation code of a wallet that accepts everything. */
const yesInit: Hex = '0x6d631626ba7e60e01b5f5260205ff35f52600e6012f3'

/** Runtime code that calls `target` with `data`, notes at slot 0 how that went, and creates the wallet that accepts. */
function reenteringFactory(target: Address, data: Hex): Hex {
  const program = (at: number) =>
    concat([
      '0x61',
      word(size(data)),
      '0x61',
      word(at),
      '0x5f39',
      '0x5f5f61',
      word(size(data)),
      '0x5f5f73',
      target,
      '0x5af1',
      '0x6001015f55', // success + 1 at slot 0
      '0x61',
      word(size(yesInit)),
      '0x61',
      word(at + size(data)),
      '0x5f39',
      '0x5f61',
      word(size(yesInit)),
      '0x5f5ff500',
    ] as Hex[])
  const length = size(program(0))
  return concat([program(length), data, yesInit])
}
