/**
 * seal with the members' signatures, reseal, setSigner
 * ├── seal
 * │   ├── reverts when a member did not sign exactly this, or an account signs that is no member's signer
 * │   ├── reverts when there is a signature too few or too many
 * │   ├── takes each payee once: its own, its allowed signer's, the evaluator's, a contract wallet's, one that is not deployed yet
 * │   ├── is refused over an agreed charter, and for a direct hire
 * │   └── where a silent member may be replaced
 * │       ├── replaces an agreed charter by the word of the new payees alone
 * │       ├── reverts without one of theirs, or with none at all, or for a version that is not higher
 * │       └── reverts once a step was handed in on chain, disputed, paid or split
 * ├── reseal
 * │   ├── reverts without the signature of those who are replaced, and of those who come; the evaluator's is not that of who leaves
 * │   └── replaces the agreed charter with both
 * └── setSigner, by call and by signature: once, in time, by the account itself
 */
import { concat, encodeAbiParameters, encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindCharter, type PlanTerms, planEscrowAbi, silenceFlags } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, testWalletFactoryAbi, testWalletFactoryBytecode } from '../../contracts/abi/mocks.ts'
import {
  actors,
  type Charter,
  charterOf,
  createWorld,
  hash,
  hiredFor,
  revertOf,
  settlementOf,
  unsealed,
  usdc,
  type World,
} from './world.ts'

