/**
 * seal, by whose word
 * ├── authorized, by the client or its authorizer: pays at once
 * │   └── reverts by any other account's signature, for another plan, version or charter
 * ├── proposed, by the evaluator
 * │   ├── reverts without a veto window, by another's signature, and where it would pay only after the expiry
 * │   ├── moves no money before its window ends, by any call; pays from then on
 * │   ├── an authorization of the same charter makes it pay at once, and asks no member again
 * │   └── replaces no authorized charter; another proposal starts a whole window
 * ├── an authorized charter replaces a proposal within its window, of any version, also after steps were submitted
 * └── a proposal whose window has passed binds as an authorized charter does
 * veto
 * ├── reverts for a stranger, another version, an authorized charter, and when the window has ended
 * └── voids the proposal, what was submitted under it, and every proposal after it
 * requestClose
 * ├── reverts for a stranger, with a charter in force, and the second time
 * ├── opens the refund a day later, or at the expiry if that is earlier
 * └── is ended by an authorized charter, and stops every proposal
 */
import { type Hex, type LocalAccount, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindCharter, closeNotice, type PlanTerms, planEscrowAbi } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode } from '../../contracts/abi/mocks.ts'
import { gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, carol, client, evaluator, feeTo: session, relayer, stranger } = actors
const window = 600

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const product = { arbitrator: actors.arbitrator.address, authorizer: session.address, vetoSeconds: window, onSilence: 3 }
async function funded(changes: Partial<PlanTerms> = {}): Promise<PlanTerms> {
  const terms = await world.terms({ ...product, ...changes })
  await world.fund(terms)
  return terms
}
async function proposed(charter = charterOf(), changes: Partial<PlanTerms> = {}): Promise<PlanTerms> {
  const terms = await funded(changes)
  await world.propose(terms, charter)
  return terms
}
const veto = (of: PlanTerms, version = 1, by: LocalAccount = client, signature: Hex = '0x') =>
  world.call(by, 'veto', [of, version, signature])
const requestClose = (of: PlanTerms, by: LocalAccount = client, signature: Hex = '0x') => world.call(by, 'requestClose', [of, signature])
const boundCharter = (of: PlanTerms) =>
  world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'charterOf', args: [world.planId(of)] })
const payableFrom = async (of: PlanTerms) => Number((await world.marks(of)).payableFrom)

describe('an authorized charter', () => {
  it.each([
    ['the client', client],
    ['its authorizer', session],
  ])('pays at once, when %s signed it', async (_, by) => {
    const terms = await funded()
    const { events } = await world.seal(terms, charterOf(), await world.signAuthorization(terms, charterOf(), by))
    expect(events).toMatchObject([{ name: 'PlanSealed', version: 1, payableFrom: 0 }])
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 1 })
    expect(await gains(world, [alice], () => world.settle(terms, charterOf(), settlementOf(1n)))).toEqual([usdc(1)])
  })

  it.each([
    ['the client', client],
    ['its authorizer', session],
  ])('needs no signature, when %s itself brings it', async (_, by) => {
    const terms = await funded()
    await world.call(by, 'seal', [await world.sealing(terms, charterOf(), '0x')])
    await world.settle(terms, charterOf(), settlementOf(1n))
  })

  it('reverts by the signature of any other account, or for another plan, version or charter', async () => {
    const [terms, other] = [await funded(), await funded()]
    const charter = charterOf()
    const attempts: Hex[] = [
      await world.signAuthorization(terms, charter, evaluator),
      await world.signAuthorization(terms, charter, alice),
      await world.signAuthorization(other, charter, session),
      await world.signAuthorization(terms, charterOf({ version: 2 }), session),
      await world.signAuthorization(terms, charterOf({ charterHash: hash(1) }), session),
      await world.signCharter(terms, charter, client),
      '0x',
    ]
    for (const signature of attempts)
      expect(await revertOf(world.seal(terms, charter, signature))).toEqual(['BadSignature', client.address])
  })

  it('knows no authorizer where the terms name none', async () => {
    const terms = await funded({ authorizer: zeroAddress })
    const signature = await world.signAuthorization(terms, charterOf(), session)
    expect(await revertOf(world.seal(terms, charterOf(), signature))).toEqual(['BadSignature', client.address])
    expect(await revertOf(world.seal(terms, charterOf(), `0x${'00'.repeat(65)}`))).toEqual(['BadSignature', client.address])
  })

  it('takes an authorizer as a key only', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [session.address])
    const terms = await funded({ authorizer: wallet })
    const signature = await world.signAuthorization(terms, charterOf(), session)
    expect(await revertOf(world.seal(terms, charterOf(), signature))).toEqual(['BadSignature', client.address])
  })
})

