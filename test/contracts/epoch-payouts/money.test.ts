/**
 * constructor
 * ├─ no depositor, no operator, no code at the token, no bond ── reverts
 * ├─ a window or a silence out of bounds ─────────────────────── reverts
 * └─ else ────────────────────────────────────────────────────── the terms are in the code
 * deposit · depositWithAuthorization
 * ├─ the amount is zero, or too large with the rest ──────────── reverts
 * ├─ less arrives than was said ──────────────────────────────── reverts
 * └─ else ────────────────────────────────────────────────────── the deposit grows
 * postBond · withdrawBond
 * ├─ the caller is not the operator ──────────────────────────── reverts
 * ├─ the bond is here already, or is not here ────────────────── reverts
 * ├─ a root is pending (withdrawBond) ────────────────────────── reverts
 * └─ else ────────────────────────────────────────────────────── the bond moves
 */
import { decodeErrorResult, encodeDeployData, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { epochPayoutsAbi, epochPayoutsBytecode } from '../../../contracts/abi/index.ts'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, hash, usdc } from '../actors.ts'
import { farOff } from '../chain.ts'
import { codeUnderTest } from '../mutants/under-test.ts'
import { revertOf } from '../world.ts'
import { bond, challengeWindow, createEpochWorld, depositor, type EpochTerms, type EpochWorld, operator, silence } from './world.ts'

let world: EpochWorld
let wayward: EpochWorld
beforeAll(async () => {
  world = await createEpochWorld({ deposit: 0n, bonded: false })
  wayward = await createEpochWorld({ token: 'wayward', deposit: 0n, bonded: false })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await wayward[Symbol.asyncDispose]()
})

const { stranger, alice, relayer } = actors

describe('constructor', () => {
  /** Deploying does not decode what it reverts with, so the call is only simulated. */
  const refused = async (changes: Partial<EpochTerms>) => {
    const bytecode = codeUnderTest(epochPayoutsBytecode)
    const data = encodeDeployData({ abi: epochPayoutsAbi, bytecode, args: [{ ...world.terms, ...changes }] })
    const failure = await world.connection.provider.request({ method: 'eth_call', params: [{ data }] }).catch((error: unknown) => error)
    const { errorName, args } = decodeErrorResult({ abi: epochPayoutsAbi, data: (failure as { data: `0x${string}` }).data })
    return [errorName, ...(args ?? [])]
  }

  it('reverts without a depositor, an operator, a token or a bond', async () => {
    expect(await refused({ depositor: zeroAddress })).toEqual(['BadParty', zeroAddress])
    expect(await refused({ operator: zeroAddress })).toEqual(['BadParty', zeroAddress])
    expect(await refused({ token: stranger.address })).toEqual(['TokenWithoutCode', stranger.address])
    expect(await refused({ bond: 0n })).toEqual(['EmptyAmount'])
  })

  it('reverts when a time is out of bounds, and takes the bounds themselves', async () => {
    expect(await refused({ challengeWindow: 899 })).toEqual(['BadTime', 899n, 900n, 2_592_000n])
    expect(await refused({ challengeWindow: 2_592_001, silence: 2_592_001 })).toEqual(['BadTime', 2_592_001n, 900n, 2_592_000n])
    expect(await refused({ silence: challengeWindow - 1 })).toEqual(['BadTime', BigInt(challengeWindow - 1), 3600n, 31_536_000n])
    expect(await refused({ silence: 31_536_001 })).toEqual(['BadTime', 31_536_001n, 3600n, 31_536_000n])
    await world.construct({ challengeWindow: 900, silence: 900 })
    await world.construct({ challengeWindow: 2_592_000, silence: 31_536_000 })
  })

  it('keeps the terms for all to read', async () => {
    const read = (functionName: keyof EpochTerms) =>
      world.reader.readContract({ address: world.payouts, abi: epochPayoutsAbi, functionName })
    expect([await read('depositor'), await read('operator'), await read('token')]).toEqual([
      depositor.address,
      operator.address,
      world.token,
    ])
    expect([await read('bond'), await read('challengeWindow'), await read('silence')]).toEqual([bond, challengeWindow, silence])
  })
})