const { alice, bob, carol, client, evaluator, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const funded = async (changes: Partial<PlanTerms> = {}) => {
  const terms = await world.terms(changes)
  await world.fund(terms)
  return terms
}
const words = (of: PlanTerms, charter: Charter, ...members: LocalAccount[]) =>
  Promise.all(members.map(async (by) => ({ signer: by.address, signature: await world.signCharter(of, charter, by) })))
const agree = async (of: PlanTerms, charter: Charter, ...members: LocalAccount[]) =>
  world.seal(of, charter, undefined, await words(of, charter, ...members))
const reseal = async (of: PlanTerms, charter: Charter, replaced: Charter, ...members: LocalAccount[]) =>
  world.call(relayer, 'reseal', [await world.sealing(of, charter, undefined, await words(of, charter, ...members)), replaced])

describe('seal, with the members', () => {
  it('reverts when a member did not sign exactly this', async () => {
    const terms = await funded()
    const charter = charterOf()
    const other = charterOf({ steps: [{ payee: alice.address, amount: usdc(2) }, ...charter.steps.slice(1)] })
    const [a, b, c] = await words(terms, charter, alice, bob, carol)
    const [wrong] = await words(terms, other, bob)
    const attempt = (...members: unknown[]) => revertOf(world.seal(terms, charter, undefined, members as never))
    expect(await attempt(a, wrong, c)).toEqual(['BadSignature', bob.address])
    expect(await attempt(a, c, b)).toEqual(['NotSigner', carol.address, bob.address])
    expect(await attempt(a, { signer: bob.address, signature: a?.signature }, c)).toEqual(['BadSignature', bob.address])
    const [by] = await words(terms, charter, stranger)
    expect(await attempt(a, by, c)).toEqual(['NotSigner', stranger.address, bob.address])
  })

  it('reverts when there is a signature too few or too many', async () => {
    const terms = await funded()
    expect(await revertOf(agree(terms, charterOf(), alice, bob))).toEqual(['BadMemberCount', 2n, 3n])
    expect(await revertOf(agree(terms, charterOf(), alice, bob, carol, carol))).toEqual(['BadMemberCount', 4n, 3n])
  })

  it('reverts without the client, regardless of who else signed', async () => {
    const terms = await funded()
    const members = await words(terms, charterOf(), alice, bob, carol)
    const attempt = world.seal(terms, charterOf(), await world.signAuthorization(terms, charterOf(), evaluator), members)
    expect(await revertOf(attempt)).toEqual(['BadSignature', client.address])
  })

  it('reverts without any member, also for a proposal', async () => {
    const terms = await funded({ vetoSeconds: 600 })
    expect(await revertOf(world.seal(terms, charterOf(), undefined, []))).toEqual(['BadMemberCount', 0n, 1n])
    expect(await revertOf(world.propose(terms, charterOf(), undefined, []))).toEqual(['BadMemberCount', 0n, 1n])
  })

  it('asks each payee once, in order of first appearance', async () => {
    const terms = await funded()
    const by = (who: LocalAccount) => ({ payee: who.address, amount: usdc(1) })
    const charter = charterOf({ steps: [by(bob), by(alice), by(bob), by(carol), by(alice)] })
    const { events } = await agree(terms, charter, bob, alice, carol)
    expect(events[0]).toMatchObject({ name: 'PlanSealed', version: 1 })
    expect(await world.plan(terms)).toMatchObject({ version: 1, remaining: usdc(10) })
  })

  it("takes a payee's allowed signer, until it is taken back", async () => {
    const terms = await funded()
    await world.call(bob, 'setSigner', [stranger.address, true])
    await agree(terms, charterOf(), alice, stranger, carol)
    await world.call(bob, 'setSigner', [stranger.address, false])
    const other = await funded()
    expect(await revertOf(agree(other, charterOf(), alice, stranger, carol))).toEqual(['NotSigner', stranger.address, bob.address])
  })

  it('takes an empty signature of a payee that joins without a key, beside those that sign', async () => {
    const bare = (who: LocalAccount) => ({ signer: who.address, signature: '0x' as const })
    const terms = await funded()
    const [signed] = await words(terms, charterOf(), alice)
    if (!signed) throw new Error('nobody signed')
    await world.seal(terms, charterOf(), undefined, [signed, bare(bob), bare(carol)])
    const other = await funded({ vetoSeconds: 600 })
    await world.propose(other, charterOf(), undefined, [alice, bob, carol].map(bare))
  })

  it('reverts without the evaluator, though client and members signed: no client replaces a team at work by its own people', async () => {
    const terms = await funded({ onSilence: 2 })
    const unattested = async (of: PlanTerms, charter: Charter, by: LocalAccount) => ({
      ...(await world.sealing(of, charter)),
      evaluatorSignature: await world.signCharter(of, charter, by),
    })
    for (const by of [client, alice, stranger])
      expect(await revertOf(world.call(relayer, 'seal', [await unattested(terms, charterOf(), by)]))).toEqual([
        'BadSignature',
        evaluator.address,
      ])
    const none = { ...(await world.sealing(terms, charterOf())), evaluatorSignature: '0x' as const }
    expect(await revertOf(world.call(relayer, 'seal', [none]))).toEqual(['BadSignature', evaluator.address])
    await world.seal(terms, charterOf())
    const own = charterOf({ version: 2, steps: [{ payee: stranger.address, amount: usdc(6) }] })
    expect(await revertOf(world.call(client, 'seal', [await unattested(terms, own, client)]))).toEqual(['BadSignature', evaluator.address])
    const replacing = await unattested(terms, own, client)
    expect(await revertOf(world.call(client, 'reseal', [replacing, charterOf()]))).toEqual(['BadSignature', evaluator.address])
  })

  it('takes a contract wallet, and one that is not deployed yet, which it deploys', async () => {
    const factory = await world.deploy(testWalletFactoryAbi, testWalletFactoryBytecode)
    const ask = { address: factory, abi: testWalletFactoryAbi, functionName: 'walletOf', args: [bob.address] } as const
    const predicted = await world.reader.readContract(ask)
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [alice.address])
    const steps = [wallet, predicted].map((payee) => ({ payee, amount: usdc(1) }))
    const terms = await funded()
    const charter = charterOf({ steps })
    const wrap = (inner: Hex, calls = encodeFunctionData({ abi: testWalletFactoryAbi, functionName: 'deploy', args: [bob.address] })) =>
      concat([
        encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [factory, calls, inner]),
        `0x${'6492'.repeat(16)}`,
      ])
    const sign = (by: LocalAccount) => world.signCharter(terms, charter, by)
    const members = async (signature: Hex) => [
      { signer: wallet, signature: await sign(alice) },
      { signer: predicted, signature },
    ]
    const attempt = async (signature: Hex) => revertOf(world.seal(terms, charter, undefined, await members(signature)))
    expect(await attempt(await sign(bob))).toEqual(['BadSignature', predicted])
    expect(await attempt(wrap(await sign(stranger)))).toEqual(['BadSignature', predicted])
    expect(await attempt(wrap(await sign(bob), '0x'))).toEqual(['BadSignature', predicted])
    expect(await world.reader.getCode({ address: predicted })).toBeUndefined()

    await world.seal(terms, charter, undefined, await members(wrap(await sign(bob))))
    expect(await world.reader.getCode({ address: predicted })).not.toBeUndefined()
    expect((await world.plan(terms)).version).toBe(1)

    const again = { ...charter, version: 2 }
    const [first, second] = [await world.signCharter(terms, again, alice), await world.signCharter(terms, again, bob)]
    const resealing = await world.sealing(terms, again, undefined, [
      { signer: wallet, signature: first },
      { signer: predicted, signature: wrap(second) },
    ])
    await world.call(relayer, 'reseal', [resealing, charter])
    expect((await world.plan(terms)).version).toBe(2)
  })

  it('makes no call of its own for an ERC-6492 signature: a factory call in the name of the escrow moves nothing', async () => {
    const terms = await funded()
    const charter = charterOf({ steps: [{ payee: stranger.address, amount: usdc(1) }] })
    const steal = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'transfer',
          inputs: [{ type: 'address' }, { type: 'uint256' }],
          outputs: [],
          stateMutability: 'nonpayable',
        },
      ],
      functionName: 'transfer',
      args: [stranger.address, usdc(1)],
    })
    const inner = await world.signCharter(terms, charter, stranger)
    const wrapped = concat([
      encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [world.token, steal, inner]),
      `0x${'6492'.repeat(16)}`,
    ])
    const before = await world.balance(stranger.address)
    await world.seal(terms, charter, undefined, [{ signer: stranger.address, signature: wrapped }])
    expect(await world.balance(stranger.address)).toBe(before)
  })

  it('is refused over an agreed charter, with or without members', async () => {
    const terms = await funded()
    await agree(terms, charterOf(), alice, bob, carol)
    const next = charterOf({ version: 2 })
    expect(await revertOf(world.seal(terms, next))).toEqual(['CharterAgreed', 1])
    expect(await revertOf(agree(terms, next, alice, bob, carol))).toEqual(['CharterAgreed', 1])
  })

  it('is refused for a direct hire', async () => {
    const terms = await funded(hiredFor(charterOf()))
    expect(await revertOf(world.seal(terms, charterOf()))).toEqual(['CharterFixed', bindCharter(charterOf())])
  })
})