describe('a proposed charter', () => {
  it('reverts where the terms give no veto window, and by any account but the evaluator', async () => {
    const strict = await funded({ vetoSeconds: 0 })
    expect(await revertOf(world.propose(strict, charterOf()))).toEqual(['ProposalRefused', world.planId(strict)])
    const terms = await funded()
    for (const by of [alice, stranger, relayer, actors.arbitrator]) {
      const attempt = world.propose(terms, charterOf(), await world.signCharter(terms, charterOf(), by))
      expect(await revertOf(attempt)).toEqual(['BadSignature', evaluator.address])
    }
    const [a, b] = await world.membersOf(terms, charterOf())
    expect(await revertOf(world.propose(terms, charterOf(), undefined, [a, b] as never))).toEqual(['BadMemberCount', 2n, 3n])
    expect(await revertOf(world.propose(terms, charterOf({ version: 0 })))).toEqual(['StaleVersion', 0, 0])
  })

  it('reverts where it would pay only after the expiry', async () => {
    const terms = await funded({ vetoSeconds: 7200 })
    expect((await revertOf(world.propose(terms, charterOf())))[0]).toBe('TooLate')
  })

  it('moves no money before its window ends, by any call, and pays from then on', async () => {
    const terms = await proposed(charterOf(), { onSilence: 1 })
    const from = await payableFrom(terms)
    expect(await world.plan(terms)).toMatchObject({ version: 1, proposed: true })
    const charter = charterOf()
    await world.submit(terms, charter, 1n, alice)
    const receipt = { bits: 0n, outputsHash: zeroHash, receivedAt: 0, signature: '0x' as const }
    const attempts = async () => [
      await revertOf(world.settle(terms, charter, settlementOf(1n))),
      await revertOf(world.settle(terms, charter, settlementOf(0n, true))),
      await revertOf(world.release(terms, charter, settlementOf(1n))),
      await revertOf(world.call(stranger, 'settleOnSilence', [terms, charter, 1n, receipt])),
      await revertOf(world.call(client, 'dispute', [terms, charter, 0, zeroHash, client.address, '0x'])),
      await revertOf(world.call(actors.arbitrator, 'rule', [terms, charter, 0, 10_000, zeroHash, '0x'])),
      await revertOf(world.call(client, 'acceptOffer', [terms, charter, 0, 10_000, terms.expiry, '0x', '0x'])),
      await revertOf(world.call(stranger, 'closeExpired', [terms, charter])),
    ]
    for (const [name, , until] of await attempts()) expect([name, until]).toEqual(['TooEarly', BigInt(from)])
    await world.timeIs(from - 2)
    for (const [name, , until] of await attempts()) expect([name, until]).toEqual(['TooEarly', BigInt(from)])
    await world.timeIs(from)
    expect(await gains(world, [alice], () => world.settle(terms, charter, settlementOf(1n)))).toEqual([usdc(1)])
  })

  it('pays at once when the client side authorizes it after all, and asks no member again', async () => {
    const terms = await proposed()
    expect(await revertOf(world.propose(terms, charterOf()))).toEqual(['StaleVersion', 1, 1])
    const { events } = await world.seal(terms, charterOf(), await world.signAuthorization(terms, charterOf(), session), [])
    expect(events).toMatchObject([{ name: 'PlanSealed', version: 1, payableFrom: 0 }])
    expect(await revertOf(world.seal(terms, charterOf()))).toEqual(['StaleVersion', 1, 1])
    await world.settle(terms, charterOf(), settlementOf(1n))
  })

  it('replaces no authorized charter', async () => {
    const terms = await funded()
    await world.seal(terms, charterOf())
    expect(await revertOf(world.propose(terms, charterOf({ version: 2 })))).toEqual(['CharterAuthorized', 1])
  })

  it('starts a whole window, and replaces another proposal as members allow it', async () => {
    const terms = await proposed()
    const before = await payableFrom(terms)
    await world.timeIs(before - 100)
    await world.propose(terms, charterOf({ version: 2 }))
    expect(await payableFrom(terms)).toBeGreaterThanOrEqual(before - 100 + window)
    await world.submit(terms, charterOf({ version: 2 }), 1n, alice)
    expect(await revertOf(world.propose(terms, charterOf({ version: 3 })))).toEqual(['StepsHandedIn', 1n])
    const bound = await proposed(charterOf(), { onSilence: 1 })
    expect(await revertOf(world.propose(bound, charterOf({ version: 2 })))).toEqual(['CharterAgreed', 1])
  })

  it('gives way to an authorized charter within its window, of any version, also after steps were submitted', async () => {
    const attackerCharter = charterOf({ version: 2 ** 24 - 1, steps: [{ payee: stranger.address, amount: usdc(10) }] })
    const terms = await proposed(attackerCharter, { onSilence: 1 })
    await world.submit(terms, attackerCharter, 1n, stranger)
    await world.seal(terms, charterOf())
    expect(await world.marks(terms)).toMatchObject({ submitted: 0n })
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 1 })
    expect((await revertOf(world.settle(terms, attackerCharter, settlementOf(1n))))[0]).toBe('CharterMismatch')
    await world.settle(terms, charterOf(), settlementOf(1n))
  })

  it('binds when its window has passed: its members are asked, and what they submitted counts', async () => {
    const terms = await proposed(charterOf(), { onSilence: 1 })
    await world.timeIs(await payableFrom(terms))
    expect(await revertOf(veto(terms))).toMatchObject(['TooLate', expect.anything(), expect.anything()])
    expect(await revertOf(world.seal(terms, charterOf({ version: 2 })))).toEqual(['CharterAgreed', 1])
    await world.submit(terms, charterOf(), 1n, alice)
    const next = charterOf({ version: 2 })
    const resealing = await world.sealing(terms, next)
    expect(await revertOf(world.call(relayer, 'reseal', [resealing, charterOf()]))).toEqual(['StepsHandedIn', 1n])
  })
})

