/**
 * What the libraries read of calldata, against what the compiler reads of it.
 * ├── terms: every field, at its bounds; refused for one bit above any of them
 * ├── a settlement: charter, steps, royalties, signature, and their hashes
 * ├── steps: their sum, the first that may not be paid, and what chosen ones come to; refused for one bit above a field
 * ├── a batch: each item is put together whole; one that is cut off fails, and the others do not
 * └── hashes of words, and a token's balance
 */
import fc from 'fast-check'
import {
  type AbiParameter,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packItems, planEscrowAbi } from '../../contracts/abi/index.ts'
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

describe('TermsCalldata', () => {
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

describe('SettlementCalldata and CharterCalldata', () => {
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

  const runAll = async (items: Hex) => {
    const batch = { items, gasEach: 500_000n, evaluator: zeroAddress, attestations: [], signature: '0x' as const }
    const data = encodeFunctionData({ abi: wordsHarnessAbi, functionName: 'runAll', args: [batch] })
    const txHash = await world.walletOf(relayer).sendTransaction({ to: harness, data, gas: 5_000_000n })
    const { logs } = await world.reader.waitForTransactionReceipt({ hash: txHash })
    const events = parseEventLogs({ abi: wordsHarnessAbi, logs })
    return {
      ok: events.flatMap((event) => (event.eventName === 'Ran' ? [event.args.okBitmap] : [])),
      arrived: events.flatMap((event) => (event.eventName === 'Arrived' ? [event.args.hash] : [])),
    }
  }
  const all = async () => {
    const terms = await world.terms()
    const long = charterOf({ steps: Array.from({ length: 64 }, (_, i) => ({ payee: payee(i), amount: usdc(0.1) })) })
    const settlements = [charterOf(), long, unsealed].map((charter) => world.settlement(terms, charter, settlementOf(1n)))
    return Promise.all(settlements)
  }
  const argument = planEscrowAbi.find((entry) => entry.type === 'function' && entry.name === 'settle')?.inputs as readonly AbiParameter[]

  it('put each item together as the compiler encodes it, regardless of earlier memory contents', async () => {
    const settlements = await all()
    const { ok, arrived } = await runAll(packItems('settle', settlements))
    expect(ok).toEqual([0b111n])
    expect(arrived).toEqual(settlements.map((one) => keccak256(encodeAbiParameters(argument, [one]))))
    expect(await runAll('0x')).toEqual({ ok: [0n], arrived: [] })
  })

  it('fail an item that is cut off, and leave the others be', async () => {
    const settlements = await all()
    const { arrived } = await runAll(packItems('settle', settlements))
    const cut = await runAll(`${packItems('settle', settlements)}000100000001${'ff'.repeat(20)}`)
    expect(cut).toEqual({ ok: [0b111n], arrived })
  })
})

describe('WordHash and Tokens', () => {
  it('hash consecutive words as the compiler does', async () => {
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