describe('seal, where a silent member may be replaced', () => {
  const { pays, replacesMembers: replaces } = silenceFlags
  const without = charterOf({ version: 2, steps: [alice, stranger, carol].map((who) => ({ payee: who.address, amount: usdc(2) })) })

  async function agreed(changes: Partial<PlanTerms> = {}) {
    const terms = await funded({ onSilence: replaces, ...changes })
    await agree(terms, charterOf(), alice, bob, carol)
    return terms
  }

  it.each([replaces, pays | replaces])('replaces an agreed charter without the signature of who leaves (%i)', async (onSilence) => {
    const terms = await agreed({ onSilence })
    const { events } = await agree(terms, without, alice, stranger, carol)
    expect(events[0]).toMatchObject({ name: 'PlanSealed', version: 2 })
    expect(await world.plan(terms)).toMatchObject({ version: 2 })
    expect((await revertOf(world.settle(terms, charterOf(), settlementOf(0b1n))))[0]).toBe('CharterMismatch')
    await world.settle(terms, without, settlementOf(0b111n, true))
  })

  it('does not where the terms do not allow it', async () => {
    const terms = await agreed({ onSilence: pays })
    expect(await revertOf(agree(terms, without, alice, stranger, carol))).toEqual(['CharterAgreed', 1])
  })

  it('reverts without the signature of each who is paid by the new one', async () => {
    const terms = await agreed()
    expect(await revertOf(world.seal(terms, without, undefined, []))).toEqual(['BadMemberCount', 0n, 1n])
    expect(await revertOf(agree(terms, without, alice, stranger))).toEqual(['BadMemberCount', 2n, 3n])
    expect(await revertOf(agree(terms, without, alice, bob, carol))).toEqual(['NotSigner', bob.address, stranger.address])
    expect(await revertOf(agree(terms, without, alice, stranger, carol, bob))).toEqual(['BadMemberCount', 4n, 3n])
    const [a, , c] = await words(terms, without, alice, bob, carol)
    const [wrong] = await words(terms, { ...without, version: 3 }, stranger)
    const attempt = world.seal(terms, without, undefined, [a, wrong, c] as never)
    expect(await revertOf(attempt)).toEqual(['BadSignature', stranger.address])
    expect(await world.plan(terms)).toMatchObject({ version: 1 })
  })

  it('reverts without the client', async () => {
    const terms = await agreed()
    const members = await words(terms, without, alice, stranger, carol)
    const attempt = world.seal(terms, without, await world.signAuthorization(terms, without, evaluator), members)
    expect(await revertOf(attempt)).toEqual(['BadSignature', client.address])
  })

  it('reverts for a version that is not higher, also where the charter is the same', async () => {
    const terms = await agreed()
    expect(await revertOf(agree(terms, { ...without, version: 1 }, alice, stranger, carol))).toEqual(['StaleVersion', 1, 1])
    expect(await revertOf(agree(terms, charterOf(), alice, bob, carol))).toEqual(['StaleVersion', 1, 1])
  })

  it.each([
    ['handed in on chain', ['StepsHandedIn', 0b10n], (of: PlanTerms) => world.submit(of, charterOf(), 0b10n, bob)],
    [
      'disputed',
      ['StepsTouched', 0b1100n],
      (of: PlanTerms) => world.call(bob, 'dispute', [of, charterOf(), 1, hash(1), bob.address, '0x']),
    ],
    ['paid', ['StepsTouched', 0b0100n], (of: PlanTerms) => world.settle(of, charterOf(), settlementOf(0b10n))],
    [
      'given up',
      ['StepsTouched', 0b1000n],
      (of: PlanTerms) => world.call(bob, 'acceptOffer', [of, charterOf(), 1, 0, of.expiry, '0x', '0x']),
    ],
  ] as const)('reverts once a step was %s', async (_, expected, touch) => {
    const terms = await agreed({ arbitrator: actors.arbitrator.address })
    await touch(terms)
    expect(await revertOf(agree(terms, without, alice, stranger, carol))).toEqual(expected)
    expect(await world.plan(terms)).toMatchObject({ version: 1 })
  })

  it('leaves reseal as it is', async () => {
    const terms = await agreed()
    expect(await revertOf(reseal(terms, without, charterOf(), alice, stranger, carol))).toEqual(['BadMemberCount', 3n, 4n])
    await reseal(terms, without, charterOf(), alice, stranger, carol, bob)
    expect(await world.plan(terms)).toMatchObject({ version: 2 })
  })
})

