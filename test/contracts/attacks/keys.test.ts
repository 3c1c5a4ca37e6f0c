/**
 * Attacks with one stolen key, under the terms that the server writes. In them silence pays, silent members are replaced, an arbitrator and
 * a session key are named, and proposals wait for a veto window.
 */
import { encodeFunctionData, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlanTerms, planEscrowAbi } from '../../../contracts/abi/index.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, usdc, type World } from '../world.ts'
import { dispute, gains, onSilence, undone } from './attack-fixture.ts'

const { alice, arbitrator, bob, carol, client, evaluator, feeTo: session, relayer, stranger: attacker } = actors
const window = 600

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const asServer = { arbitrator: arbitrator.address, authorizer: session.address, vetoSeconds: window, onSilence: 3 }
const funded = async (changes: Partial<PlanTerms> = {}) => {
  const terms = await world.terms({ ...asServer, ...changes })
  await world.fund(terms)
  return terms
}
const sealed = async (changes: Partial<PlanTerms> = {}) => {
  const terms = await funded(changes)
  await world.seal(terms, charterOf())
  return terms
}
/** The attacker as the whole team. */
const loot = (version: number) => charterOf({ version, steps: [{ payee: attacker.address, amount: usdc(10) }] })

describe("the evaluator's key", () => {
  it('cannot make itself a payee and be paid before the veto ends, nor afterwards if the client vetoes', () =>
    undone(world, async () => {
      const terms = await funded()
      const attempt = world.seal(terms, loot(1), await world.signAuthorization(terms, loot(1), evaluator))
      expect(await revertOf(attempt)).toEqual(['BadSignature', client.address])
      await world.propose(terms, loot(1))
      const took = await gains(world, [attacker.address], async () => {
        for (const settlement of [settlementOf(1n), settlementOf(1n, true)])
          expect((await revertOf(world.settle(terms, loot(1), settlement)))[0]).toBe('TooEarly')
        await world.call(session, 'veto', [terms, 1, '0x'])
        await world.timeIs((await world.now()) + window)
        expect((await revertOf(world.settle(terms, loot(1), settlementOf(1n))))[0]).toBe('NotSealed')
        expect((await revertOf(world.propose(terms, loot(2))))[0]).toBe('ProposalRefused')
      })
      expect(took).toEqual([0n])
    }))

  it('cannot replace a charter that the client authorized, with its own members or with no account', () =>
    undone(world, async () => {
      const terms = await sealed()
      expect(await revertOf(world.propose(terms, loot(2)))).toEqual(['CharterAuthorized', 1])
      const signed = await world.signAuthorization(terms, loot(2), evaluator)
      expect(await revertOf(world.seal(terms, loot(2), signed))).toEqual(['BadSignature', client.address])
      expect(await gains(world, [alice.address], () => world.settle(terms, charterOf(), settlementOf(1n)))).toEqual([usdc(1)])
    }))

  it('takes nothing out of forty plans at once', () =>
    undone(world, async () => {
      const plans: PlanTerms[] = []
      for (let i = 0; i < 40; i++) plans.push(await world.terms(asServer))
      await world.call(client, 'fundMany', [plans])
      const batch = await Promise.all(
        plans.map(async (terms) => ({
          ...(await world.sealedSettlement(terms, loot(1), settlementOf(1n, true))),
          sealing: await world.sealing(terms, loot(1), await world.signAuthorization(terms, loot(1), evaluator)),
        })),
      )
      const took = await gains(world, [attacker.address], () =>
        world.call(evaluator, 'sealAndSettleMany', [world.batch('sealAndSettle', batch, 200_000n)]),
      )
      expect(took).toEqual([0n])
      for (const terms of plans) expect((await world.plan(terms)).remaining).toBe(usdc(10))
    }))

  it('cannot keep an authorized charter away by a proposal that uses up its version', () =>
    undone(world, async () => {
      const terms = await funded()
      await world.propose(terms, loot(2 ** 24 - 1))
      await world.submit(terms, loot(2 ** 24 - 1), 1n, attacker)
      await world.sealAndSettle(terms, charterOf(), settlementOf(0b111n, true))
      expect(await world.plan(terms)).toMatchObject({ status: 2 })
    }))

  it('closes over no submitted work: it is disputed, released or paid by silence nevertheless', () =>
    undone(world, async () => {
      const terms = await sealed()
      for (const [i, who] of [alice, bob, carol].entries()) await world.submit(terms, charterOf(), 1n << BigInt(i), who)
      const back = await gains(world, [client.address], () => world.settle(terms, charterOf(), settlementOf(0n, true)))
      expect(back).toEqual([terms.total - usdc(6)])
      expect(await world.plan(terms)).toMatchObject({ status: 1, closing: true, remaining: usdc(6) })
      await dispute(world, { terms, charter: charterOf() }, 0, alice)
      await world.release(terms, charterOf(), settlementOf(0b10n))
      await world.timeIs(terms.reviewBy)
      const paid = await gains(world, [carol.address], () => onSilence(world, { terms, charter: charterOf() }, 0b100n))
      expect(paid).toEqual([usdc(3)])
      const ruled = () => world.call(arbitrator, 'rule', [terms, charterOf(), 0, 5000, zeroHash, '0x'])
      expect(await gains(world, [alice.address, client.address], ruled)).toEqual([usdc(0.5), usdc(0.5)])
      expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
    }))

  it('ends submitted work only when its review is over, where silence refunds', () =>
    undone(world, async () => {
      const terms = await sealed({ onSilence: 0 })
      await world.submit(terms, charterOf(), 1n, alice)
      await world.settle(terms, charterOf(), settlementOf(0n, true))
      await world.settle(terms, charterOf(), settlementOf(0n, true))
      expect(await world.plan(terms)).toMatchObject({ status: 1, closing: true, remaining: usdc(1) })
      await world.timeIs(terms.reviewBy)
      expect(await gains(world, [client.address], () => world.settle(terms, charterOf(), settlementOf(0n, true)))).toEqual([usdc(1)])
      expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
    }))
})

