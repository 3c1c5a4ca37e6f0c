/**
 * challenge
 * ├─ no root is pending ──────────────────────────── reverts
 * ├─ the old leaf is not under the accepted root ─── reverts
 * ├─ the new leaf is not under the pending root ──── reverts
 * ├─ the new leaf owes as much as before ─────────── reverts
 * └─ else ────────────────────────────────────────── the root is void, the bond is the challenger's
 * demand
 * ├─ no root is pending, or its window has passed ── reverts
 * ├─ the account was asked for already ───────────── reverts
 * ├─ the leaf is not under the accepted root ─────── reverts
 * └─ else ────────────────────────────────────────── the root is held
 * answer
 * ├─ nothing was asked ───────────────────────────── reverts
 * ├─ the leaf owes less than was asked ───────────── reverts
 * ├─ the leaf is not under the pending root ──────── reverts
 * └─ else ────────────────────────────────────────── answered; after the last one the root is free
 * enforce
 * ├─ nothing was asked, or it was answered ───────── reverts
 * ├─ it is not overdue ───────────────────────────── reverts
 * └─ else ────────────────────────────────────────── the root is void, the bond is the asker's
 */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SumTree } from '../../../contracts/abi/index.ts'
import { actors, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { bond, challengeWindow, createEpochWorld, depositor, type EpochWorld, operator } from './world.ts'

let world: EpochWorld
let first: SumTree
beforeEach(async () => {
  world = await createEpochWorld()
  first = world.tree([alice, usdc(10)], [bob, usdc(20)], [carol, usdc(30)])
  return () => world[Symbol.asyncDispose]()
})

const { alice, bob, carol, stranger } = actors
const demand = (who = bob, amount = usdc(20), by = stranger) => world.call(by, 'demand', [who.address, amount, first.proofOf(who.address)])
const challenge = (next: SumTree, amount: bigint, who = bob) =>
  world.call(stranger, 'challenge', [who.address, usdc(20), first.proofOf(who.address), amount, next.proofOf(who.address)])

/** A root whose total does not shrink although bob's share does. */
const shrunk = () => world.tree([alice, usdc(50)], [bob, usdc(19)], [carol, usdc(30)])
/** One that leaves bob out. */
const omitting = () => world.tree([alice, usdc(50)], [carol, usdc(30)])
const grown = () => world.tree([alice, usdc(10)], [bob, usdc(21)], [carol, usdc(30)])

describe('challenge', () => {
  it('reverts when no root is pending', async () => {
    expect(await revertOf(challenge(grown(), usdc(21)))).toEqual(['NotPending', 0n])
    await world.accept(first)
    expect(await revertOf(challenge(grown(), usdc(21)))).toEqual(['NotPending', 1n])
  })

  it('reverts when a leaf is not under its root', async () => {
    await world.accept(first)
    const next = shrunk()
    await world.commit(next)
    const [old, proof] = [first.proofOf(bob.address), next.proofOf(bob.address)]
    const attempt = (before: bigint, after: bigint, one = old, other = proof) =>
      revertOf(world.call(stranger, 'challenge', [bob.address, before, one, after, other]))
    expect(await attempt(usdc(21), usdc(19))).toEqual(['BadProof', bob.address, usdc(21)])
    expect(await attempt(usdc(20), usdc(18))).toEqual(['BadProof', bob.address, usdc(18)])
    expect(await attempt(usdc(20), usdc(19), proof, old)).toEqual(['BadProof', bob.address, usdc(20)])
  })

  it('reverts against the first root, which has none before it, whatever proof is brought', async () => {
    await world.commit(first)
    const proof = first.proofOf(bob.address)
    for (const nowhere of ['0x00', proof] as const) {
      const attempt = world.call(stranger, 'challenge', [bob.address, usdc(99), nowhere, usdc(20), proof])
      expect(await revertOf(attempt)).toEqual(['BadProof', bob.address, usdc(99)])
      expect(await revertOf(world.call(stranger, 'demand', [bob.address, usdc(99), nowhere]))).toEqual(['BadProof', bob.address, usdc(99)])
    }
  })

  it('reverts when the leaf owes no less than before', async () => {
    await world.accept(first)
    const same = world.tree([alice, usdc(11)], [bob, usdc(20)], [carol, usdc(30)])
    await world.commit(same)
    expect(await revertOf(challenge(same, usdc(20)))).toEqual(['NotShrunk', usdc(20), usdc(20)])
  })

  it('voids a root that shrinks an account, and pays the bond to the challenger', async () => {
    const slot = await world.accept(first)
    const next = shrunk()
    await world.commit(next)
    const { events } = await challenge(next, usdc(19))
    expect(events).toEqual([{ name: 'EpochVoided', epoch: 2n, account: bob.address, challenger: stranger.address }])
    expect(await world.balance(stranger.address)).toBe(bond)
    expect((await world.money()).bonded).toBe(false)
    expect(await world.accepted()).toEqual([slot, first.commitment, usdc(60)])
    expect(await world.epoch()).toMatchObject({ number: 2n, slot, newestTotal: usdc(60) })
    // Everybody is paid on the root that stands, and the operator goes on once it has bonded anew.
    await world.claim(slot, first, bob, usdc(20))
    expect(await revertOf(world.commit(grown()))).toEqual(['NotBonded'])
    await world.call(operator, 'postBond', [])
    await world.accept(grown())
    expect((await world.accepted())[2]).toBe(usdc(61))
  })
})

describe('demand', () => {
  it('reverts when no root is pending, or its window has passed', async () => {
    expect(await revertOf(demand())).toEqual(['NotPending', 0n])
    await world.accept(first)
    expect(await revertOf(demand())).toEqual(['NotPending', 1n])
    await world.commit(grown())
    const { acceptedFrom } = await world.epoch()
    await world.timeIs(Number(acceptedFrom) - 2)
    await demand(alice, usdc(10))
    await world.timeIs(Number(acceptedFrom) + 1)
    expect(await revertOf(demand())).toEqual(['TooLate', acceptedFrom + 1n, acceptedFrom])
  })

  it('asks for an account once an epoch', async () => {
    await world.accept(first)
    const next = grown()
    await world.commit(next)
    await demand()
    expect(await revertOf(demand())).toEqual(['AlreadyDemanded', bob.address])
    await world.call(operator, 'answer', [bob.address, usdc(21), next.proofOf(bob.address)])
    expect(await revertOf(demand())).toEqual(['AlreadyDemanded', bob.address])
  })

  it('holds the root until every answer is given', async () => {
    const slot = await world.accept(first)
    const next = grown()
    const committed = await world.commit(next)
    const { events } = await demand()
    const answerBy = BigInt((await world.now()) + challengeWindow)
    expect(events).toEqual([{ name: 'LeafDemanded', epoch: 2n, account: bob.address, cumulative: usdc(20), answerBy }])
    await demand(alice, usdc(10))
    await world.pass()
    expect((await world.epoch()).demands).toBe(2n)
    expect(await revertOf(world.claim(committed.slot, next, bob, usdc(21)))).toEqual(['NotAccepted', committed.slot])
    expect((await world.accepted())[0]).toBe(slot)
    await world.call(operator, 'answer', [bob.address, usdc(21), next.proofOf(bob.address)])
    expect((await world.accepted())[0]).toBe(slot)
    await world.call(stranger, 'answer', [alice.address, usdc(10), next.proofOf(alice.address)])
    expect((await world.accepted())[0]).toBe(committed.slot)
    await world.claim(committed.slot, next, bob, usdc(21))
  })
})

describe('answer', () => {
  it('reverts when nothing was asked, or it was answered', async () => {
    await world.accept(first)
    const next = grown()
    await world.commit(next)
    const answer = () => world.call(operator, 'answer', [bob.address, usdc(21), next.proofOf(bob.address)])
    expect(await revertOf(answer())).toEqual(['NotDemanded', bob.address])
    await demand()
    await answer()
    expect(await revertOf(answer())).toEqual(['NotDemanded', bob.address])
  })

  it('reverts with a leaf that owes less, or that is not there', async () => {
    await world.accept(first)
    const next = shrunk()
    await world.commit(next)
    await demand()
    const answer = (amount: bigint) => revertOf(world.call(operator, 'answer', [bob.address, amount, next.proofOf(bob.address)]))
    expect(await answer(usdc(19))).toEqual(['TotalShrinks', usdc(19), usdc(20)])
    expect(await answer(usdc(20))).toEqual(['BadProof', bob.address, usdc(20)])
  })

  it('frees the root before its window has passed, too, without cutting the window', async () => {
    await world.accept(first)
    const next = grown()
    const { slot } = await world.commit(next)
    await demand()
    await world.call(operator, 'answer', [bob.address, usdc(21), next.proofOf(bob.address)])
    expect(await revertOf(world.claim(slot, next, bob, usdc(21)))).toEqual(['NotAccepted', slot])
    await world.pass()
    await world.claim(slot, next, bob, usdc(21))
  })
})

describe('enforce', () => {
  it('reverts when nothing was asked, it is not overdue, or it was answered', async () => {
    await world.accept(first)
    const next = grown()
    await world.commit(next)
    const enforce = () => world.call(alice, 'enforce', [bob.address])
    expect(await revertOf(enforce())).toEqual(['NotDemanded', bob.address])
    const { events } = await demand()
    const answerBy = Number(events[0]?.answerBy)
    await world.timeIs(answerBy - 1)
    expect(await revertOf(enforce())).toEqual(['TooEarly', BigInt(answerBy - 1), BigInt(answerBy)])
    await world.call(operator, 'answer', [bob.address, usdc(21), next.proofOf(bob.address)])
    expect((await revertOf(enforce()))[0]).toBe('NotPending')
  })

  it('voids a root that leaves an account out, and pays the bond to who asked', async () => {
    const slot = await world.accept(first)
    await world.commit(omitting())
    const { events } = await demand()
    await demand(alice, usdc(10))
    await world.timeIs(Number(events[0]?.answerBy))
    await world.call(depositor, 'enforce', [bob.address])
    expect(await world.balance(stranger.address)).toBe(bond)
    expect((await world.epoch()).demands).toBe(0n)
    expect(await revertOf(world.call(depositor, 'enforce', [alice.address]))).toEqual(['NotPending', 2n])
    await world.claim(slot, first, bob, usdc(20))
    // What was asked of the void root is not asked of the next one.
    await world.call(operator, 'postBond', [])
    const next = grown()
    await world.commit(next)
    expect(await revertOf(world.call(operator, 'answer', [alice.address, usdc(10), next.proofOf(alice.address)]))).toEqual([
      'NotDemanded',
      alice.address,
    ])
    await demand()
  })
})
