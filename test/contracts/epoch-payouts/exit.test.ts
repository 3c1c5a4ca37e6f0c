/**
 * requestExit
 * ├─ the caller is not the depositor ── reverts
 * ├─ notice was given already ───────── reverts
 * └─ else ───────────────────────────── the silence runs
 * reclaim
 * ├─ the caller is not the depositor ── reverts
 * ├─ neither silence nor notice has run out ── reverts
 * ├─ all is owed ────────────────────── reverts
 * └─ else ───────────────────────────── what no root owes goes back; what is owed stays claimable
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { actors, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { challengeWindow, createEpochWorld, depositor, type EpochWorld, operator, silence } from './world.ts'

let world: EpochWorld
beforeEach(async () => {
  world = await createEpochWorld()
  return () => world[Symbol.asyncDispose]()
})

const { alice, bob } = actors
const reclaim = () => world.call(depositor, 'reclaim', [])

describe('requestExit', () => {
  it('is the depositor’s, once', async () => {
    expect(await revertOf(world.call(operator, 'requestExit', []))).toEqual(['NotDepositor', operator.address, depositor.address])
    const { events } = await world.call(depositor, 'requestExit', [])
    expect(events).toEqual([{ name: 'ExitRequested', reclaimableAt: BigInt((await world.now()) + silence) }])
    expect(await revertOf(world.call(depositor, 'requestExit', []))).toEqual(['AlreadyRequested'])
  })
})

describe('reclaim', () => {
  it('is the depositor’s', async () => {
    expect(await revertOf(world.call(operator, 'reclaim', []))).toEqual(['NotDepositor', operator.address, depositor.address])
  })

  it('gives everything back when the operator never said a word', async () => {
    expect((await revertOf(reclaim()))[0]).toBe('TooEarly')
    await world.timeIs((await world.now()) + silence)
    const before = await world.balance(depositor.address)
    await reclaim()
    expect((await world.balance(depositor.address)) - before).toBe(usdc(500))
    expect(await revertOf(reclaim())).toEqual(['NothingToWithdraw', depositor.address])
  })

  it('does not wait for a notice that was given after the silence began', async () => {
    const began = await world.now()
    await world.timeIs(began + silence - 100)
    await world.call(depositor, 'requestExit', [])
    await world.timeIs(began + silence)
    await reclaim()
    expect((await world.money()).deposited).toBe(0n)
  })

  it('leaves what is owed when the operator falls silent, and every payee claims without it', async () => {
    const tree = world.tree([alice, usdc(10)], [bob, usdc(20)])
    const slot = await world.accept(tree)
    await world.claim(slot, tree, alice, usdc(10))
    const from = Number((await world.epoch()).acceptedFrom) - challengeWindow + silence
    await world.timeIs(from - 1)
    expect(await revertOf(reclaim())).toEqual(['TooEarly', BigInt(from - 1), BigInt(from)])
    await world.timeIs(from)
    const before = await world.balance(depositor.address)
    const { events } = await reclaim()
    expect(events).toEqual([{ name: 'Reclaimed', amount: usdc(470) }])
    expect((await world.balance(depositor.address)) - before).toBe(usdc(470))
    await world.claim(slot, tree, bob, usdc(20))
    expect(await world.balance(bob.address)).toBe(usdc(20))
    await world.call(operator, 'withdrawBond', [])
    expect(await world.balance(world.payouts)).toBe(0n)
  })

  it('counts a pending root as owed', async () => {
    await world.call(depositor, 'requestExit', [])
    await world.timeIs((await world.now()) + silence - 10)
    await world.commit(world.tree([alice, usdc(100)]))
    await world.timeIs((await world.now()) + 20)
    await reclaim()
    expect(await world.money()).toEqual({ deposited: usdc(100), bonded: true, exitRequestedAt: 0n })
  })

  it('cannot be put off by an operator that goes on committing', async () => {
    await world.call(depositor, 'requestExit', [])
    const end = (await world.now()) + silence
    const tree = world.tree([alice, usdc(1)])
    await world.accept(tree)
    await world.timeIs(end)
    await world.accept(tree)
    await reclaim()
    expect((await world.money()).deposited).toBe(usdc(1))
    // The notice is spent: the next deposit stays for as long as the operator speaks.
    await world.call(depositor, 'deposit', [usdc(5)])
    expect((await revertOf(reclaim()))[0]).toBe('TooEarly')
  })

  it('counts silence from the root that stands, not from one that was voided', async () => {
    const tree = world.tree([alice, usdc(10)], [bob, usdc(20)])
    await world.accept(tree)
    const stands = Number((await world.epoch()).acceptedFrom) - challengeWindow
    await world.timeIs(stands + silence - 100)
    const bad = world.tree([alice, usdc(30)])
    await world.commit(bad)
    const owed = [alice.address, usdc(10), tree.proofOf(alice.address), usdc(30), bad.proofOf(alice.address)] as const
    expect((await revertOf(world.call(bob, 'challenge', owed)))[0]).toBe('NotShrunk')
    await world.call(bob, 'demand', [bob.address, usdc(20), tree.proofOf(bob.address)])
    await world.timeIs((await world.now()) + challengeWindow)
    expect((await revertOf(reclaim()))[0]).toBe('TooEarly')
    await world.call(bob, 'enforce', [bob.address])
    await reclaim()
    expect((await world.money()).deposited).toBe(usdc(30))
  })
})