describe('deposit', () => {
  it('reverts when the amount is zero, or too large together with what is there', async () => {
    expect(await revertOf(world.call(depositor, 'deposit', [0n]))).toEqual(['EmptyAmount'])
    const most = 2n ** 88n - 1n
    expect(await revertOf(world.call(depositor, 'deposit', [most + 1n]))).toEqual(['DepositTooLarge', most + 1n, most])
  })

  it('reverts when less arrives than was said', async () => {
    await wayward.write(relayer, wayward.wayward, waywardTokenAbi, 'setFee', [100n])
    const less = ['ReceivedLess', 990_000n, 1_000_000n]
    expect(await revertOf(wayward.call(depositor, 'deposit', [usdc(1)]))).toEqual(less)
    const signed = wayward.call(relayer, 'depositWithAuthorization', [usdc(1), 0n, farOff, hash(1), '0x'])
    expect(await revertOf(signed)).toEqual(less)
    await wayward.write(relayer, wayward.wayward, waywardTokenAbi, 'setFee', [0n])
  })

  it('adds to the deposit, whoever pays', async () => {
    await world.call(depositor, 'deposit', [usdc(3)])
    const { events } = await world.call(operator, 'deposit', [usdc(4)])
    expect(events).toEqual([{ name: 'Deposited', from: operator.address, amount: usdc(4), deposited: usdc(7) }])
    expect(await world.money()).toEqual({ deposited: usdc(7), bonded: false, exitRequestedAt: 0n })
    expect(await world.balance(world.payouts)).toBe(usdc(7))
  })

  it('adds what the depositor signed for, once', async () => {
    const { deposited } = await world.money()
    const signature = await world.authorize(depositor, { token: world.token, to: world.payouts, value: usdc(2), nonce: hash(9) })
    const args = [usdc(2), 0n, farOff, hash(9), signature] as const
    await world.call(stranger, 'depositWithAuthorization', args)
    expect((await world.money()).deposited - deposited).toBe(usdc(2))
    expect((await revertOf(world.call(stranger, 'depositWithAuthorization', args)))[0]).toBe('ERC3009UsedAuthorization')
    const other = await world.authorize(alice, { token: world.token, to: world.payouts, value: usdc(2), nonce: hash(8) })
    const attempt = world.call(stranger, 'depositWithAuthorization', [usdc(2), 0n, farOff, hash(8), other])
    expect(await revertOf(attempt)).toEqual(['ERC3009InvalidSignature'])
  })
})

describe('the bond', () => {
  it('is posted and withdrawn by the operator only', async () => {
    for (const name of ['postBond', 'withdrawBond'] as const) {
      expect(await revertOf(world.call(depositor, name, []))).toEqual(['NotOperator', depositor.address, operator.address])
    }
  })

  it('is here once or not at all', async () => {
    expect(await revertOf(world.call(operator, 'withdrawBond', []))).toEqual(['NotBonded'])
    const before = await world.balance(operator.address)
    await world.call(operator, 'postBond', [])
    expect(before - (await world.balance(operator.address))).toBe(bond)
    expect((await world.money()).bonded).toBe(true)
    expect(await revertOf(world.call(operator, 'postBond', []))).toEqual(['AlreadyBonded'])
    await world.call(operator, 'withdrawBond', [])
    expect(await world.balance(operator.address)).toBe(before)
    expect((await world.money()).bonded).toBe(false)
  })

  it('stays while a root is pending, and can go once it is accepted', async () => {
    await world.call(operator, 'postBond', [])
    await world.commit(world.tree([alice, usdc(1)]))
    const { acceptedFrom } = await world.epoch()
    expect(await revertOf(world.call(operator, 'withdrawBond', []))).toEqual(['EpochPending', acceptedFrom])
    await world.pass()
    await world.call(operator, 'withdrawBond', [])
  })
})
