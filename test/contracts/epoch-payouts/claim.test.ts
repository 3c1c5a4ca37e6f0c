/**
 * claim · claimMany
 * ├─ the slot has no root, or one that is not accepted ── reverts
 * ├─ there is no such slot ────────────────────────────── reverts
 * ├─ the leaf is not under the root ───────────────────── reverts
 * ├─ the account was paid as much already ─────────────── reverts (claim), is passed over (claimMany)
 * ├─ the token refuses the account ────────────────────── credited
 * └─ else ─────────────────────────────────────────────── the difference is paid
 * withdrawCredit
 * ├─ the recipient is zero or the contract ────────────── reverts
 * ├─ there is no credit ───────────────────────────────── reverts
 * └─ else ─────────────────────────────────────────────── the whole credit is sent
 */
import { concatHex, encodeAbiParameters, keccak256, numberToHex, sliceHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, payee, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { createEpochWorld, type EpochWorld } from './world.ts'

let world: EpochWorld
let slot: bigint
let tree: ReturnType<EpochWorld['tree']>
beforeAll(async () => {
  world = await createEpochWorld()
  tree = world.tree([alice, usdc(10)], [bob, usdc(20)], [carol, usdc(30)])
  slot = await world.accept(tree)
})
afterAll(() => world[Symbol.asyncDispose]())

const { alice, bob, carol, stranger, relayer } = actors

describe('claim', () => {
  it('reverts on a slot without a root, and beyond the two', async () => {
    expect(await revertOf(world.claim(1n - slot, tree, alice, usdc(10)))).toEqual(['NotAccepted', 1n - slot])
    expect(await revertOf(world.claim(2n, tree, alice, usdc(10)))).not.toEqual(['nothing reverted'])
  })

  it('reverts with another amount, another account, a cut, a padded or an odd proof', async () => {
    const proof = tree.proofOf(alice.address)
    const attempt = (account: `0x${string}`, amount: bigint, bytes: `0x${string}`) =>
      revertOf(world.call(stranger, 'claim', [slot, account, amount, bytes]))
    expect(await attempt(alice.address, usdc(11), proof)).toEqual(['BadProof', alice.address, usdc(11)])
    expect(await attempt(stranger.address, usdc(10), proof)).toEqual(['BadProof', stranger.address, usdc(10)])
    expect(await attempt(alice.address, usdc(10), sliceHex(proof, 44))).toEqual(['BadProof', alice.address, usdc(10)])
    expect(await attempt(alice.address, usdc(10), `${proof}00`)).toEqual(['BadProof', alice.address, usdc(10)])
    expect(await attempt(alice.address, usdc(10), `${proof}${'00'.repeat(44)}`)).toEqual(['BadProof', alice.address, usdc(10)])
  })

  it('pays an account the difference to what it had, whoever asks', async () => {
    const before = await world.balance(alice.address)
    const { events } = await world.claim(slot, tree, alice, usdc(10))
    expect(events).toEqual([{ name: 'Claimed', account: alice.address, cumulative: usdc(10) }])
    expect((await world.balance(alice.address)) - before).toBe(usdc(10))
    expect(await revertOf(world.claim(slot, tree, alice, usdc(10)))).toEqual(['NothingNew', alice.address, usdc(10)])

    const next = world.tree([alice, usdc(14)], [bob, usdc(20)], [carol, usdc(30)])
    const { slot: other } = await world.commit(next)
    expect(await revertOf(world.claim(other, next, alice, usdc(14)))).toEqual(['NotAccepted', other])
    await world.pass()
    await world.claim(other, next, alice, usdc(14))
    expect((await world.balance(alice.address)) - before).toBe(usdc(14))
    // The root before says less, and pays nothing more.
    expect(await revertOf(world.claim(slot, tree, alice, usdc(10)))).toEqual(['NothingNew', alice.address, usdc(10)])
    expect(await world.claimed(alice.address)).toBe(usdc(14))
  })
})

describe('claimMany', () => {
  it('pays each, and passes over who has nothing new', async () => {
    const claims = [alice, bob, carol].map(({ address }, i) => ({
      account: address,
      cumulative: usdc(10 * (i + 1)),
      proof: tree.proofOf(address),
    }))
    const { events } = await world.call(stranger, 'claimMany', [slot, claims])
    expect(events.map(({ account }) => account)).toEqual([bob.address, carol.address])
    expect([await world.balance(bob.address), await world.balance(carol.address)]).toEqual([usdc(20), usdc(30)])
    expect((await world.call(stranger, 'claimMany', [slot, claims])).events).toEqual([])
  })

  it('reverts as a whole with a leaf that is not there', async () => {
    const claims = [{ account: stranger.address, cumulative: 1n, proof: tree.proofOf(bob.address) }]
    expect(await revertOf(world.call(stranger, 'claimMany', [slot, claims]))).toEqual(['BadProof', stranger.address, 1n])
  })
})

describe('a payee that the token refuses', () => {
  it('is credited, and withdraws when it can', async () => {
    await using other = await createEpochWorld({ token: 'wayward' })
    const one = other.tree([bob, usdc(5)], [carol, usdc(1)])
    const at = await other.accept(one)
    await other.write(relayer, other.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 1])
    const { events } = await other.claim(at, one, bob, usdc(5))
    expect(events[1]).toEqual({ name: 'Credited', account: bob.address, amount: usdc(5) })
    expect(await revertOf(other.call(bob, 'withdrawCredit', [zeroAddress]))).toEqual(['BadRecipient', zeroAddress])
    expect(await revertOf(other.call(bob, 'withdrawCredit', [other.payouts]))).toEqual(['BadRecipient', other.payouts])
    expect(await revertOf(other.call(carol, 'withdrawCredit', [carol.address]))).toEqual(['NothingToWithdraw', carol.address])
    await other.call(bob, 'withdrawCredit', [alice.address])
    expect([await other.balance(alice.address, other.wayward), await other.credit(bob.address)]).toEqual([usdc(5), 0n])
    expect(await revertOf(other.call(bob, 'withdrawCredit', [alice.address]))).toEqual(['NothingToWithdraw', bob.address])
  })
})

