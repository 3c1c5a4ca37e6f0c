/**
 * settleMany
 * ├── settles each plan as settle would, in order, also two parts of one plan
 * ├── leaves the others as they are when one fails: badly signed, closed, other charter, twice the same step
 * ├── accepts the caller's authority where it would in settle: the evaluator's, no other account's
 * ├── credits a payee that the token refuses, within the batch
 * ├── settles by one signature of the evaluator: a key, a wallet, a delegated key
 * │   ├── and leaves the others when an item fails; it counts again for that item
 * │   ├── pays nothing else by it: other bits, charter, plan, place or kind of word
 * │   └── reverts for a signature of another's, over another list, chain or contract
 * └── reads items of any size, and fails those that are written badly
 */
import { concatHex, encodeFunctionData, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attestationTypes, batchTypes, escrowDomainAt, hashAttestation, type PlanTerms, planEscrowAbi } from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, client, evaluator, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Batch = Parameters<typeof world.call<'settleMany'>>[2][0]

async function sealed(changes: Parameters<World['terms']>[0] = {}) {
  const terms = await world.terms(changes)
  await world.fund(terms)
  await world.seal(terms, charterOf())
  return terms
}
type Settlements = readonly Awaited<ReturnType<World['settlement']>>[]

/** The bitmap that the call would answer, and the call. */
async function send(batch: Batch, by = relayer) {
  const request = { abi: planEscrowAbi, address: world.escrow, account: by, functionName: 'settleMany', args: [batch] } as const
  const { result } = await world.reader.simulateContract(request)
  const { events } = await world.call(by, 'settleMany', [batch])
  return { ok: result, events }
}
const settleMany = (settlements: Settlements, by = relayer) => send(world.batch('settle', settlements), by)
const word = (terms: PlanTerms, bits = 0b1n, charter = charterOf()) => ({ terms, charter, ...settlementOf(bits), signature: '0x' as Hex })

describe('settleMany', () => {
  it('settles plans and parts of plans in order', async () => {
    const [a, b] = [await sealed(), await sealed({ token: world.wayward })]
    const settlements = [
      await world.settlement(a, charterOf(), settlementOf(0b1n)),
      await world.settlement(b, charterOf(), settlementOf(0b111n, true)),
      await world.settlement(a, charterOf(), settlementOf(0b10n, true)),
    ]
    let ok = 0n
    const all = async () => {
      ok = (await settleMany(settlements)).ok
    }
    expect(await gains(world, [alice, bob, client], all)).toEqual([usdc(1), usdc(2), usdc(7)])
    expect(ok).toBe(0b111n)
    expect((await world.plan(b)).status).toBe(2)
    expect(await settleMany([])).toEqual({ ok: 0n, events: [] })
  })

  it('leaves the others as they are when one fails', async () => {
    const [a, b, c, d, e] = [await sealed(), await sealed(), await sealed(), await sealed(), await sealed()]
    await world.settle(c, charterOf(), settlementOf(0n, true))
    const never = await world.terms()
    const bad = await world.signSettlement(b, charterOf(), settlementOf(0b1n), stranger)
    const settlements = [
      await world.settlement(a, charterOf(), settlementOf(0b1n)),
      await world.settlement(b, charterOf(), settlementOf(0b1n), bad),
      await world.settlement(c, charterOf(), settlementOf(0b1n)),
      await world.settlement(d, charterOf({ charterHash: hash(1) }), settlementOf(0b1n)),
      await world.settlement(a, charterOf(), settlementOf(0b11n)),
      await world.settlement(never, unsealed, settlementOf(0n, true)),
      await world.settlement(e, charterOf(), settlementOf(0b10n)),
    ]
    const { ok, events } = await settleMany(settlements)
    expect(ok).toBe(0b1000001n)
    expect(events.filter((event) => event.name === 'StepsSettled').map((event) => event.planId)).toEqual([a, e].map(world.planId))
    for (const of of [b, d]) expect(await world.plan(of)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 1 })
  })

  it("accepts the caller's authority where it would in settle", async () => {
    const terms = await sealed()
    const content = word(terms)
    for (const by of [stranger, client, relayer]) expect((await settleMany([content], by)).ok).toBe(0n)
    expect((await settleMany([content], evaluator)).ok).toBe(1n)
    expect((await world.plan(terms)).codes).toBe(1n)
  })

  it('credits a payee that the token refuses', async () => {
    const terms = await sealed({ token: world.wayward })
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 1])
    const { ok, events } = await settleMany([await world.settlement(terms, charterOf(), settlementOf(0b111n))])
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 0])
    expect([ok, events.map((event) => event.name)]).toEqual([1n, ['StepsSettled', 'Paid', 'Credited', 'Paid']])
  })

  it('cannot be made to speak for an escrow that evaluates itself', async () => {
    expect(await revertOf(world.fund(await world.terms({ evaluator: world.escrow })))).toEqual(['MissingEvaluator'])
  })
})

