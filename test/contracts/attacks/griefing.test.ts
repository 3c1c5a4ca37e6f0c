/**
 * Attacks on time and patience: 14 timeouts, 15 dust and crowds, 18 stuck money, 19 gifts, 20 paying twice, 24 a silent or
 * bribed evaluator, 26 deadlines to the second, 27 one bad payment among many.
 */
import { type Abi, numberToHex, toHex, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi, testUsdcAbi } from '../../../contracts/abi/index.ts'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, payee, revertOf, settlementOf, unsealed, usdc, type World } from '../world.ts'
import {
  dispute,
  disputed,
  full,
  gains,
  noReceipt,
  onSilence,
  type Plan,
  refundAll,
  rule,
  sealed,
  split,
  statesOf,
  undone,
} from './attack-fixture.ts'

const { alice, bob, carol, client, evaluator, feeTo, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const refusal = async (attempt: Promise<unknown>) => (await revertOf(attempt))[0]
/** What comes of each attempt when the block is of just this time. */
async function around(time: number, attempt: () => Promise<unknown>) {
  const outcomes: string[] = []
  for (const at of [time - 1, time, time + 1]) {
    await undone(world, async () => {
      await world.timeIs(at)
      outcomes.push(await refusal(attempt()))
    })
  }
  return outcomes
}
const done = 'nothing reverted'

describe('attack 14: letting the time run out on a party', () => {
  it('work handed in at the last second is paid, though no account speaks after it', () =>
    undone(world, async () => {
      const plan = await sealed(world, full)
      await world.timeIs(plan.terms.workBy - 1)
      await world.submit(plan.terms, plan.charter, 1n, alice)
      await world.timeIs(plan.terms.reviewBy)
      await world.call(stranger, 'settleOnSilence', [plan.terms, plan.charter, 1n, noReceipt])
      expect(await world.balance(alice.address)).toBe(usdc(1))
    }))

  it('terms leave ten minutes to review and ten to rule, or are refused', () =>
    undone(world, async () => {
      for (const needs of [{ onSilence: 1 }, { arbitrator: actors.arbitrator.address }]) {
        const terms = await world.terms(needs)
        const { workBy, reviewBy } = terms
        expect(await refusal(world.fund({ ...terms, reviewBy: workBy + 599 }))).toBe('WindowTooShort')
        expect(await refusal(world.fund({ ...terms, expiry: reviewBy + 599 }))).toBe('WindowTooShort')
        await world.fund({ ...terms, reviewBy: workBy + 600, expiry: workBy + 1200 })
      }
    }))

  it('a dispute opened at the last second keeps its money out of the silence, until it is ruled upon', () =>
    undone(world, async () => {
      const plan = await sealed(world, full)
      await world.timeIs(plan.terms.reviewBy - 2)
      await dispute(world, plan, 0)
      await world.timeIs(plan.terms.reviewBy)
      expect(await refusal(onSilence(world, plan, 1n))).toBe('StepNotPending')
      await rule(world, plan, 0, 0)
      expect(await world.balance(alice.address)).toBe(0n)
    }))

  it('a step is disputed once, and cannot be held up by disputing it again', () =>
    undone(world, async () => {
      const plan = await disputed(world)
      expect(await refusal(dispute(world, plan, 0, alice))).toBe('StepNotPending')
      await rule(world, plan, 0, 10_000)
      expect(await refusal(dispute(world, plan, 0))).toBe('StepNotPending')
    }))
})

describe('attack 15: dust and crowds', () => {
  it('64 payees that never held the token, a fee and 64 royalties cost less than three tenths of a block', () =>
    undone(world, async () => {
      const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(7000 + i), amount: 100_000n }))
      const royalties = steps.map((_, step) => ({ step, to: payee(7100 + step), bps: 5000 }))
      const { terms, charter } = await sealed(world, { feeBps: 1000 }, charterOf({ steps, royalties }))
      const { gas } = await world.settle(terms, charter, settlementOf(2n ** 64n - 1n, true))
      expect(Number(gas)).toBeLessThan(30_000_000 * 0.3)
      expect(await world.balance(payee(7063))).toBe(50_000n)
    }))

  it('64 payees that the token refuses cost no more than that either', () =>
    undone(world, async () => {
      const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(7200 + i), amount: 1n }))
      for (const { payee: who } of steps) await world.write(relayer, world.wayward, waywardTokenAbi as Abi, 'setAnswer', [who, 1])
      const { terms, charter } = await sealed(world, { token: world.wayward }, charterOf({ steps }))
      expect(Number((await world.settle(terms, charter, settlementOf(2n ** 64n - 1n))).gas)).toBeLessThan(30_000_000 * 0.3)
      expect(await world.credit(payee(7263), world.wayward)).toBe(1n)
    }))

  it('a 65th step, and a 65th royalty, are refused', () =>
    undone(world, async () => {
      const terms = await world.terms()
      await world.fund(terms)
      const step = { payee: alice.address, amount: 0n }
      const tooMany = charterOf({ steps: Array.from({ length: 65 }, () => step) })
      expect(await refusal(world.seal(terms, tooMany))).toBe('BadStepCount')
      const royal = charterOf({ royalties: Array.from({ length: 65 }, () => ({ step: 0, to: bob.address, bps: 0 })) })
      expect(await refusal(world.seal(terms, royal))).toBe('BadRoyalty')
    }))

  it('single units are paid, split, charged and refunded to the unit', () =>
    undone(world, async () => {
      const steps = Array.from({ length: 4 }, () => ({ payee: alice.address, amount: 1n }))
      const plan = await sealed(world, { ...full, total: 5n, feeBps: 1000 }, charterOf({ steps }))
      await world.settle(plan.terms, plan.charter, settlementOf(1n))
      await split(world, plan, 1, 9999, alice)
      const [back] = await gains(world, [client.address], () => world.settle(plan.terms, plan.charter, settlementOf(0b100n, true)))
      expect([await world.balance(alice.address), back, await world.credit(feeTo.address)]).toEqual([2n, 3n, 0n])
    }))
})