describe('reseal', () => {
  const next = charterOf({ version: 2, steps: [alice, stranger].map((who) => ({ payee: who.address, amount: usdc(2) })) })

  it('reverts without the signature of those who are replaced, and of those who come', async () => {
    const terms = await funded()
    await agree(terms, charterOf(), alice, bob, carol)
    expect(await revertOf(reseal(terms, next, charterOf()))).toEqual(['BadMemberCount', 0n, 1n])
    expect(await revertOf(reseal(terms, next, charterOf(), alice, stranger))).toEqual(['BadMemberCount', 2n, 3n])
    expect(await revertOf(reseal(terms, next, charterOf(), alice, stranger, bob))).toEqual(['BadMemberCount', 3n, 4n])
    expect(await revertOf(reseal(terms, next, charterOf(), alice, bob, carol))).toEqual(['NotSigner', bob.address, stranger.address])
    expect((await revertOf(reseal(terms, next, next, alice, stranger)))[0]).toBe('CharterMismatch')
    expect(await revertOf(reseal(terms, { ...next, version: 1 }, charterOf(), alice, stranger, bob, carol))).toEqual(['StaleVersion', 1, 1])
  })

  it('replaces the agreed charter once all of them signed, and no fewer', async () => {
    const terms = await funded()
    await agree(terms, charterOf(), alice, bob, carol)
    await reseal(terms, next, charterOf(), alice, stranger, bob, carol)
    expect(await world.plan(terms)).toMatchObject({ version: 2 })
    await world.settle(terms, next, settlementOf(0b11n, true))
  })

  it('takes an empty signature of who comes, never of who leaves', async () => {
    const terms = await funded()
    await agree(terms, charterOf(), alice, bob, carol)
    const [first, , leaving, last] = await words(terms, next, alice, stranger, bob, carol)
    const come = { signer: stranger.address, signature: '0x' as const }
    const bring = async (...members: unknown[]) =>
      world.call(relayer, 'reseal', [await world.sealing(terms, next, undefined, members as never), charterOf()])
    expect(await revertOf(bring(first, come, { ...leaving, signature: '0x' }, last))).toEqual(['BadSignature', bob.address])
    await bring(first, come, leaving, last)
    expect(await world.plan(terms)).toMatchObject({ version: 2 })
  })

  it('takes an empty signature of who stays for no less, never of who stays for less', async () => {
    const terms = await funded()
    const before = charterOf()
    await agree(terms, before, alice, bob, carol)
    // Kept in name only, at nothing, or at a unit less: what an evaluator could otherwise do without asking.
    const amounts = before.steps.map((step) => step.amount)
    for (const amount of [0n, (amounts[1] ?? 0n) - 1n]) {
      const less = { ...before, version: 2, steps: before.steps.map((step, i) => (i === 1 ? { ...step, amount } : step)) }
      const [first, second, third] = await words(terms, less, alice, bob, carol)
      const empty = { signer: bob.address, signature: '0x' as const }
      const bring = async (...members: unknown[]) =>
        world.call(relayer, 'reseal', [await world.sealing(terms, less, undefined, members as never), before])
      expect(await revertOf(bring(first, empty, third))).toEqual(['BadSignature', bob.address])
      if (amount !== 0n) await bring(first, second, third)
    }
    expect(await world.plan(terms)).toMatchObject({ version: 2 })
    const now = { ...before, version: 2, steps: before.steps.map((step, i) => (i === 1 ? { ...step, amount: step.amount - 1n } : step)) }
    const same = { ...before, version: 3 }
    const [first, , third] = await words(terms, same, alice, bob, carol)
    const unsigned = { signer: bob.address, signature: '0x' as const }
    await world.call(relayer, 'reseal', [await world.sealing(terms, same, undefined, [first, unsigned, third] as never), now])
    expect(await world.plan(terms)).toMatchObject({ version: 3 })
  })

  it('asks a member with two steps that are replaced once', async () => {
    const terms = await funded()
    const twice = charterOf({ steps: [alice, bob, bob].map((who) => ({ payee: who.address, amount: usdc(1) })) })
    await agree(terms, twice, alice, bob)
    expect(await revertOf(reseal(terms, next, twice, alice, stranger, bob, bob))).toEqual(['BadMemberCount', 4n, 3n])
    await reseal(terms, next, twice, alice, stranger, bob)
    expect(await world.plan(terms)).toMatchObject({ version: 2 })
  })

  it('reverts once a step was paid', async () => {
    const terms = await funded()
    await agree(terms, charterOf(), alice, bob, carol)
    await world.settle(terms, charterOf(), settlementOf(0b1n))
    expect(await revertOf(reseal(terms, next, charterOf(), alice, stranger, bob, carol))).toEqual(['StepsTouched', 1n])
  })

  it('reverts where no charter was sealed', async () => {
    const terms = await funded()
    expect(await revertOf(reseal(terms, next, unsealed, alice, stranger))).toEqual(['NotSealed', world.planId(terms)])
  })
})