describe('one signature for a batch', () => {
  it('is worth the signature of each', async () => {
    const [a, b] = [await sealed(), await sealed()]
    const batch = await world.signedBatch('settle', [word(a), word(b, 0b111n), word(a, 0b10n)])
    let ok = 0n
    const all = async () => {
      ok = (await send(batch, stranger)).ok
    }
    expect(await gains(world, [alice, bob], all)).toEqual([usdc(2), usdc(4)])
    expect(ok).toBe(0b111n)
    expect((await send(batch, stranger)).ok).toBe(0n)
  })

  it('leaves the others when an item fails, and counts for that one later', async () => {
    const [a, b, c] = [await sealed(), await world.terms(), await sealed()]
    const batch = await world.signedBatch('settle', [word(a), word(b), word(c)])
    expect((await send(batch)).ok).toBe(0b101n)
    await world.fund(b)
    await world.seal(b, charterOf())
    expect((await send(batch)).ok).toBe(0b010n)
  })

  it('pays nothing that its attestations do not name', async () => {
    const [a, b] = [await sealed(), await sealed()]
    const signed = await world.signedBatch('settle', [word(a), word(b, 0b10n)])
    const others: readonly (readonly ReturnType<typeof word>[])[] = [
      [word(a, 0b11n), word(b, 0b110n)],
      [word(b, 0b10n), word(a)],
      [
        { ...word(a), close: true },
        { ...word(b, 0b10n), conclusionHash: hash(7) },
      ],
      [{ ...word(a), signature: '0x01' }, word(a, 0b1n, charterOf({ charterHash: hash(1) }))],
    ]
    for (const items of others) expect((await send({ ...signed, items: world.batch('settle', items).items })).ok).toBe(0n)
    // Behind the last attestation nothing is attested.
    const three = world.batch('settle', [word(b, 0b100n), word(a, 0b100n), word(b, 0b10n)])
    expect((await send({ ...signed, items: three.items })).ok).toBe(0n)
    const release = world.batch('settle', [{ ...word(a), signature: await world.signRelease(a, charterOf(), settlementOf(0b1n)) }])
    expect((await send({ ...signed, items: release.items })).ok).toBe(0n)
    expect((await send(signed)).ok).toBe(0b11n)
  })

  it('pays nothing by a charter that was replaced after it', async () => {
    const terms = await world.terms({ onSilence: 3 })
    await world.fund(terms)
    await world.seal(terms, charterOf())
    const batch = await world.signedBatch('settle', [word(terms)])
    const next = charterOf({ version: 2, steps: [{ payee: stranger.address, amount: usdc(6) }] })
    await world.seal(terms, next)
    expect((await send(batch)).ok).toBe(0n)
    expect((await send({ ...batch, items: world.batch('settle', [word(terms, 0b1n, next)]).items })).ok).toBe(0n)
  })

  it('reverts for a signature of another, or over another list, chain or contract', async () => {
    const terms = await sealed()
    const good = await world.signedBatch('settle', [word(terms)])
    const attestation = world.attestationOf(terms, charterOf(), settlementOf(0b1n))
    const more = hashAttestation({ ...attestation, bits: 0b10n })
    const by = (at: { chainId: number; escrow: Hex }, types: object = batchTypes) =>
      evaluator.signTypedData({
        domain: escrowDomainAt(at),
        types: types as typeof batchTypes,
        primaryType: 'Batch',
        message: { attestations: [attestation] },
      })
    const bad: readonly Partial<Batch>[] = [
      { signature: await world.signBatch([attestation], stranger) },
      { signature: '0x' },
      { signature: await by({ ...world.at, chainId: 1 }) },
      { signature: await by({ ...world.at, escrow: world.token }) },
      { signature: await by(world.at, { ...batchTypes, Attestation: [...attestationTypes.Attestation].toReversed() }) },
      { signature: await world.signSettlement(terms, charterOf(), settlementOf(0b1n)) },
      { attestations: [...good.attestations, more] },
      { attestations: [more] },
    ]
    for (const change of bad)
      expect(await revertOf(world.call(relayer, 'settleMany', [{ ...good, ...change }]))).toEqual(['BadSignature', evaluator.address])
    // By a key that is no evaluator of the plan, it is good and worth nothing; so is the escrow's own name.
    expect((await send(await world.signedBatch('settle', [word(terms)], 400_000n, stranger))).ok).toBe(0n)
    const asEscrow = world.call(relayer, 'settleMany', [{ ...good, evaluator: world.escrow }])
    expect(await revertOf(asEscrow)).toEqual(['BadSignature', world.escrow])
    expect((await send({ ...good, attestations: [], signature: good.signature })).ok).toBe(0n)
  })

  it('is worth nothing behind the words of a call from outside', async () => {
    const terms = await sealed()
    const { attestations } = await world.signedBatch('settle', [word(terms)])
    const call = encodeFunctionData({ abi: planEscrowAbi, functionName: 'settle', args: [word(terms)] })
    const data = concatHex([call, pad(evaluator.address), ...attestations])
    const attempt = world.reader.call({ account: stranger.address, to: world.escrow, data })
    await expect(attempt).rejects.toThrow()
    expect((await world.plan(terms)).codes).toBe(0n)
  })

  it('counts from a wallet, and from a key delegated to code', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [evaluator.address])
    const terms = await world.terms({ evaluator: wallet })
    await world.fund(terms)
    await world.seal(terms, charterOf())
    const batch = { ...(await world.signedBatch('settle', [word(terms)])), evaluator: wallet }
    await world.write(relayer, wallet, testWalletAbi, 'setMood', [1])
    expect(await revertOf(world.call(relayer, 'settleMany', [batch]))).toEqual(['BadSignature', wallet])
    await world.write(relayer, wallet, testWalletAbi, 'setMood', [0])
    expect((await send(batch)).ok).toBe(1n)

    const own = await sealed()
    const code = concatHex(['0xef0100', world.token])
    await world.connection.provider.request({ method: 'hardhat_setCode', params: [evaluator.address, code] })
    expect((await send(await world.signedBatch('settle', [word(own)]))).ok).toBe(1n)
    await world.connection.provider.request({ method: 'hardhat_setCode', params: [evaluator.address, '0x'] })
  })

  it('stands for the attestations alone where charters are brought along', async () => {
    const [a, b] = [await world.terms(), await world.terms()]
    for (const terms of [a, b]) await world.fund(terms)
    const content = settlementOf(0b111n, true)
    const [first, second] = [await world.sealedSettlement(a, charterOf(), content), await world.sealedSettlement(b, charterOf(), content)]
    const unsealed = { ...second, sealing: { ...second.sealing, evaluatorSignature: '0x' as Hex } }
    const batch = await world.signedBatch('sealAndSettle', [first, unsealed])
    expect(batch.items).not.toContain(first.signature.slice(2))
    const request = { abi: planEscrowAbi, address: world.escrow, account: relayer, functionName: 'sealAndSettleMany' } as const
    expect((await world.reader.simulateContract({ ...request, args: [batch] })).result).toBe(0b1n)
    const both = await world.signedBatch('sealAndSettle', [first, second])
    expect((await world.reader.simulateContract({ ...request, args: [both] })).result).toBe(0b11n)
  })
})