describe('attack 18: money that no account can get out', () => {
  const states = ['funded', 'sealed', 'handed in', 'paid in part', 'disputed', 'closing']
  const cases = states.flatMap((state) => [0, 1].map((silence) => [state, silence] as const))

  it.each(cases)('a plan that is %s, silence %s: one call by a stranger after the expiry empties it', (state, onSilenceIs) =>
    undone(world, async () => {
      const make = statesOf(world)[state] as ReturnType<typeof statesOf>[string]
      const plan = await make({ onSilence: onSilenceIs, feeBps: 250 })
      const owed = await world.credit(feeTo.address)
      await world.timeIs(plan.terms.expiry)
      await refundAll(world, plan)
      expect(await world.plan(plan.terms)).toMatchObject({ status: 2, remaining: 0n })
      const fees = (await world.credit(feeTo.address)) - owed
      expect(await world.balance(world.escrow)).toBe(owed + fees)
    }),
  )

  it('a direct hire by a charter that cannot be paid is refunded nevertheless', () =>
    undone(world, async () => {
      const terms = await world.terms({ ...full, charter: toHex(123, { size: 32 }) })
      await world.fund(terms)
      await world.timeIs(terms.expiry)
      const [back] = await gains(world, [client.address], () => world.refund(terms))
      expect(back).toBe(terms.total)
    }))
})

