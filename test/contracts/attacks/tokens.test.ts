/**
 * Attacks by, or through, the token: 02 callbacks, 03 a fee on transfers, 04 rebasing, 05 wrong answers, 06 blocklists,
 * 07 a pause, 28 a recipient that costs all gas.
 */
import { type Abi, type Address, encodeAbiParameters, encodeFunctionData, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../../contracts/abi/index.ts'
import { reenteringTokenAbi, waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import type { EscrowCall } from '../../../server/ports.ts'
import { encodeContractCall } from '../../../server/settlement/rails/encode-contract-call.ts'
import { createKeySigner } from '../../../server/settlement/signers/key-signer.ts'
import { developmentKey } from '../../support/development-keys.ts'
import { escrowUnderTest } from '../mutants/escrow-under-test.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, usdc, type World } from '../world.ts'
import { full, gains, onSilence, refundAll, rule, sealed, setCode, split, statesOf, undone } from './attack-fixture.ts'

const { alice, bob, carol, client, feeTo, relayer, stranger } = actors
const team = [alice.address, bob.address, carol.address]
const answers = { true: 0, revert: 1, false: 2, nothing: 3, garbage: 4, bomb: 5, burnGas: 6, lie: 7 } as const

let world: World
let wayward: Address
beforeAll(async () => {
  world = await createWorld()
  wayward = world.wayward
})
afterAll(() => world[Symbol.asyncDispose]())

const answer = (who: Address, how: keyof typeof answers) =>
  world.write(relayer, wayward, waywardTokenAbi as Abi, 'setAnswer', [who, answers[how]])
const setFee = (bps: bigint) => world.write(relayer, wayward, waywardTokenAbi as Abi, 'setFee', [bps])
const credit = (who: Address) => world.credit(who, wayward)

/** What the escrow holds is what it owes to the plan and to these. */
async function expectSolvent(remaining: bigint, who: readonly Address[] = [...team, client.address, feeTo.address]) {
  const credits = await Promise.all(who.map(credit))
  expect(await world.balance(world.escrow, wayward)).toBe(credits.reduce((sum, one) => sum + one, remaining))
}

/** OpenZeppelin's ERC20 keeps its balances in the first slot. */
const setBalance = (who: Address, value: bigint) =>
  world.connection.provider.request({
    method: 'hardhat_setStorageAt',
    params: [wayward, keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [who, 0n])), toHex(value, { size: 32 })],
  })

describe('attack 02: a token that calls its recipient', () => {
  it('pays a step once, though the recipient asks for it again while it is being paid', async () => {
    const { reentering } = world
    const { terms, charter } = await sealed(world, { token: reentering })
    const again = await world.settlement(terms, charter, settlementOf(1n))
    const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'settle', args: [again] })
    await world.write(relayer, reentering, reenteringTokenAbi as Abi, 'arm', [world.escrow, data])
    const [gained] = await gains(world, [alice.address], () => world.settle(terms, charter, settlementOf(1n)), reentering)
    await world.write(relayer, reentering, reenteringTokenAbi as Abi, 'arm', ['0x0000000000000000000000000000000000000000', '0x'])
    expect(gained).toBe(usdc(1))
    expect((await world.plan(terms)).remaining).toBe(usdc(9))
  })
})

describe('attack 03: a token that takes a fee', () => {
  it('is refused on the way in by every way that moves it', () =>
    undone(world, async () => {
      await setFee(200n)
      const terms = await world.terms({ token: wayward })
      const short = ['ReceivedLess', usdc(9.8), usdc(10)]
      expect(await revertOf(world.fund(terms))).toEqual(short)
      expect(await revertOf(world.call(client, 'fundMany', [[terms]]))).toEqual(short)
      expect(await revertOf(world.fundWithAuthorization(terms, 0n, 2n ** 48n, '0x'))).toEqual(short)
    }))

  it('that begins later costs its recipients, never another plan', () =>
    undone(world, async () => {
      const [first, second] = [await sealed(world, { token: wayward }), await sealed(world, { token: wayward })]
      await setFee(200n)
      const [gained] = await gains(world, [alice.address], () => world.settle(first.terms, first.charter, settlementOf(1n)), wayward)
      expect(gained).toBe(usdc(0.98))
      await setFee(0n)
      await expectSolvent(usdc(9) + usdc(10))
      const [whole] = await gains(
        world,
        [client.address],
        () => world.settle(second.terms, charterOf(), settlementOf(0b111n, true)),
        wayward,
      )
      expect(whole).toBe(usdc(4))
    }))
})