describe('the items of a batch', () => {
  const long = () => charterOf({ steps: Array.from({ length: 64 }, () => ({ payee: alice.address, amount: usdc(0.1) })) })

  it('are of any size, each beside what it shares with the one before', async () => {
    const items: ReturnType<typeof word>[] = []
    for (const charter of [charterOf(), long(), charterOf(), long()]) {
      const terms = await world.terms()
      await world.fund(terms)
      await world.seal(terms, charter)
      items.push(word(terms, 0b1n, charter))
    }
    expect((await send(await world.signedBatch('settle', items))).ok).toBe(0b1111n)
    const ends = [settlementOf(0n, true), settlementOf(0b10n, true)]
    const signed = await Promise.all(
      items.map(async ({ terms, charter }, i) => world.settlement(terms, charter, ends[i % 2] ?? settlementOf(0n))),
    )
    expect((await settleMany(signed)).ok).toBe(0b1111n)
  })

  it('fail alone where they are written badly', async () => {
    const [a, b] = [await sealed(), await sealed()]
    const { items: first } = world.batch('settle', [word(a)])
    const { items: last, ...batch } = await world.signedBatch('settle', [word(b)])
    const list = (count: number) => Array.from({ length: count }, () => hash(0))
    const signedFor = async (places: number) => {
      const content = world.attestationOf(b, charterOf(), settlementOf(0b1n))
      const nothing = { ...content, bits: 0n }
      const all = [...list(places).map(() => nothing), content]
      return { ...batch, attestations: all.map(hashAttestation), signature: await world.signBatch(all) }
    }
    // An item without words, one whose first word leads nowhere, and one that is cut off in the middle of its run.
    const nowhere: Hex = `0x000100000001${'ff'.repeat(32)}`
    const bad = concatHex(['0x0000', nowhere])
    expect((await send({ ...(await signedFor(2)), items: concatHex([bad, last]) })).ok).toBe(0b100n)
    expect((await send({ ...batch, items: first.slice(0, -80) as Hex })).ok).toBe(0n)
  })

  it('revert all where a promise is more than any gas', async () => {
    const terms = await sealed()
    const batch = await world.signedBatch('settle', [word(terms)], 2n ** 256n - 1n)
    expect((await revertOf(world.call(relayer, 'settleMany', [batch])))[0]).toBe('GasTooLow')
  })
})