describe('veto', () => {
  it('reverts for any account but the client side, for another version, and over an authorized charter', async () => {
    const terms = await proposed()
    for (const by of [stranger, evaluator, alice, actors.arbitrator])
      expect(await revertOf(veto(terms, 1, by))).toEqual(['BadSignature', client.address])
    const signed = await world.signVeto(terms, 1, evaluator)
    expect(await revertOf(veto(terms, 1, relayer, signed))).toEqual(['BadSignature', client.address])
    expect(await revertOf(veto(terms, 2))).toEqual(['StaleVersion', 2, 1])
    await world.seal(terms, charterOf(), undefined, [])
    expect(await revertOf(veto(terms))).toEqual(['CharterAuthorized', 1])
    const bare = await funded()
    expect(await revertOf(veto(bare, 0))).toEqual(['StaleVersion', 0, 0])
  })

  it.each([
    ['the client calls', client, null],
    ['its authorizer calls', session, null],
    ['the client signs', relayer, client],
    ['its authorizer signs', relayer, session],
  ])('voids the proposal and every one after it, when %s', async (_, by, signer) => {
    const terms = await proposed()
    await world.submit(terms, charterOf(), 1n, alice)
    const { events } = await veto(terms, 1, by, signer ? await world.signVeto(terms, 1, signer) : '0x')
    expect(events).toEqual([{ name: 'CharterVetoed', planId: world.planId(terms), version: 1 }])
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 1, vetoed: true })
    expect(await world.marks(terms)).toEqual({ submitted: 0n, disputedByPayee: 0n, payableFrom: 0, closableFrom: 0 })
    expect(await boundCharter(terms)).toBe(zeroHash)
    expect(await revertOf(world.settle(terms, charterOf(), settlementOf(1n)))).toEqual(['NotSealed', world.planId(terms)])
    expect(await revertOf(world.propose(terms, charterOf({ version: 2 })))).toEqual(['ProposalRefused', world.planId(terms)])
    await world.seal(terms, charterOf())
    expect(await boundCharter(terms)).toBe(bindCharter(charterOf()))
  })

  it('leaves the money where it is, for the evaluator to void or the client to ask back', async () => {
    const terms = await proposed()
    await veto(terms)
    expect(await revertOf(world.release(terms, unsealed, settlementOf(0n, true)))).toEqual(['NotSealed', world.planId(terms)])
    const settlement = settlementOf(0n, true)
    const overIt = await world.signSettlement(terms, charterOf(), settlement)
    expect((await revertOf(world.settle(terms, unsealed, settlement, overIt)))[0]).toBe('BadSignature')
    const signature = await world.signSettlement(terms, unsealed, settlement)
    expect(await gains(world, [client], () => world.settle(terms, unsealed, settlement, signature))).toEqual([usdc(10)])
  })
})

