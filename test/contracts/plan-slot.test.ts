/**
 * The slot codec, against a model that works code by code on plain numbers.
 * ├── spread and gather: each of 64 bits, each pair, every byte in each of its places
 * ├── each field at its bounds, alone and beside all the others set, and nothing else touched
 * ├── each step × each code: pending, paid, disputed, and what each mark makes of it
 * └── random words
 */
import fc from 'fast-check'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planSlotHarnessAbi, planSlotHarnessBytecode } from '../../contracts/abi/mocks.ts'
import { createWorld, type World } from './world.ts'

let world: World
let harness: Address
beforeAll(async () => {
  world = await createWorld()
  harness = await world.deploy(planSlotHarnessAbi, planSlotHarnessBytecode)
})
afterAll(() => world[Symbol.asyncDispose]())

const places = Array.from({ length: 64 }, (_, i) => i)
const bit = (i: number) => 1n << BigInt(i)
const ones = (width: bigint) => (1n << width) - 1n

const fields = {
  codes: { at: 0n, width: 128n },
  remaining: { at: 128n, width: 96n },
  status: { at: 224n, width: 2n },
  proposed: { at: 226n, width: 1n },
  authorized: { at: 227n, width: 1n },
  closing: { at: 228n, width: 1n },
  vetoed: { at: 229n, width: 1n },
  noticed: { at: 230n, width: 1n },
  version: { at: 232n, width: 24n },
}
const fieldOf = (word: bigint, { at, width }: { at: bigint; width: bigint }) => (word >> at) & ones(width)
const codesOf = (word: bigint) => places.map((i) => Number((word >> BigInt(2 * i)) & 3n))
const bitsWhere = (codes: number[], code: number) => codes.reduce((bits, c, i) => (c === code ? bits | bit(i) : bits), 0n)
const wordOf = (rest: bigint, codes: number[]) => codes.reduce((word, c, i) => word | (BigInt(c) << BigInt(2 * i)), (rest >> 128n) << 128n)

async function read(word: bigint) {
  const call = { address: harness, abi: planSlotHarnessAbi, functionName: 'read', args: [word] } as const
  const { status, version, ...fields } = await world.reader.readContract(call)
  return { ...fields, status: BigInt(status), version: BigInt(version) }
}
const model = (word: bigint) => ({
  codes: fieldOf(word, fields.codes),
  remaining: fieldOf(word, fields.remaining),
  status: fieldOf(word, fields.status),
  isSealed: fieldOf(word, fields.proposed) === 1n || fieldOf(word, fields.authorized) === 1n,
  authorized: fieldOf(word, fields.authorized) === 1n,
  closing: fieldOf(word, fields.closing) === 1n,
  vetoed: fieldOf(word, fields.vetoed) === 1n,
  noticed: fieldOf(word, fields.noticed) === 1n,
  version: fieldOf(word, fields.version),
  pending: bitsWhere(codesOf(word), 0),
  paid: bitsWhere(codesOf(word), 1),
  disputed: bitsWhere(codesOf(word), 3),
})
const set = (functionName: 'withRemaining' | 'withPaid' | 'withEnded' | 'withDisputed', word: bigint, value: bigint) =>
  world.reader.readContract({ address: harness, abi: planSlotHarnessAbi, functionName, args: [word, value] })
const setStatus = (word: bigint, value: bigint) =>
  world.reader.readContract({ address: harness, abi: planSlotHarnessAbi, functionName: 'withStatus', args: [word, Number(value)] })
const setCharter = (word: bigint, value: bigint, authorized: boolean) =>
  world.reader.readContract({
    address: harness,
    abi: planSlotHarnessAbi,
    functionName: 'withCharter',
    args: [word, Number(value), authorized],
  })
const setFlag = (functionName: 'withVeto' | 'withNotice', word: bigint) =>
  world.reader.readContract({ address: harness, abi: planSlotHarnessAbi, functionName, args: [word] })
const setClosing = (word: bigint, value: bigint) =>
  world.reader.readContract({ address: harness, abi: planSlotHarnessAbi, functionName: 'withClosing', args: [word, value === 1n] })
const endPending = (word: bigint, kept = 0n) =>
  world.reader.readContract({ address: harness, abi: planSlotHarnessAbi, functionName: 'withPendingEnded', args: [word, kept] })

/** What each of the calls that mark steps makes of them. */
const marks = { withPaid: 1, withEnded: 2, withDisputed: 3 } as const

async function expectSpread(bits: bigint[]) {
  const [spread, gathered] = await world.reader.readContract({
    address: harness,
    abi: planSlotHarnessAbi,
    functionName: 'spreadAll',
    args: [bits],
  })
  const expected = bits.map((value) => places.reduce((word, i) => (value & bit(i) ? word | bit(2 * i) : word), 0n))
  expect(spread.join()).toBe(expected.join())
  expect(gathered.join()).toBe(bits.join())
}