describe('attack 19: gifts, and ether by force', () => {
  it('change nothing, and are no account’s share', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world)
      await world.write(relayer, world.token, testUsdcAbi as Abi, 'mint', [world.escrow, usdc(100)])
      await world.connection.provider.request({ method: 'hardhat_setBalance', params: [world.escrow, numberToHex(10n ** 18n)] })
      const gained = await gains(world, [alice.address, client.address], () => world.settle(terms, charter, settlementOf(0b1n, true)))
      expect(gained).toEqual([usdc(1), usdc(9)])
      expect(await world.balance(world.escrow)).toBe(usdc(100))
      for (const who of [client, evaluator, relayer]) {
        expect(await refusal(world.withdrawCredit(who, world.token, who.address))).toBe('NothingToWithdraw')
      }
    }))

  it('no ether is taken by any call', async () => {
    const sent = world.connection.provider.request({
      method: 'eth_sendTransaction',
      params: [{ from: client.address, to: world.escrow, value: '0x1' }],
    })
    await expect(sent).rejects.toThrow()
  })

  it('what is received above the total in one funding cannot pay for another', () =>
    undone(world, async () => {
      await world.write(relayer, world.token, testUsdcAbi as Abi, 'mint', [world.escrow, usdc(100)])
      const terms = await world.terms({ total: usdc(2000) })
      expect(await refusal(world.fund(terms))).toBe('ERC20InsufficientBalance')
    }))
})

describe('attack 20: being paid twice', () => {
  const ends: Record<string, (plan: Plan) => Promise<unknown>> = {
    settle: ({ terms, charter }) => world.settle(terms, charter, settlementOf(1n)),
    release: ({ terms, charter }) => world.release(terms, charter, settlementOf(1n)),
    silence: (plan) => onSilence(world, plan, 1n),
    ruling: (plan) => rule(world, plan, 0, 10_000),
    offer: (plan) => split(world, plan, 0, 10_000, alice),
    refund: (plan) => refundAll(world, plan),
  }
  const pairs = Object.keys(ends).flatMap((first) => Object.keys(ends).map((second) => [first, second] as const))

  it.each(pairs)('by %s and then by %s: the second is refused', (first, second) =>
    undone(world, async () => {
      const plan = first === 'ruling' ? await disputed(world) : await sealed(world, full)
      await world.timeIs(first === 'refund' ? plan.terms.expiry : first === 'silence' ? plan.terms.reviewBy : plan.terms.workBy)
      await (ends[first] as (typeof ends)[string])(plan)
      const paid = await world.balance(alice.address)
      expect(paid).toBe(first === 'refund' ? 0n : usdc(1))
      if (second === 'refund' && first !== 'refund') {
        await world.timeIs(plan.terms.expiry)
        await refundAll(world, plan)
      } else {
        expect(await refusal((ends[second] as (typeof ends)[string])(plan))).not.toBe(done)
      }
      expect(await world.balance(alice.address)).toBe(paid)
      expect(await world.balance(world.escrow)).toBe((await world.plan(plan.terms)).remaining)
    }),
  )

  it('a plan cannot be funded again, even after it was closed', () =>
    undone(world, async () => {
      const terms = await world.terms()
      await world.fund(terms)
      expect(await refusal(world.fund(terms))).toBe('AlreadyFunded')
      await world.settle(terms, unsealed, settlementOf(0n, true))
      expect(await refusal(world.fund(terms))).toBe('AlreadyFunded')
    }))
})

describe('attack 24: an evaluator that is bribed or silent', () => {
  it('may not be client, payee, arbitrator or upstream of itself', () =>
    undone(world, async () => {
      expect(await refusal(world.fund(await world.terms({ evaluator: client.address })))).toBe('SelfDealing')
      expect(await refusal(world.fund(await world.terms({ arbitrator: evaluator.address, onSilence: 1 })))).toBe('SelfDealing')
      const terms = await world.terms()
      await world.fund(terms)
      const own = [{ payee: evaluator.address, amount: 1n }]
      expect(await refusal(world.seal(terms, charterOf({ steps: own })))).toBe('BadPayee')
      const upstream = [{ step: 0, to: evaluator.address, bps: 1 }]
      expect(await refusal(world.seal(terms, charterOf({ royalties: upstream })))).toBe('BadPayee')
    }))

  it.each([0, 1])('that never speaks: silence %s ends the plan, and every unit has its place', (onSilenceIs) =>
    undone(world, async () => {
      const plan = await sealed(world, { ...full, onSilence: onSilenceIs })
      await world.submit(plan.terms, plan.charter, 1n, alice)
      await world.timeIs(plan.terms.reviewBy)
      const silent = world.call(stranger, 'settleOnSilence', [plan.terms, plan.charter, 1n, noReceipt])
      expect(await refusal(silent)).toBe(onSilenceIs === 1 ? done : 'SilenceRefunds')
      await world.timeIs(plan.terms.expiry)
      const [back] = await gains(world, [client.address], () => refundAll(world, plan))
      expect([back, await world.balance(alice.address)]).toEqual(onSilenceIs === 1 ? [usdc(9), usdc(1)] : [usdc(10), 0n])
    }),
  )
})