describe('setSigner', () => {
  const allowed = (account: Hex, signer: Hex) =>
    world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'isSigner', args: [account, signer] })
  const nonceOf = (account: Hex) =>
    world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'nonceOf', args: [account] })

  it('works by signature once, in time, for the account that signed', async () => {
    const deadline = BigInt(await world.now()) + 1000n
    const permission = { account: carol.address, signer: relayer.address, allowed: true, nonce: await nonceOf(carol.address), deadline }
    const bring = (signature: Hex, until = deadline, account = carol.address) =>
      world.call(stranger, 'setSignerBySignature', [account, relayer.address, true, until, signature])
    const good = await world.signSigner(permission, carol)
    expect(await revertOf(bring(await world.signSigner(permission, alice)))).toEqual(['BadSignature', carol.address])
    expect(await revertOf(bring(good, deadline + 1n))).toEqual(['BadSignature', carol.address])
    expect(await revertOf(bring(good, deadline, alice.address))).toEqual(['BadSignature', alice.address])
    expect((await revertOf(bring(good, 1n)))[0]).toBe('TooLate')
    const { events } = await bring(good)
    expect(events).toEqual([{ name: 'SignerSet', account: carol.address, signer: relayer.address, allowed: true }])
    expect(await allowed(carol.address, relayer.address)).toBe(true)
    const ending = { ...permission, allowed: false, nonce: await nonceOf(carol.address) }
    expect(await revertOf(bring(await world.signSigner(ending, carol)))).toEqual(['BadSignature', carol.address])
    const end = [carol.address, relayer.address, false, deadline, await world.signSigner(ending, carol)] as const
    await world.call(stranger, 'setSignerBySignature', end)
    expect(await revertOf(bring(good))).toEqual(['BadSignature', carol.address])
    expect(await allowed(carol.address, relayer.address)).toBe(false)
  })
})
