/**
 * What the libraries read of calldata, against what the compiler reads of it.
 * ├── terms: every field, at its bounds; refused for one bit above any of them
 * ├── a settlement: charter, steps, royalties, signature, and their hashes
 * ├── steps: their sum, the first that may not be paid, and what chosen ones come to; refused for one bit above a field
 * ├── a batch: each settlement is passed on whole; one that begins outside is not, and the others are
 * └── hashes of words, and a token's balance
 */
import fc from 'fast-check'
import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, parseEventLogs, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wordsHarnessAbi, wordsHarnessBytecode } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, hash, payee, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, evaluator, relayer } = actors

let world: World
let harness: Address
beforeAll(async () => {
  world = await createWorld()
  harness = await world.deploy(wordsHarnessAbi, wordsHarnessBytecode)
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (data: Hex) => world.reader.call({ to: harness, data })
/** The word that `bit` of word `n` after the selector is set in. */
function withBit(data: Hex, n: number, bit: bigint): Hex {
  const at = 10 + n * 64
  const word = BigInt(`0x${data.slice(at, at + 64)}`) | (1n << bit)
  return `${data.slice(0, at)}${numberToHex(word, { size: 32 }).slice(2)}${data.slice(at + 64)}` as Hex
}

/** The width of each field of the terms that is less than a word, by its place. */
const widths = { 0: 160, 1: 160, 2: 96, 3: 40, 4: 40, 5: 40, 6: 16, 7: 160, 8: 160, 9: 160, 10: 160, 11: 32, 12: 8 } as const

describe('TermsWords', () => {
  const termsData = async (changes: object) =>
    encodeFunctionData({ abi: wordsHarnessAbi, functionName: 'terms', args: [{ ...(await world.terms()), ...changes }] })

  it('reads each field as the compiler does, also at its bounds', async () => {
    const all = numberToHex(2n ** 160n - 1n, { size: 20 })
    const greatest = {
      ...{ client: all, token: all, feeTo: all, evaluator: all, arbitrator: all, authorizer: all, total: 2n ** 96n - 1n },
      ...{ workBy: 2 ** 40 - 1, reviewBy: 2 ** 40 - 1, expiry: 2 ** 40 - 1, feeBps: 2 ** 16 - 1, vetoSeconds: 2 ** 32 - 1, onSilence: 255 },
    }
    const other = { feeBps: 3, onSilence: 2, arbitrator: payee(7), feeTo: payee(8) }
    for (const changes of [{}, other, greatest]) await call(await termsData(changes))
  })

  it('refuses one bit above any field', async () => {
    const data = await termsData({})
    for (const [place, width] of Object.entries(widths)) {
      for (const bit of [width, 255]) {
        await expect(call(withBit(data, Number(place), BigInt(bit))), `word ${place}, bit ${bit}`).rejects.toThrow()
      }
    }
  })
})

describe('SettlementWords and CharterWords', () => {
  const settlementData = async (charter: ReturnType<typeof charterOf>, signature: Hex) =>
    encodeFunctionData({
      abi: wordsHarnessAbi,
      functionName: 'settlement',
      args: [await world.settlement(await world.terms(), charter, settlementOf(1n, true), signature)],
    })

  it('find what the compiler finds', async () => {
    const royalties = [0, 1, 1].map((step, i) => ({ step, to: payee(i), bps: 100 * (i + 1) }))
    const many = Array.from({ length: 64 }, (_, i) => ({ payee: payee(i), amount: 2n ** 96n - 1n - BigInt(i) }))
    for (const charter of [unsealed, charterOf(), charterOf({ royalties }), charterOf({ steps: many, royalties })]) {
      for (const signature of ['0x', '0x01', `0x${'5a'.repeat(65)}`] as Hex[]) await call(await settlementData(charter, signature))
    }
  })

  const examine = (steps: readonly { payee: Address; amount: bigint }[], one: Address, other: Address) =>
    world.reader.readContract({ address: harness, abi: wordsHarnessAbi, functionName: 'examine', args: [steps, one, other] })

  it('sum up all steps, and name the first that may not be paid', async () => {
    const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(i), amount: 2n ** 96n - 1n }))
    expect(await examine(steps, alice.address, bob.address)).toEqual([64n * (2n ** 96n - 1n), 64n])
    expect(await examine([], alice.address, bob.address)).toEqual([0n, 0n])
    const barred = [zeroAddress, harness, alice.address, bob.address]
    for (const at of [0, 1, 63]) {
      for (const who of barred) {
        const [, first] = await examine(
          steps.map((step, i) => (i >= at && (i - at) % 5 === 0 ? { ...step, payee: who } : step)),
          alice.address,
          bob.address,
        )
        expect(first, `${who} at ${at}`).toBe(BigInt(at))
      }
    }
  })

  it('refuse one bit above a payee or an amount', async () => {
    const args = [charterOf().steps, alice.address, evaluator.address] as const
    const data = encodeFunctionData({ abi: wordsHarnessAbi, functionName: 'examine', args: [args[0].slice(1), args[1], args[2]] })
    await call(data)
    // Three words of arguments, then the length, then payee and amount of each step.
    for (const [word, bit] of [
      [4, 160],
      [4, 255],
      [5, 96],
      [5, 255],
      [6, 160],
      [7, 96],
    ] as const)
      await expect(call(withBit(data, word, BigInt(bit))), `word ${word}, bit ${bit}`).rejects.toThrow()
  })

  it('add up the chosen steps', async () => {
    const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(i), amount: 2n ** BigInt(i) }))
    const ones = 2n ** 64n - 1n
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constantFrom(0n, 1n, 2n ** 63n, ones), fc.bigInt({ min: 0n, max: ones })), async (bits) => {
        const args = [steps, bits] as const
        expect(await world.reader.readContract({ address: harness, abi: wordsHarnessAbi, functionName: 'sumOf', args })).toBe(bits)
      }),
      { numRuns: 40, seed: 1 },
    )
  })

  const passAllOn = async (data: Hex) => {
    const sent = await world.connection.provider.request({
      method: 'eth_sendTransaction',
      params: [{ to: harness, data, gas: numberToHex(5_000_000) }],
    })
    const { logs } = await world.reader.waitForTransactionReceipt({ hash: sent as Hex })
    const events = parseEventLogs({ abi: wordsHarnessAbi, logs })
    return {
      done: events.flatMap((event) => (event.eventName === 'Passed' ? [event.args.done] : [])),
      arrived: events.flatMap((event) => (event.eventName === 'Arrived' ? [event.args.hash] : [])),
    }
  }
  const batchData = async () => {
    const charters = [charterOf(), unsealed, charterOf({ royalties: [{ step: 1, to: payee(9), bps: 5 }] })]
    const terms = await world.terms()
    const all = await Promise.all(
      charters.map((each, i) => world.settlement(terms, each, settlementOf(BigInt(i)), `0x${'ab'.repeat(40 * i)}`)),
    )
    return encodeFunctionData({ abi: wordsHarnessAbi, functionName: 'passAllOn', args: [all, 500_000n] })
  }

  it('pass each settlement of a batch on whole', async () => {
    const { done, arrived } = await passAllOn(await batchData())
    expect(done).toEqual([true, true, true])
    expect(new Set(arrived).size).toBe(3)
    expect((await passAllOn(encodeFunctionData({ abi: wordsHarnessAbi, functionName: 'passAllOn', args: [[], 500_000n] }))).done).toEqual(
      [],
    )
  })

  it('pass no settlement on that begins outside, and leave the others be', async () => {
    const data = await batchData()
    const { arrived } = await passAllOn(data)
    // The offset of the array, the gas, its length, then the offset of each settlement.
    for (const bit of [20n, 255n]) {
      const outside = await passAllOn(withBit(data, 5, bit))
      expect(outside.done).toEqual([true, true, false])
      expect(outside.arrived).toEqual(arrived.slice(0, 2))
    }
  })

  it('pass on what stands in another order', async () => {
    const data = await batchData()
    const offset = (n: number) => data.slice(10 + n * 64, 74 + n * 64)
    const turned = `${data.slice(0, 10 + 192)}${[5, 4, 3].map(offset).join('')}${data.slice(10 + 384)}` as Hex
    const { done, arrived } = await passAllOn(turned)
    expect(done).toEqual([true, true, true])
    expect(arrived.reverse()).toEqual((await passAllOn(data)).arrived)
  })
})

describe('Words and Tokens', () => {
  it('hash words side by side as the compiler does', async () => {
    const words = [1, 2, 3, 4, 5, 6].map((n) => keccak256(hash(n))) as [Hex, Hex, Hex, Hex, Hex, Hex]
    await call(encodeFunctionData({ abi: wordsHarnessAbi, functionName: 'hashes', args: [words] }))
  })

  it('ask a token what is held here, and revert where it answers nothing', async () => {
    const ask = (token: Address) =>
      world.reader.readContract({ address: harness, abi: wordsHarnessAbi, functionName: 'balanceHere', args: [token] })
    expect(await ask(world.token)).toBe(0n)
    await world.call(actors.client, 'fund', [await world.terms()])
    await world.write(relayer, world.token, (await import('../../contracts/abi/index.ts')).testUsdcAbi, 'mint', [harness, usdc(3)])
    expect(await ask(world.token)).toBe(usdc(3))
    await expect(ask(alice.address)).rejects.toThrow()
    await expect(ask(world.escrow)).rejects.toThrow()
  })
})