describe('attack 04: a token that changes its balances', () => {
  it('upwards: what is too much is no account’s share', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world, { token: wayward })
      await setBalance(world.escrow, usdc(20))
      const gained = await gains(world, [...team, client.address], () => world.settle(terms, charter, settlementOf(0b111n, true)), wayward)
      expect(gained).toEqual([usdc(1), usdc(2), usdc(3), usdc(4)])
      expect(await world.balance(world.escrow, wayward)).toBe(usdc(10))
    }))

  it('downwards: who comes first is paid, no account gets more than its terms, and the rest is credit for when it comes back', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world, { token: wayward })
      await setBalance(world.escrow, usdc(2.5))
      const gained = await gains(world, [...team, client.address], () => world.settle(terms, charter, settlementOf(0b111n, true)), wayward)
      expect(gained).toEqual([usdc(1), 0n, 0n, 0n])
      expect(await Promise.all([bob, carol, client].map((who) => credit(who.address)))).toEqual([usdc(2), usdc(3), usdc(4)])
      expect((await world.plan(terms)).status).toBe(2)
    }))
})

describe('attack 05: a token that answers wrongly', () => {
  it.each(['revert', 'false', 'garbage', 'bomb', 'lie'] as const)('%s, when a plan is funded: nothing is funded', (how) =>
    undone(world, async () => {
      const terms = await world.terms({ token: wayward })
      await answer(world.escrow, how)
      expect((await revertOf(world.fund(terms)))[0]).not.toBe('nothing reverted')
      expect(await world.plan(terms)).toEqual({ status: 0, remaining: 0n, codes: 0n, version: 0 })
    }),
  )

  it.each(['revert', 'false', 'garbage', 'bomb', 'burnGas'] as const)('%s, when one is paid: credited, and the others paid', (how) =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world, { token: wayward })
      await answer(bob.address, how)
      const gained = await gains(world, team, () => world.settle(terms, charter, settlementOf(0b111n)), wayward)
      expect(gained).toEqual([usdc(1), 0n, usdc(3)])
      expect(await credit(bob.address)).toBe(usdc(2))
      expect((await revertOf(world.withdrawCredit(bob, wayward, bob.address)))[0]).not.toBe('nothing reverted')
      expect(await credit(bob.address)).toBe(usdc(2))
      await expectSolvent(usdc(4))
    }),
  )

  it('nothing at all: that is a yes, as the first tokens gave it', () =>
    undone(world, async () => {
      await answer(world.escrow, 'nothing')
      await answer(alice.address, 'nothing')
      const { terms, charter } = await sealed(world, { token: wayward })
      const [gained] = await gains(world, [alice.address], () => world.settle(terms, charter, settlementOf(1n)), wayward)
      expect([gained, await credit(alice.address)]).toEqual([usdc(1), 0n])
    }))

  it('no code: not on the list at deployment, and credited when it goes away', () =>
    undone(world, async () => {
      const { bytecode } = escrowUnderTest()
      const five = Array.from({ length: 5 }, () => wayward)
      // Its like with a sound list is the escrow of all these tests.
      for (const list of [[stranger.address], [wayward, stranger.address], [], five]) {
        await expect(world.deploy(planEscrowAbi as Abi, bytecode, [list])).rejects.toThrow()
      }
      const { terms, charter } = await sealed(world, { token: wayward })
      await setCode(world, wayward, '0x')
      const { events } = await world.settle(terms, charter, settlementOf(0b1n, true))
      expect(events.map((event) => event.name)).toEqual(['StepsSettled', 'PlanClosed', 'Credited', 'Credited'])
      expect([await credit(alice.address), await credit(client.address)]).toEqual([usdc(1), usdc(9)])
    }))
})

describe('attack 06: a blocklist', () => {
  const blocked: Record<string, Address> = { 'the payer': client.address, 'a payee': alice.address, 'the fee’s taker': feeTo.address }
  const cases = Object.keys(blocked).flatMap((who) =>
    ['funded', 'sealed', 'handed in', 'paid in part', 'disputed', 'closing'].map((state) => [who, state] as const),
  )

  it.each(cases)('%s blocked while the plan is %s: everyone else gets out, and the credit waits', (who, state) =>
    undone(world, async () => {
      const make = statesOf(world)[state] as ReturnType<typeof statesOf>[string]
      const { terms, charter } = await make({ token: wayward, feeBps: 100 })
      await answer(blocked[who] as Address, 'revert')
      if (state === 'sealed') await world.settle(terms, charter, settlementOf(0b111n))
      if (state === 'closing') await rule(world, { terms, charter }, 0, 5000)
      await world.timeIs(terms.expiry)
      if ((await world.plan(terms)).status === 1) await refundAll(world, { terms, charter })
      expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
      await expectSolvent(0n)
      for (const owed of [alice, bob, carol, client, feeTo].filter((each) => each.address !== blocked[who])) {
        if ((await credit(owed.address)) > 0n) await world.withdrawCredit(owed, wayward, owed.address)
        expect(await credit(owed.address)).toBe(0n)
      }
    }),
  )

  it('of the escrow itself: nothing is moved in or out, and nothing is forgotten', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world, { token: wayward })
      await answer(world.escrow, 'revert')
      expect((await revertOf(world.fund(await world.terms({ token: wayward }))))[0]).not.toBe('nothing reverted')
      for (const who of [...team, client.address]) await answer(who, 'revert')
      await world.settle(terms, charter, settlementOf(0b111n, true))
      expect(await Promise.all([alice, bob, carol, client].map((who) => credit(who.address)))).toEqual([1, 2, 3, 4].map(usdc))
    }))

  it('a blocked payee sends its credit elsewhere, by its signature', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world, { token: wayward })
      await answer(alice.address, 'revert')
      await world.settle(terms, charter, settlementOf(1n))
      const words = { account: alice.address, token: wayward, to: stranger.address, nonce: 0n, deadline: 2n ** 48n }
      const signature = await world.signWithdrawal(words, alice)
      await world.call(relayer, 'withdrawCreditTo', [alice.address, wayward, stranger.address, words.deadline, signature])
      expect([await world.balance(stranger.address, wayward), await credit(alice.address)]).toEqual([usdc(1), 0n])
    }))
})

