/**
 * What the evaluator's signature covers, and whose signatures count.
 * ├── the digests are those that viem makes of the same typed data, for random terms
 * ├── an attestation holds for one chain, one contract, one plan, one charter, one set of bits,
 * │   one choice of closing, one conclusion; a charter's signature is no attestation
 * ├── malleable, compact, empty and zero-signer signatures are refused
 * └── a contract wallet counts by ERC-1271 only as long as it accepts; a delegated account keeps its key
 */
import fc from 'fast-check'
import {
  concat,
  getAddress,
  type Hex,
  hexToSignature,
  numberToHex,
  padHex,
  serializeCompactSignature,
  signatureToCompactSignature,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  attestationTypes,
  bindCharter,
  escrowDomainAt,
  type PlanCharter,
  type PlanTerms,
  planEscrowAbi,
  planEscrowBytecode,
  planIdOf,
} from '../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, evaluator } = actors
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const uint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
const address = uint(160n).map((n) => getAddress(toHex(n, { size: 20 })))
const anyTerms: fc.Arbitrary<PlanTerms> = fc.record({
  client: address,
  token: address,
  total: uint(96n),
  workBy: uint(40n).map(Number),
  reviewBy: uint(40n).map(Number),
  expiry: uint(40n).map(Number),
  feeBps: fc.integer({ min: 0, max: 65_535 }),
  feeTo: address,
  evaluator: address,
  arbitrator: address,
  authorizer: address,
  vetoSeconds: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  onSilence: fc.integer({ min: 0, max: 255 }),
  charter: uint(256n).map((n) => toHex(n, { size: 32 })),
  briefHash: uint(256n).map((n) => toHex(n, { size: 32 })),
  salt: uint(256n),
})

async function sealed(changes: Partial<PlanTerms> = {}) {
  const terms = await world.terms(changes)
  await world.fund(terms)
  await world.seal(terms, charterOf())
  return terms
}

const refused = (by: Hex) => ['BadSignature', by]

describe('digests', () => {
  it('of terms are those of viem, for a thousand random terms', async () => {
    const ask = (terms: PlanTerms) =>
      world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'planId', args: [terms] })
    await fc.assert(
      fc.asyncProperty(anyTerms, async (terms) => {
        expect(await ask(terms)).toBe(planIdOf(world.at, terms))
      }),
      { numRuns: 1000, seed: 1 },
    )
  })

  it('of random charters and attestations are those of viem: what it signs is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(uint(24n), uint(64n), uint(256n), uint(256n), async (version, pick, charterHash, conclusionHash) => {
        const terms = await world.terms({ token: world.wayward, total: usdc(0.000001) })
        await world.fund(terms)
        const charter = {
          version: Number(version) || 1,
          steps: Array.from({ length: 64 }, () => ({ payee: alice.address, amount: 0n })),
          royalties: [],
          charterHash: toHex(charterHash, { size: 32 }),
        }
        await world.seal(terms, charter)
        await world.settle(terms, charter, {
          bits: pick | 1n,
          close: pick % 2n === 0n,
          conclusionHash: toHex(conclusionHash, { size: 32 }),
        })
      }),
      { numRuns: 25, seed: 1 },
    )
  })

  it('differ when any field differs', async () => {
    const terms = await world.terms()
    const other = hash(0x99)
    const changes: Partial<PlanTerms>[] = [
      { client: alice.address },
      { token: world.wayward },
      { total: 1n },
      { workBy: 1 },
      { reviewBy: 1 },
      { expiry: 1 },
      { feeBps: 1 },
      { feeTo: alice.address },
      { evaluator: alice.address },
      { arbitrator: alice.address },
      { authorizer: alice.address },
      { vetoSeconds: 1 },
      { onSilence: 1 },
      { charter: other },
      { briefHash: other },
      { salt: 1n },
    ]
    const ids = [terms, ...changes.map((change) => ({ ...terms, ...change }))].map(world.planId)
    expect(new Set(ids).size).toBe(17)
  })
})