describe('requestClose', () => {
  it('reverts for any account but the client side, with a charter in force, and the second time', async () => {
    const terms = await funded()
    for (const by of [stranger, evaluator, alice]) expect(await revertOf(requestClose(terms, by))).toEqual(['BadSignature', client.address])
    const signed = await world.signCloseRequest(terms, 1, client)
    expect(await revertOf(requestClose(terms, relayer, signed))).toEqual(['BadSignature', client.address])
    await requestClose(terms, relayer, await world.signCloseRequest(terms, 0, session))
    expect(await revertOf(requestClose(terms))).toEqual(['CloseAlreadyRequested', world.planId(terms)])
    for (const held of [await proposed(), await funded({ charter: bindCharter(charterOf()) })])
      expect((await revertOf(requestClose(held)))[0]).toBe('CharterAgreed')
  })

  it('opens the refund a day later', async () => {
    await using later = await createWorld()
    const terms = await later.terms({ workBy: (await later.now()) + 10 * 86_400, reviewBy: (await later.now()) + 11 * 86_400 })
    const long = { ...terms, expiry: terms.reviewBy + 86_400 }
    await later.fund(long)
    const { events } = await later.call(client, 'requestClose', [long, '0x'])
    const from = (await later.now()) + closeNotice
    expect(events).toEqual([{ name: 'CloseRequested', planId: later.planId(long), closableFrom: from }])
    expect(await later.plan(long)).toMatchObject({ closeRequested: true })
    await later.timeIs(from - 2)
    expect((await revertOf(later.refund(long)))[0]).toBe('TooEarly')
    await later.timeIs(from)
    expect(await gains(later, [client], () => later.refund(long))).toEqual([usdc(10)])
  })

  it('waits for no longer than the expiry', async () => {
    await using later = await createWorld()
    const terms = await later.terms()
    await later.fund(terms)
    await later.call(client, 'requestClose', [terms, '0x'])
    await later.timeIs(terms.expiry)
    await later.refund(terms)
  })

  it('is ended by an authorized charter, and stops every proposal', async () => {
    const terms = await funded()
    await requestClose(terms)
    expect(await revertOf(world.propose(terms, charterOf()))).toEqual(['ProposalRefused', world.planId(terms)])
    await world.seal(terms, charterOf())
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 1 })
    await world.timeIs(Math.max(Number((await world.marks(terms)).closableFrom) - closeNotice + 1000, (await world.now()) + 1))
    expect((await revertOf(world.refund(terms)))[0]).toBe('TooEarly')
    expect(await gains(world, [bob], () => world.settle(terms, charterOf(), settlementOf(0b10n)))).toEqual([usdc(2)])
  })
})

describe('a batch of proposals and authorizations', () => {
  it('is none: members that signed one charter signed no other', async () => {
    const terms = await funded()
    const members = await world.membersOf(terms, charterOf())
    const other = charterOf({ steps: [{ payee: carol.address, amount: usdc(6) }, ...charterOf().steps.slice(0, 2)] })
    expect((await revertOf(world.seal(terms, other, undefined, members)))[0]).toBe('NotSigner')
  })
})