describe('attack 07: a token that is paused', () => {
  const pause = async (how: 'revert' | 'true') => {
    for (const who of [...team, client.address, feeTo.address, world.escrow]) await answer(who, how)
  }

  it.each(['funded', 'sealed', 'disputed', 'closing'])('while the plan is %s: ends as it would have, in credits', (state) =>
    undone(world, async () => {
      const make = statesOf(world)[state] as ReturnType<typeof statesOf>[string]
      const { terms, charter } = await make({ token: wayward })
      const before = await world.balance(world.escrow, wayward)
      await pause('revert')
      expect((await revertOf(world.fund(await world.terms({ token: wayward }))))[0]).not.toBe('nothing reverted')
      await world.timeIs(terms.expiry)
      await refundAll(world, { terms, charter })
      expect(await world.balance(world.escrow, wayward)).toBe(before)
      await expectSolvent(0n)
      await pause('true')
      for (const who of [alice, bob, carol, client]) {
        if ((await credit(who.address)) > 0n) await world.withdrawCredit(who, wayward, who.address)
      }
      expect(await world.balance(world.escrow, wayward)).toBe(0n)
    }),
  )

  it('no step is lost to it: silence pays into credits as well', () =>
    undone(world, async () => {
      const plan = await sealed(world, { ...full, token: wayward })
      await pause('revert')
      await world.timeIs(plan.terms.reviewBy)
      await onSilence(world, plan, 0b11n)
      expect([await credit(alice.address), await credit(bob.address)]).toEqual([usdc(1), usdc(2)])
    }))
})

describe('attack 28: a recipient that costs all gas', () => {
  it.each(['burnGas', 'bomb'] as const)('by %s: the others are paid in the same call, however many it is', (how) =>
    undone(world, async () => {
      const plan = await sealed(world, { ...full, token: wayward })
      await answer(alice.address, how)
      const gained = await gains(world, team, () => world.settle(plan.terms, plan.charter, settlementOf(0b110n)), wayward)
      expect(gained).toEqual([0n, usdc(2), usdc(3)])
      await split(world, plan, 0, 5000, alice)
      expect(await credit(alice.address)).toBe(usdc(0.5))
    }),
  )

  it('at the gas limit of the server: it stops the others of its plan, and no other plan of the batch', () =>
    undone(world, async () => {
      const [held, free] = [await sealed(world, { token: wayward }), await sealed(world)]
      await answer(alice.address, 'burnGas')
      const callFor = ({ terms, charter }: typeof held) => ({
        kind: 'settle' as const,
        terms,
        charter,
        version: 1,
        ...settlementOf(0b111n),
      })
      const site = { chainId: world.at.chainId, escrow: world.escrow, token: wayward, channels: null }
      const signers = { evaluator: createKeySigner('evaluator', developmentKey(2)), arbitrator: null }
      const send = async (call: EscrowCall, more = 0n) => {
        const { to, data, gas } = await encodeContractCall(site, signers, call)
        const sent = world.walletOf(relayer).sendTransaction({ to, data, gas: gas + more })
        return sent.then(async (hash) => (await world.reader.waitForTransactionReceipt({ hash })).status).catch(() => 'reverted')
      }
      expect(await send(callFor(held))).toBe('reverted')
      expect(await send({ kind: 'settleMany', settlements: [held, free].map(callFor) })).toBe('success')
      expect((await Promise.all([held, free].map(({ terms }) => world.plan(terms)))).map(({ codes }) => codes)).toEqual([0n, 0b010101n])
      expect(await send(callFor(held), 12_000_000n)).toBe('success')
      expect([await credit(alice.address), await world.balance(carol.address, wayward)]).toEqual([usdc(1), usdc(3)])
    }))

  it('a withdrawal to it fails and leaves the credit, and others withdraw', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world, { token: wayward, feeBps: 1000 })
      await answer(alice.address, 'burnGas')
      await world.settle(terms, charter, settlementOf(0b1n))
      const attempt = world.withdrawCredit(alice, wayward, alice.address)
      expect((await revertOf(attempt))[0]).not.toBe('nothing reverted')
      await world.withdrawCredit(feeTo, wayward, feeTo.address)
      expect([await credit(alice.address), await credit(feeTo.address)]).toEqual([usdc(1), 0n])
    }))
})
