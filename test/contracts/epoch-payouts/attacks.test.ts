/** Attacks on EpochPayouts, by name. Those on the tree itself stand in claim.test.ts, those on a root in challenge.test.ts. */
import { type Abi, encodeFunctionData, type Hex, toFunctionSelector, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { epochPayoutsAbi } from '../../../contracts/abi/index.ts'
import { reenteringTokenAbi, waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, hash, usdc } from '../actors.ts'
import { farOff } from '../chain.ts'
import { revertOf } from '../world.ts'
import { bond, createEpochWorld, depositor, type EpochWorld, operator, silence } from './world.ts'

const { alice, bob, stranger, relayer } = actors

describe('a contract that nothing was paid into', () => {
  it('pays nothing, not even of gifts', async () => {
    await using world = await createEpochWorld({ deposit: 0n })
    await world.mint(world.payouts, usdc(100))
    expect(await revertOf(world.commit(world.tree([alice, 1n])))).toEqual(['TotalAboveDeposit', 1n, 0n])
    await world.timeIs((await world.now()) + silence)
    expect(await revertOf(world.call(depositor, 'reclaim', []))).toEqual(['NothingToWithdraw', depositor.address])
  })
})

describe('an operator', () => {
  it('cannot take the deposit by reclaiming, bonding or unbonding', async () => {
    await using world = await createEpochWorld()
    await world.timeIs((await world.now()) + silence)
    expect((await revertOf(world.call(operator, 'reclaim', [])))[0]).toBe('NotDepositor')
    await world.call(operator, 'withdrawBond', [])
    expect(await revertOf(world.call(operator, 'withdrawBond', []))).toEqual(['NotBonded'])
    expect(await world.balance(world.payouts)).toBe(usdc(500))
  })

  it('cannot pull its bond from under a demand', async () => {
    await using world = await createEpochWorld()
    const first = world.tree([alice, usdc(1)], [bob, usdc(2)])
    await world.accept(first)
    await world.commit(world.tree([alice, usdc(3)]))
    await world.call(stranger, 'demand', [bob.address, usdc(2), first.proofOf(bob.address)])
    await world.pass()
    expect((await revertOf(world.call(operator, 'withdrawBond', [])))[0]).toBe('EpochPending')
  })
})

describe('a depositor', () => {
  it('cannot take back what an accepted root owes, claimed or not, however often it asks', async () => {
    await using world = await createEpochWorld()
    const tree = world.tree([alice, usdc(100)], [bob, usdc(200)])
    const slot = await world.accept(tree)
    await world.claim(slot, tree, alice, usdc(100))
    await world.timeIs((await world.now()) + silence)
    await world.call(depositor, 'reclaim', [])
    expect(await revertOf(world.call(depositor, 'reclaim', []))).toEqual(['NothingToWithdraw', depositor.address])
    await world.claim(slot, tree, bob, usdc(200))
    expect(await world.balance(world.payouts)).toBe(bond)
  })
})

describe('a payee that the token refuses', () => {
  it('stops no other payee of the same transaction', async () => {
    await using world = await createEpochWorld({ token: 'wayward' })
    const tree = world.tree([alice, usdc(1)], [bob, usdc(2)])
    const slot = await world.accept(tree)
    await world.write(relayer, world.wayward, waywardTokenAbi as Abi, 'setAnswer', [alice.address, 6])
    const claims = [alice, bob].map(({ address }, i) => ({ account: address, cumulative: usdc(i + 1), proof: tree.proofOf(address) }))
    await world.call(stranger, 'claimMany', [slot, claims])
    expect([await world.credit(alice.address), await world.balance(bob.address, world.wayward)]).toEqual([usdc(1), usdc(2)])
  })
})

describe('a token that calls back', () => {
  it('finds every way in locked, whichever call moves it', { timeout: 240_000 }, async () => {
    await using world = await createEpochWorld({ token: 'reentering' })
    const locked = toFunctionSelector('ReentrancyGuardReentrantCall()')
    const proof = '0x' as Hex
    const ways: [Parameters<EpochWorld['call']>[1], readonly unknown[]][] = [
      ['deposit', [1n]],
      ['depositWithAuthorization', [1n, 0n, farOff, hash(1), '0x']],
      ['postBond', []],
      ['withdrawBond', []],
      ['commit', [hash(1), 1n]],
      ['challenge', [alice.address, 2n, proof, 1n, proof]],
      ['demand', [alice.address, 1n, proof]],
      ['answer', [alice.address, 1n, proof]],
      ['enforce', [alice.address]],
      ['claim', [0n, alice.address, 1n, proof]],
      ['claimMany', [0n, []]],
      ['reclaim', []],
      ['withdrawCredit', [alice.address]],
    ]
    // requestExit moves no money and reads nothing that a call in flight could have left half done.
    const writes = epochPayoutsAbi.flatMap((entry) =>
      entry.type === 'function' && entry.stateMutability === 'nonpayable' && entry.name !== 'requestExit' ? [entry.name as string] : [],
    )
    expect(ways.map(([name]) => name as string).sort()).toEqual(writes.sort())

    const token = world.reentering
    const arm = (target: Hex, data: Hex) => world.write(relayer, token, reenteringTokenAbi as Abi, 'arm', [target, data])
    const look = (functionName: 'attempts' | 'entered' | 'lastAnswer') =>
      world.reader.readContract({ address: token, abi: reenteringTokenAbi, functionName })
    let paid = 0n
    for (const [way, args] of ways) {
      const data = encodeFunctionData({ abi: epochPayoutsAbi, functionName: way as never, args: args as never })
      const attack = async (move: () => Promise<unknown>) => {
        await arm(world.payouts, data)
        await move()
        expect(await look('attempts'), way).toBeGreaterThan(0n)
        expect([await look('entered'), await look('lastAnswer')], way).toEqual([0n, locked])
        await arm(zeroAddress, '0x')
      }
      paid += 10n
      await attack(() => world.call(depositor, 'deposit', [usdc(1)]))
      await attack(() => world.call(relayer, 'depositWithAuthorization', [1n, 0n, farOff, hash(2), '0x']))
      const tree = world.tree([alice, paid], [bob, 2n * paid])
      const slot = await world.accept(tree)
      await attack(() => world.claim(slot, tree, alice, paid))
      await attack(() =>
        world.call(stranger, 'claimMany', [slot, [{ account: bob.address, cumulative: 2n * paid, proof: tree.proofOf(bob.address) }]]),
      )
      const shrunk = world.tree([alice, paid - 1n], [bob, 2n * paid + 1n])
      await world.commit(shrunk)
      const [before, after] = [tree.proofOf(alice.address), shrunk.proofOf(alice.address)]
      await attack(() => world.call(stranger, 'challenge', [alice.address, paid, before, paid - 1n, after]))
      await attack(() => world.call(operator, 'postBond', []))
      await attack(() => world.call(operator, 'withdrawBond', []))
      await world.timeIs((await world.now()) + silence)
      await attack(() => world.call(depositor, 'reclaim', []))
      await world.call(operator, 'postBond', [])
      await world.call(depositor, 'deposit', [usdc(1)])
    }
  })
})