describe("the evaluator's attestation", () => {
  it('holds for what was signed and nothing else', async () => {
    const terms = await sealed()
    const other = await sealed()
    const content = settlementOf(0b1n)
    const sign = (domain: object, charter: PlanCharter = charterOf(), types: object = attestationTypes) =>
      evaluator.signTypedData({
        domain: { ...escrowDomainAt(world.at), ...domain },
        types: types as typeof attestationTypes,
        primaryType: 'Attestation',
        message: { planId: world.planId(terms), charter: bindCharter(charter), ...content },
      })
    const good = await sign({})
    const expected = refused(evaluator.address)
    const attempt = (signature: Hex, settlement = content, on = terms) => revertOf(world.settle(on, charterOf(), settlement, signature))

    expect(await attempt(await sign({ chainId: 1 }))).toEqual(expected)
    expect(await attempt(await sign({ verifyingContract: world.token }))).toEqual(expected)
    expect(await attempt(await sign({ name: 'Another' }))).toEqual(expected)
    expect(await attempt(await sign({ version: '2' }))).toEqual(expected)
    expect(await attempt(await sign({}, charterOf({ charterHash: hash(2) })))).toEqual(expected)
    expect(await attempt(good, content, other)).toEqual(expected)
    expect(await attempt(good, { ...content, bits: 0b10n })).toEqual(expected)
    expect(await attempt(good, { ...content, close: true })).toEqual(expected)
    expect(await attempt(good, { ...content, conclusionHash: hash(1) })).toEqual(expected)
    expect(await attempt(await world.signCharter(terms, charterOf()))).toEqual(expected)
    await world.settle(terms, charterOf(), content, good)
  })

  it('of the same plan does not hold at a second escrow', async () => {
    const second = await world.deploy(planEscrowAbi, planEscrowBytecode, [[world.token]])
    const terms = await world.terms()
    expect(planIdOf({ ...world.at, escrow: second }, terms)).not.toBe(world.planId(terms))
  })

  it('is refused when another account signed it, the client and the payee included', async () => {
    const terms = await sealed()
    for (const by of [actors.client, alice, actors.stranger]) {
      const signature = await world.signSettlement(terms, charterOf(), settlementOf(1n), by)
      expect(await revertOf(world.settle(terms, charterOf(), settlementOf(1n), signature))).toEqual(refused(evaluator.address))
    }
  })

  it('is refused in any form but the canonical one', async () => {
    const terms = await sealed()
    const good = await world.signSettlement(terms, charterOf(), settlementOf(1n))
    const { r, s, yParity } = hexToSignature(good)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const highS = concat([r, padHex(numberToHex(order - BigInt(s)), { size: 32 }), yParity ? '0x1b' : '0x1c'])
    const forms: Hex[] = [
      highS,
      serializeCompactSignature(signatureToCompactSignature({ r, s, yParity: yParity as 0 | 1 })),
      concat([r, s, '0x00']),
      concat([r, s, '0x1d']),
      concat([good, '0x00']),
      // As long as what deploys a wallet first, and nothing of the kind.
      padHex(good, { size: 224, dir: 'right' }),
      padHex('0x', { size: 65 }),
      '0x',
    ]
    for (const form of forms) {
      expect(await revertOf(world.settle(terms, charterOf(), settlementOf(1n), form))).toEqual(refused(evaluator.address))
    }
  })

  it('of a void is no attestation to a charter sealed later', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    const voiding = await world.signSettlement(terms, unsealed, settlementOf(0n, true))
    await world.seal(terms, charterOf())
    expect(await revertOf(world.settle(terms, charterOf(), settlementOf(0n, true), voiding))).toEqual(refused(evaluator.address))
    expect((await revertOf(world.settle(terms, unsealed, settlementOf(0n, true), voiding)))[0]).toBe('CharterMismatch')
  })
})

describe('an evaluator that is a contract', () => {
  it('counts by ERC-1271, and only while it accepts', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [evaluator.address])
    const terms = await sealed({ evaluator: wallet })
    const signature = await world.signSettlement(terms, charterOf(), settlementOf(1n))
    for (const mood of [1, 2, 3, 4]) {
      await world.write(actors.relayer, wallet, testWalletAbi, 'setMood', [mood])
      expect(await revertOf(world.settle(terms, charterOf(), settlementOf(1n), signature))).toEqual(refused(wallet))
    }
    await world.write(actors.relayer, wallet, testWalletAbi, 'setMood', [0])
    const stranger = await world.signSettlement(terms, charterOf(), settlementOf(1n), actors.stranger)
    expect(await revertOf(world.settle(terms, charterOf(), settlementOf(1n), stranger))).toEqual(refused(wallet))
    await world.settle(terms, charterOf(), settlementOf(1n), signature)
  })

  it('does not lend its signature to a second wallet of the same owner', async () => {
    const [first, second] = [
      await world.deploy(testWalletAbi, testWalletBytecode, [evaluator.address]),
      await world.deploy(testWalletAbi, testWalletBytecode, [evaluator.address]),
    ]
    const [a, b] = [await sealed({ evaluator: first }), await sealed({ evaluator: second })]
    const signature = await world.signSettlement(a, charterOf(), settlementOf(1n))
    expect(await revertOf(world.settle(b, charterOf(), settlementOf(1n), signature))).toEqual(refused(second))
  })

  it('that is a key delegated to code without ERC-1271 keeps its key', async () => {
    const terms = await sealed()
    const code = concat(['0xef0100', world.token])
    await world.connection.provider.request({ method: 'hardhat_setCode', params: [evaluator.address, code] })
    await world.settle(terms, charterOf(), settlementOf(1n))
    await world.connection.provider.request({ method: 'hardhat_setCode', params: [evaluator.address, '0x'] })
    expect((await world.plan(terms)).codes).toBe(1n)
  })
})