describe('PlanSlots', () => {
  it('spreads and gathers each bit and each pair of bits', async () => {
    await expectSpread([0n, ones(64n), ...places.map(bit)])
    for (const i of places) await expectSpread(places.map((j) => bit(i) | bit(j)))
  })

  it('spreads and gathers every byte in each of its places', async () => {
    const bytes = Array.from({ length: 256 }, (_, i) => BigInt(i))
    for (let place = 0n; place < 64n; place += 8n) await expectSpread(bytes.map((byte) => byte << place))
  })

  it('reads and writes each field at its bounds, and touches no other', async () => {
    const setters = {
      remaining: (word: bigint, value: bigint) => set('withRemaining', word, value),
      status: setStatus,
      closing: setClosing,
    }
    for (const name of ['remaining', 'status', 'closing'] as const) {
      const { at, width } = fields[name]
      for (const word of [0n, ones(256n), ones(256n) ^ (ones(width) << at)]) {
        for (const value of new Set([0n, 1n, ones(width - 1n), ones(width) - 1n, ones(width)])) {
          const written = await setters[name](word, value)
          expect(written).toBe((word & ~(ones(width) << at)) | (value << at))
          expect(await read(written)).toEqual(model(written))
        }
      }
    }
  })

  it('brings a charter into force, ends a notice with it, and touches nothing else', async () => {
    const bit226 = (authorized: boolean) => (authorized ? 1n << 227n : 1n << 226n)
    const cleared = (ones(24n) << 232n) | (1n << 226n) | (1n << 227n) | (1n << 230n)
    for (const word of [0n, ones(256n)]) {
      for (const version of [0n, 1n, ones(24n)]) {
        for (const authorized of [false, true]) {
          const written = await setCharter(word, version, authorized)
          expect(written).toBe((word & ~cleared) | (version << 232n) | bit226(authorized))
          expect(await read(written)).toEqual(model(written))
        }
      }
    }
  })

  it('vetoes and gives notice by one bit each, and a veto ends a proposal', async () => {
    for (const word of [0n, ones(256n), 1n << 226n]) {
      expect(await setFlag('withVeto', word)).toBe((word & ~(1n << 226n)) | (1n << 229n))
      expect(await setFlag('withNotice', word)).toBe(word | (1n << 230n))
    }
  })

  it('distinguishes pending and paid for each step and each code', async () => {
    for (const background of [0, 1, 2, 3]) {
      for (const i of places) {
        for (const code of [0, 1, 2, 3]) {
          const word = wordOf(
            ones(256n),
            places.map((j) => (j === i ? code : background)),
          )
          expect(await read(word)).toEqual(model(word))
        }
      }
    }
  })

  it('marks each step, from any earlier mark, ends each that is pending, and touches no other', async () => {
    for (const i of places) {
      const background = places.map((j) => (i + j) % 4)
      const word = wordOf(ones(256n), background)
      for (const [call, code] of Object.entries(marks)) {
        const marked = wordOf(
          ones(256n),
          background.map((c, j) => (j === i ? code : c)),
        )
        expect(await set(call as keyof typeof marks, word, bit(i))).toBe(marked)
      }
      const ended = wordOf(
        ones(256n),
        background.map((c) => (c === 0 ? 2 : c)),
      )
      expect(await endPending(word)).toBe(ended)
    }
  })

  it('takes from what remains, and marks what is pending, and touches nothing else', async () => {
    const call = { address: harness, abi: planSlotHarnessAbi } as const
    for (const rest of [0n, 1n, ones(95n), ones(96n)]) {
      for (const amount of new Set([0n, rest / 2n, rest])) {
        for (const background of [0n, ones(256n)]) {
          const word = (background & ~(ones(96n) << 128n)) | (rest << 128n)
          const less = await world.reader.readContract({ ...call, functionName: 'less', args: [word, amount] })
          expect(less).toBe((background & ~(ones(96n) << 128n)) | ((rest - amount) << 128n))
        }
      }
    }
    for (const i of places) {
      for (const code of [0, 1, 2, 3]) {
        const codes = places.map((j) => (j === i ? code : 0))
        const word = wordOf(ones(256n), codes)
        const [isPending, paid] = await world.reader.readContract({ ...call, functionName: 'withPendingPaid', args: [word, bit(i)] })
        expect(isPending).toBe(code === 0)
        if (code === 0)
          expect(paid).toBe(
            wordOf(
              word,
              codes.map((c, j) => (j === i ? 1 : c)),
            ),
          )
      }
    }
  })

  it('agrees with the model on random words', async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: ones(256n) }), fc.bigInt({ min: 0n, max: ones(64n) }), async (word, chosen) => {
        const codes = codesOf(word)
        expect(await read(word)).toEqual(model(word))
        expect(await endPending(word, chosen)).toBe(
          wordOf(
            word,
            codes.map((c, i) => (c === 0 && !(chosen & bit(i)) ? 2 : c)),
          ),
        )
        for (const [call, code] of Object.entries(marks)) {
          const marked = wordOf(
            word,
            codes.map((c, i) => (chosen & bit(i) ? code : c)),
          )
          expect(await set(call as keyof typeof marks, word, chosen)).toBe(marked)
        }
      }),
      { numRuns: 300, seed: 1 },
    )
  })
})