describe('attack 26: deadlines, a second before, at, and after', () => {
  const when = async (plan: Plan, time: 'workBy' | 'reviewBy' | 'expiry', attempt: () => Promise<unknown>) =>
    around(plan.terms[time], attempt)

  it('workBy: the last second in which work is handed in', () =>
    undone(world, async () => {
      const plan = await sealed(world, full)
      // Only tried, in the very block, because a transaction is mined a second later.
      const args = [plan.terms, plan.charter, 1n, zeroHash, alice.address, '0x'] as const
      const submit = () =>
        world.reader.simulateContract({ account: alice, address: world.escrow, abi: planEscrowAbi, functionName: 'submit', args })
      expect(await when(plan, 'workBy', submit)).toEqual([done, done, 'TooLate'])
      const late = await world.terms({ workBy: plan.terms.workBy })
      expect(await when(plan, 'workBy', () => world.fund(late))).toEqual([expect.any(String), 'BadDeadlines', 'BadDeadlines'])
    }))

  it('reviewBy: disputes end as silence begins', () =>
    undone(world, async () => {
      const plan = await sealed(world, full)
      const [early, at, late] = await when(plan, 'reviewBy', () => onSilence(world, plan, 1n))
      expect([early, at, late]).toEqual(['TooEarly', done, done])
      const disputes = await when(plan, 'reviewBy', () => dispute(world, plan, 0))
      expect(disputes.slice(1)).toEqual(['TooLate', 'TooLate'])
    }))

  it('expiry: rulings and seals end as refunds begin', () =>
    undone(world, async () => {
      const plan = await disputed(world)
      const open = await sealed(world)
      expect(await when(open, 'expiry', () => world.refund(open.terms))).toEqual(['TooEarly', done, done])
      expect((await when(plan, 'expiry', () => rule(world, plan, 0, 1))).slice(1)).toEqual(['TooLate', 'TooLate'])
      expect((await when(open, 'expiry', () => world.seal(open.terms, charterOf({ version: 2 })))).slice(1)).toEqual(['TooLate', 'TooLate'])
      expect(await when(plan, 'expiry', () => refundAll(world, plan))).toEqual(['TooEarly', done, done])
    }))
})

describe('attack 27: one bad payment among many', () => {
  it('a refused payee stops no account in its own plan, and a failed settlement no account in a batch', () =>
    undone(world, async () => {
      const plans = [await sealed(world, { token: world.wayward }), await sealed(world, { token: world.wayward }), await sealed(world)]
      await world.write(relayer, world.wayward, waywardTokenAbi as Abi, 'setAnswer', [bob.address, 1])
      const settlements = await Promise.all(plans.map(({ terms, charter }) => world.settlement(terms, charter, settlementOf(0b111n))))
      const [first, second, third] = settlements as [(typeof settlements)[0], (typeof settlements)[0], (typeof settlements)[0]]
      const { events } = await world.call(relayer, 'settleMany', [world.batch('settle', [first, { ...second, signature: '0x' }, third])])
      expect(events.filter((event) => event.name === 'StepsSettled').length).toBe(2)
      expect(await world.balance(carol.address, world.wayward)).toBe(usdc(3))
      expect(await world.credit(bob.address, world.wayward)).toBe(usdc(2))
      expect((await world.plan(plans[1]?.terms ?? first.terms)).codes).toBe(0n)
    }))
})