describe('the tree', () => {
  it('does not read an inner node as a leaf (second preimage)', async () => {
    await using other = await createEpochWorld()
    const two = other.tree([payee(1), 5n], [payee(2), 6n])
    const at = await other.accept(two)
    // The root node itself, offered as a leaf's place with no sibling, needs an account that hashes to it.
    const attempt = other.call(stranger, 'claim', [at, payee(1), two.total, '0x'])
    expect(await revertOf(attempt)).toEqual(['BadProof', payee(1), 11n])
  })

  it('does not pay a leaf that was hashed once only', async () => {
    await using other = await createEpochWorld()
    const once = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint96' }], [payee(1), other.token, 7n]))
    await other.call(actors.evaluator, 'commit', [once, 7n])
    await other.pass()
    expect(await revertOf(other.call(stranger, 'claim', [1n, payee(1), 7n, '0x']))).toEqual(['BadProof', payee(1), 7n])
  })

  it('does not pay more than its total, whatever a node says of its sum', async () => {
    await using other = await createEpochWorld()
    const honest = other.tree([payee(1), usdc(5)], [payee(2), usdc(6)])
    // The operator commits the tree's hash under a smaller total than its leaves have.
    await other.call(actors.evaluator, 'commit', [honest.root, usdc(10)])
    await other.pass()
    for (const [who, amount] of [
      [payee(1), usdc(5)],
      [payee(2), usdc(6)],
    ] as const) {
      expect(await revertOf(other.claim(1n, honest, who, amount))).toEqual(['BadProof', who, amount])
    }
    // A sibling's sum changed to fit the total changes the hash.
    const sibling = honest.proofOf(payee(1))
    const forged = concatHex([sliceHex(sibling, 0, 32), numberToHex(usdc(5), { size: 12 })])
    const attempt = other.call(stranger, 'claim', [1n, payee(1), usdc(5), forged])
    expect(await revertOf(attempt)).toEqual(['BadProof', payee(1), usdc(5)])
  })

  it('does not let a sum run over', async () => {
    await using other = await createEpochWorld()
    const most = 2n ** 96n - 1n
    const leaf = keccak256(
      keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint96' }], [payee(1), other.token, usdc(9)])),
    )
    const sibling = concatHex([`0x${'ff'.repeat(32)}`, numberToHex(most, { size: 12 })])
    const root = keccak256(concatHex([leaf, numberToHex(usdc(9), { size: 12 }), sibling]))
    await other.call(actors.evaluator, 'commit', [root, usdc(9) - 1n])
    await other.pass()
    const attempt = other.call(stranger, 'claim', [1n, payee(1), usdc(9), sibling])
    expect(await revertOf(attempt)).toEqual(['BadProof', payee(1), usdc(9)])
  })
})
