/** The tree that is built here is the tree that the contract climbs: over random payouts, every leaf of them, and nothing beside. */
import fc from 'fast-check'
import { type Address, getAddress, numberToHex, sliceHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildSumTree, epochPayoutsAbi } from '../../contracts/abi/index.ts'
import { payee, usdc } from './actors.ts'
import { createEpochWorld, type EpochWorld } from './epoch-payouts/world.ts'
import { revertOf } from './world.ts'

let world: EpochWorld
beforeAll(async () => {
  world = await createEpochWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const payouts = fc.uniqueArray(
  fc.record({
    account: fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }).map((n) => getAddress(numberToHex(n, { size: 20 }))),
    cumulative: fc.bigInt({ min: 1n, max: usdc(1) }),
  }),
  { minLength: 1, maxLength: 33, selector: ({ account }) => account },
)

it('pays every leaf of a tree of any size, by its proof and by no other', { timeout: 240_000 }, async () => {
  let floor = 0n
  const ask = (account: Address, cumulative: bigint, proof: `0x${string}`, slot: bigint) =>
    revertOf(
      world.reader.simulateContract({
        address: world.payouts,
        abi: epochPayoutsAbi,
        functionName: 'claim',
        args: [slot, account, cumulative, proof],
      }),
    )
  await fc.assert(
    fc.asyncProperty(payouts, async (leaves) => {
      // What an earlier tree owed in all is owed on, by one account more.
      const filler = { account: payee(1), cumulative: floor + 1n }
      const all = [...leaves.filter(({ account }) => account !== filler.account), filler]
      const tree = buildSumTree(world.token, all)
      expect(tree.total).toBe(all.reduce((sum, { cumulative }) => sum + cumulative, 0n))
      floor = tree.total
      const slot = await world.accept(tree)
      expect((await world.accepted())[1]).toBe(tree.commitment)
      for (const { account, cumulative } of all) {
        const proof = tree.proofOf(account)
        expect(await ask(account, cumulative, proof, slot)).toEqual(['nothing reverted'])
        expect(await ask(account, cumulative + 1n, proof, slot)).toEqual(['BadProof', account, cumulative + 1n])
        const more = numberToHex(BigInt(proof) ^ 1n, { size: (proof.length - 2) / 2 })
        expect(await ask(account, cumulative, more, slot)).toEqual(['BadProof', account, cumulative])
      }
    }),
    { numRuns: 25, seed: 7 },
  )
})

it('refuses to be built over nothing, over one account twice, or over more than fits', () => {
  expect(() => buildSumTree(payee(9), [])).toThrow('needs a leaf')
  const one = { account: payee(1), cumulative: 1n }
  expect(() => buildSumTree(payee(9), [one, { ...one, cumulative: 2n }])).toThrow('one leaf')
  const half = 2n ** 95n
  const big = [1, 2].map((n) => ({ account: payee(n), cumulative: half }))
  expect(() => buildSumTree(payee(9), big)).toThrow('does not fit')
  const tree = buildSumTree(payee(9), [one, { account: payee(2), cumulative: 2n ** 96n - 2n }])
  expect(tree.total).toBe(2n ** 96n - 1n)
  expect(() => tree.proofOf(payee(3))).toThrow('no leaf')
  expect(sliceHex(tree.proofOf(payee(1)), 32)).toBe(numberToHex(2n ** 96n - 2n, { size: 12 }))
})
