/**
 * commit
 * ├─ the caller is not the operator ──────── reverts
 * ├─ the bond is not here ────────────────── reverts
 * ├─ the total is above the deposit ──────── reverts
 * ├─ the root before is pending ──────────── reverts, also past its window while an answer is owed
 * ├─ the total is below the one before ───── reverts
 * └─ else ────────────────────────────────── the root waits in the other slot, and is accepted after the window
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { actors, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { challengeWindow, createEpochWorld, depositor, type EpochWorld, operator } from './world.ts'

let world: EpochWorld
beforeEach(async () => {
  world = await createEpochWorld()
  return () => world[Symbol.asyncDispose]()
})

const { alice, bob } = actors

describe('commit', () => {
  it('reverts when the caller is not the operator', async () => {
    const attempt = world.commit(world.tree([alice, usdc(1)]), depositor)
    expect(await revertOf(attempt)).toEqual(['NotOperator', depositor.address, operator.address])
  })

  it('reverts without the bond', async () => {
    await world.call(operator, 'withdrawBond', [])
    expect(await revertOf(world.commit(world.tree([alice, usdc(1)])))).toEqual(['NotBonded'])
  })

  it('reverts above the deposit, and takes all of it', async () => {
    const over = world.commit(world.tree([alice, usdc(500)], [bob, 1n]))
    expect(await revertOf(over)).toEqual(['TotalAboveDeposit', usdc(500) + 1n, usdc(500)])
    await world.commit(world.tree([alice, usdc(500)]))
  })

  it('reverts while the root before is pending', async () => {
    await world.commit(world.tree([alice, usdc(1)]))
    const { acceptedFrom } = await world.epoch()
    await world.timeIs(Number(acceptedFrom) - 1)
    expect(await revertOf(world.commit(world.tree([alice, usdc(2)])))).toEqual(['EpochPending', acceptedFrom])
    await world.timeIs(Number(acceptedFrom))
    await world.commit(world.tree([alice, usdc(2)]))
  })

  it('reverts past the window while an answer is owed', async () => {
    const first = world.tree([alice, usdc(1)])
    await world.accept(first)
    await world.commit(world.tree([alice, usdc(2)]))
    await world.call(alice, 'demand', [alice.address, usdc(1), first.proofOf(alice.address)])
    await world.pass()
    expect((await revertOf(world.commit(world.tree([alice, usdc(3)]))))[0]).toBe('EpochPending')
  })

  it('reverts when the total shrinks', async () => {
    await world.accept(world.tree([alice, usdc(3)]))
    expect(await revertOf(world.commit(world.tree([alice, usdc(3) - 1n])))).toEqual(['TotalShrinks', usdc(3) - 1n, usdc(3)])
    await world.commit(world.tree([alice, usdc(3)]))
  })

  it('keeps the accepted root beside the new one, and alternates their slots', async () => {
    expect((await revertOf(world.accepted()))[0]).toBe('NotAccepted')
    const trees = [world.tree([alice, usdc(1)]), world.tree([alice, usdc(1)], [bob, usdc(2)]), world.tree([alice, usdc(5)], [bob, usdc(2)])]
    const [one, two, three] = trees as [(typeof trees)[number], (typeof trees)[number], (typeof trees)[number]]
    const { events } = await world.commit(one)
    const at = BigInt((await world.now()) + challengeWindow)
    expect(events).toEqual([{ name: 'EpochCommitted', epoch: 1n, slot: 1n, root: one.root, total: usdc(1), acceptedFrom: at }])
    expect((await revertOf(world.accepted()))[0]).toBe('NotAccepted')
    await world.pass()
    expect(await world.accepted()).toEqual([1n, one.commitment, usdc(1)])
    expect((await world.commit(two)).slot).toBe(0n)
    expect(await world.accepted()).toEqual([1n, one.commitment, usdc(1)])
    expect(await world.epoch()).toMatchObject({ number: 2n, slot: 0n, acceptedTotal: usdc(1), newestTotal: usdc(3), demands: 0n })
    await world.pass()
    expect(await world.epoch()).toMatchObject({ acceptedTotal: usdc(3) })
    expect((await world.commit(three)).slot).toBe(1n)
    expect(await world.accepted()).toEqual([0n, two.commitment, usdc(3)])
  })
})