describe('the expiry', () => {
  it('beats no work that was submitted in time, regardless of who calls first', () =>
    undone(world, async () => {
      const terms = await sealed()
      await world.submit(terms, charterOf(), 0b1n, alice)
      await world.timeIs(terms.expiry)
      for (const by of [client, attacker, evaluator]) expect(await revertOf(world.refund(terms, by))).toEqual(['StepsOwed', 1n])
      const closing = () => world.call(attacker, 'closeExpired', [terms, charterOf()])
      expect(await gains(world, [alice.address, bob.address, client.address], closing)).toEqual([usdc(1), 0n, usdc(9)])
      expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
    }))

  it('refunds submitted work where silence refunds', () =>
    undone(world, async () => {
      const terms = await sealed({ onSilence: 0 })
      await world.submit(terms, charterOf(), 0b1n, alice)
      await world.timeIs(terms.expiry)
      expect(await gains(world, [client.address], () => world.refund(terms))).toEqual([usdc(10)])
    }))

  it('is at most a year away, so that no money is held for longer', () =>
    undone(world, async () => {
      const time = await world.now()
      const far = await world.terms({ expiry: time + 365 * 86_400 + 60 })
      expect((await revertOf(world.fund(far)))[0]).toBe('BadDeadlines')
      await world.fund(await world.terms({ expiry: time + 365 * 86_400 - 60 }))
    }))
})

describe("the client's key", () => {
  it('cannot take the money back in the day in which an authorized charter can be brought', () =>
    undone(world, async () => {
      const terms = await funded()
      await world.call(client, 'requestClose', [terms, '0x'])
      expect((await revertOf(world.refund(terms, client)))[0]).toBe('TooEarly')
      const paid = await gains(world, [alice.address], () => world.sealAndSettle(terms, charterOf(), settlementOf(1n)))
      expect(paid).toEqual([usdc(1)])
      expect(await revertOf(world.release(terms, charterOf(), settlementOf(0n, true)))).toEqual(['StepsOwed', 0b110n])
    }))
})

describe("the authorizer's key", () => {
  it('pays no account without the evaluator, and is neither evaluator nor arbitrator', () =>
    undone(world, async () => {
      const terms = await funded()
      await world.seal(terms, loot(1), await world.signAuthorization(terms, loot(1), session))
      for (const attempt of [
        world.call(session, 'settle', [{ terms, charter: loot(1), ...settlementOf(1n), signature: '0x' }]),
        world.call(session, 'release', [{ terms, charter: loot(1), ...settlementOf(1n), signature: '0x' }]),
        world.call(session, 'acceptOffer', [terms, loot(1), 0, 10_000, terms.expiry, '0x', '0x']),
      ])
        expect((await revertOf(attempt))[0]).toBe('BadSignature')
      for (const authorizer of [evaluator.address, arbitrator.address])
        expect(await revertOf(world.fund(await world.terms({ ...asServer, authorizer })))).toEqual(['SelfDealing', authorizer])
    }))
})

describe("a relayer's key", () => {
  it('cannot make a batch fail silently, or be paid into credits, by bringing little gas', () =>
    undone(world, async () => {
      const terms = await funded()
      const one = await world.sealedSettlement(terms, charterOf(), settlementOf(0b111n, true))
      const data = encodeFunctionData({
        abi: planEscrowAbi,
        functionName: 'sealAndSettleMany',
        args: [world.batch('sealAndSettle', [one], 60_000n)],
      })
      const hash = await world.walletOf(relayer).sendTransaction({ to: world.escrow, data, gas: 1_000_000n })
      expect((await world.reader.waitForTransactionReceipt({ hash })).status).toBe('success')
      expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 0 })
    }))
})
