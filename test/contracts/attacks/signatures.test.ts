/**
 * Attacks by signature: 08 replay, 09 typed data, 10 other forms of it, 11 wallets that are contracts, 12 a permit used
 * first, 13 terms and charters brought or changed by somebody in between.
 */
import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  hashTypedData,
  hexToSignature,
  type LocalAccount,
  numberToHex,
  padHex,
  serializeCompactSignature,
  signatureToCompactSignature,
  toHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planEscrowAbi, testUsdcAbi } from '../../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode } from '../../../contracts/abi/mocks.ts'
import { numbers } from '../model/matter.ts'
import { bindCharter, escrowDomain, escrowTypes, hashCharter, sign, types } from '../model/typed-data.ts'
import type { Message, Terms } from '../model/types.ts'
import { actors, charterOf, createWorld, hiredFor, revertOf, settlementOf, usdc, type World } from '../world.ts'
import { disputed, full, type Plan, sealed, setCode, undone } from './scene.ts'

const { alice, arbitrator, client, evaluator, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Asked = { says: Message; by: LocalAccount; bring: (signature: Hex) => Promise<unknown>; on: () => Promise<unknown> }

/** Every signature that the escrow asks for: what it says, who gives it, and the call that brings it. */
async function asked(): Promise<Record<string, Asked>> {
  const far = 2 ** 40 - 1
  const plan: Plan = await sealed(world, full)
  const ruled = await disputed(world)
  const silent = await sealed(world, full)
  const open = await world.terms()
  await world.fund(open)
  const { terms, charter } = plan
  const planId = world.planId(terms)
  const said = { bits: 1n, close: false, conclusionHash: zeroHash }
  const receipt = { bits: 1n, outputsHash: zeroHash, receivedAt: silent.terms.workBy }
  const charterSays = { stepsHash: zeroHash, royaltiesHash: zeroHash, charterHash: charter.charterHash }
  const sealing = await world.sealing(open, charter)
  const own = { account: alice.address, deadline: BigInt(far), nonce: 0n }
  const at = async () => undefined
  return {
    Charter: {
      says: { type: 'Charter', planId: world.planId(open), version: 1, ...charterSays },
      by: evaluator,
      bring: (evaluatorSignature) => world.call(relayer, 'seal', [{ ...sealing, evaluatorSignature }]),
      on: at,
    },
    Attestation: {
      says: { type: 'Attestation', planId, version: 1, ...said },
      by: evaluator,
      bring: (signature) => world.call(relayer, 'settle', [{ terms, charter, ...said, signature }]),
      on: at,
    },
    Release: {
      says: { type: 'Release', planId, version: 1, ...said },
      by: client,
      bring: (signature) => world.call(relayer, 'release', [{ terms, charter, ...said, signature }]),
      on: at,
    },
    Submission: {
      says: { type: 'Submission', planId: world.planId(silent.terms), version: 1, ...receipt },
      by: evaluator,
      bring: (signature) => world.call(relayer, 'settleOnSilence', [silent.terms, charter, 1n, { ...receipt, signature }]),
      on: () => world.timeIs(silent.terms.reviewBy),
    },
    DisputeOpened: {
      says: { type: 'DisputeOpened', planId, version: 1, step: 0, evidenceHash: zeroHash },
      by: alice,
      bring: (signature) => world.call(relayer, 'dispute', [terms, charter, 0, zeroHash, alice.address, signature]),
      on: at,
    },
    Ruling: {
      says: { type: 'Ruling', planId: world.planId(ruled.terms), version: 1, step: 0, payeeBps: 1, rulingHash: zeroHash },
      by: arbitrator,
      bring: (signature) => world.call(relayer, 'rule', [ruled.terms, charter, 0, 1, zeroHash, signature]),
      on: at,
    },
    SettlementOffer: {
      says: { type: 'SettlementOffer', planId, version: 1, step: 0, payeeBps: 10_000, deadline: far },
      by: client,
      bring: (signature) => world.call(relayer, 'acceptOffer', [terms, charter, 0, 10_000, far, signature, '0x']),
      on: at,
    },
    SetSigner: {
      says: { type: 'SetSigner', ...own, signer: stranger.address, allowed: true },
      by: alice,
      bring: (signature) => world.call(relayer, 'setSignerBySignature', [alice.address, stranger.address, true, own.deadline, signature]),
      on: at,
    },
    CreditWithdrawal: {
      says: { type: 'CreditWithdrawal', ...own, token: world.token, to: alice.address },
      by: alice,
      bring: (signature) => world.call(relayer, 'withdrawCreditTo', [alice.address, world.token, alice.address, own.deadline, signature]),
      on: () => creditAlice(),
    },
  }
}

/** Alice is owed one USDC in the token's place: a fee that is hers. */
async function creditAlice() {
  const { terms, charter } = await sealed(world, { feeBps: 1000, feeTo: alice.address }, charterOf({ version: 1 }))
  await world.settle(terms, charter, settlementOf(0b100n))
}

/** The charter's message with the hashes of the charter that is sealed here. */
const whole = (says: Message): Message => (says.type === 'Charter' ? { ...says, ...hashCharter(plain(charterOf())) } : says)
const plain = ({ steps, royalties, charterHash }: ReturnType<typeof charterOf>) => ({
  steps: [...steps],
  royalties: [...royalties],
  charterHash,
})
const signed = ({ by, says }: Asked, escrow: Address = world.escrow) => sign(by, whole(says), escrow, world.token)

/** Nine kinds of word, each in a world of its own moment. */
const kinds = escrowTypes.filter((type) => type !== 'Terms')
const withKind = (kind: string, act: (one: Asked, all: Record<string, Asked>) => Promise<void>) =>
  undone(world, async () => {
    const all = await asked()
    const one = all[kind] as Asked
    await one.on()
    await act(one, all)
  })
const refusal = async (attempt: Promise<unknown>) => (await revertOf(attempt))[0]

describe('attack 08: a signature used where it was not given for', () => {
  it.each(kinds)('%s: not for another action, contract, chain or by another key; and once', (kind) =>
    withKind(kind, async (one, all) => {
      expect(await refusal(one.bring(await sign(stranger, whole(one.says), world.escrow, world.token)))).toBe('BadSignature')
      expect(await refusal(one.bring(await signed(one, world.token)))).toBe('BadSignature')
      const { domain, message } = { domain: { ...escrowDomain(world.escrow), chainId: 1 }, message: whole(one.says) }
      const { type, ...values } = message
      const elsewhere = await one.by.signTypedData({
        domain,
        types: { [type]: types[type] as [] },
        primaryType: type,
        message: values,
      } as never)
      expect(await refusal(one.bring(elsewhere))).toBe('BadSignature')
      for (const other of Object.values(all).filter((each) => each !== one)) {
        const forAnother = await sign(one.by, whole(other.says), world.escrow, world.token)
        expect(await refusal(one.bring(forAnother)), `${other.says.type} for ${kind}`).toBe('BadSignature')
      }
      const good = await signed(one)
      await one.bring(good)
      expect(await refusal(one.bring(good)), `${kind} twice`).not.toBe('nothing reverted')
    }),
  )

  it.each(kinds)('%s: every field counts', (kind) =>
    withKind(kind, async (one) => {
      const message = whole(one.says)
      for (const [name, value] of Object.entries(message)) {
        if (name === 'type') continue
        const isHash = typeof value === 'string' && value.length === 66
        const other =
          typeof value === 'bigint'
            ? value + 1n
            : typeof value === 'number'
              ? value + (value % 2 === 0 ? 1 : -1)
              : typeof value === 'boolean'
                ? !value
                : isHash
                  ? toHex(77, { size: 32 })
                  : stranger.address
        if (other === value) continue
        const signature = await sign(one.by, { ...message, [name]: other }, world.escrow, world.token)
        expect(await refusal(one.bring(signature)), `${kind}.${name}`).toBe('BadSignature')
      }
      await one.bring(await signed(one))
    }),
  )

  it('on another chain: the domain is that of the chain it runs on, also after a fork', async () => {
    const domain = await world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'eip712Domain' })
    expect(domain.slice(1, 5)).toEqual(['Parley PlanEscrow', '1', 31_337n, world.escrow])
  })
})

describe('attack 09: typed data that is hashed otherwise than it is shown', () => {
  it('a thousand random terms have the digests that viem gives them', async () => {
    const draw = numbers(9)
    const uint = (bits: number) => {
      let value = 0n
      for (let i = 0; i < bits; i += 32) value = (value << 32n) | BigInt(draw.below(2 ** 32))
      return draw.chance(9) ? 2n ** BigInt(bits) - 1n : value & (2n ** BigInt(bits) - 1n)
    }
    const address = () => toHex(uint(160), { size: 20 })
    const all = Array.from(
      { length: 1000 },
      (): Terms => ({
        client: address(),
        token: address(),
        total: uint(96),
        workBy: Number(uint(40)),
        reviewBy: Number(uint(40)),
        expiry: Number(uint(40)),
        feeBps: Number(uint(16)),
        feeTo: address(),
        evaluator: address(),
        arbitrator: address(),
        onSilence: Number(uint(8)),
        charter: toHex(uint(256), { size: 32 }),
        briefHash: toHex(uint(256), { size: 32 }),
        salt: uint(256),
      }),
    )
    const contracts = all.map((terms) => ({ address: world.escrow, abi: planEscrowAbi as Abi, functionName: 'planId', args: [terms] }))
    const told: unknown[] = []
    // Fifty to a call: what carries them is the code of a contract that is never deployed, and code has a limit.
    for (let from = 0; from < contracts.length; from += 50) {
      const some = contracts.slice(from, from + 50)
      told.push(...(await world.reader.multicall({ contracts: some, deployless: true, allowFailure: false, batchSize: 0 })))
    }
    const expected = all.map((message) =>
      hashTypedData({ domain: escrowDomain(world.escrow), types: { Terms: types.Terms as [] }, primaryType: 'Terms', message } as never),
    )
    expect(told).toEqual(expected)
  })

  it('random charters, nested lists and all, are bound as viem encodes them', async () => {
    const draw = numbers(90)
    for (let i = 0; i < 25; i++) {
      const count = 1 + draw.below(64)
      const charter = {
        version: 1,
        steps: Array.from({ length: count }, () => ({
          payee: toHex(draw.below(2 ** 32) + 1, { size: 20 }),
          amount: BigInt(draw.below(1000)),
        })),
        royalties: Array.from({ length: draw.below(5) }, () => ({
          step: 0,
          to: toHex(draw.below(2 ** 32) + 1, { size: 20 }),
          bps: draw.below(1000),
        })),
        charterHash: draw.hash(),
      }
      const { terms } = await sealed(world, {}, charter)
      const bound = await world.reader.readContract({
        address: world.escrow,
        abi: planEscrowAbi,
        functionName: 'charterOf',
        args: [world.planId(terms)],
      })
      expect(bound).toBe(bindCharter(plain(charter)))
    }
  })
})

describe('attack 10: another form of a good signature', () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

  it.each(kinds)('%s: high s, compact, other v, too long, zero, none', (kind) =>
    withKind(kind, async (one) => {
      const good = await signed(one)
      const { r, s, yParity } = hexToSignature(good)
      const forms: Hex[] = [
        concat([r, padHex(numberToHex(order - BigInt(s)), { size: 32 }), yParity ? '0x1b' : '0x1c']),
        serializeCompactSignature(signatureToCompactSignature({ r, s, yParity: yParity as 0 | 1 })),
        concat([r, s, '0x00']),
        concat([r, s, '0x01']),
        concat([r, s, '0x1d']),
        concat([good, '0x00']),
        padHex('0x', { size: 65 }),
        '0x',
      ]
      for (const form of forms) expect(await refusal(one.bring(form)), form).toBe('BadSignature')
      await one.bring(good)
    }),
  )
})

describe('attack 11: wallets that are contracts', () => {
  const at = '0x0000000000000000000000000000000000001271'
  const yes: Hex = '0x631626ba7e60e01b5f5260205ff3'
  const hire = async (changes: object) => {
    const terms = await world.terms({ ...hiredFor(charterOf()), ...changes })
    await world.fund(terms)
    return { terms, charter: { ...charterOf(), version: 0 } }
  }
  const bad: Record<string, Hex> = {
    reverts: '0x5f5ffd',
    'burns its gas': '0xfe',
    'answers nothing': '0x00',
    'answers too shortly': '0x631626ba7e60e01b5f5260045ff3',
    'answers the magic with dirt behind it': '0x7f1626ba7e000000000000000000000000000000000000000000000000000000015f5260205ff3',
    'answers a megabyte': '0x620f42405ff3',
  }

  it.each(Object.keys(bad))('one that %s signs nothing', (name) =>
    undone(world, async () => {
      await setCode(world, at, bad[name] as Hex)
      const { terms, charter } = await hire({ evaluator: at })
      expect(await refusal(world.settle(terms, charter, settlementOf(1n), '0x1234'))).toBe('BadSignature')
    }),
  )

  it('one that says yes to all harms only the plans that trust it', () =>
    undone(world, async () => {
      const others = await sealed(world)
      await setCode(world, at, yes)
      const { terms, charter } = await hire({ evaluator: at })
      await world.settle(terms, charter, settlementOf(0b111n, true), '0x')
      expect(await world.plan(others.terms)).toMatchObject({ remaining: usdc(10), codes: 0n })
    }))

  it('one that changes its answer is asked each time', () =>
    undone(world, async () => {
      await setCode(world, at, yes)
      const { terms, charter } = await hire({ evaluator: at })
      await world.settle(terms, charter, settlementOf(1n), '0x')
      await setCode(world, at, '0x5f5f5260205ff3')
      expect(await refusal(world.settle(terms, charter, settlementOf(0b10n), '0x'))).toBe('BadSignature')
    }))

  it('two of one owner do not lend each other a signature', () =>
    undone(world, async () => {
      const wallets = [
        await world.deploy(testWalletAbi as Abi, testWalletBytecode, [evaluator.address]),
        await world.deploy(testWalletAbi as Abi, testWalletBytecode, [evaluator.address]),
      ]
      const [a, b] = [await hire({ evaluator: wallets[0] }), await hire({ evaluator: wallets[1] })]
      const forA = await world.signSettlement(a.terms, 0, settlementOf(1n))
      expect(await refusal(world.settle(b.terms, b.charter, settlementOf(1n), forA))).toBe('BadSignature')
      await world.settle(a.terms, a.charter, settlementOf(1n), forA)
    }))

  it('a key that is delegated to code (EIP-7702) keeps its word, and the code that says yes to all gives it too', () =>
    undone(world, async () => {
      await setCode(world, at, yes)
      const plan = await hire({})
      await setCode(world, evaluator.address, concat(['0xef0100', world.token]))
      await world.settle(plan.terms, plan.charter, settlementOf(1n))
      expect(await refusal(world.settle(plan.terms, plan.charter, settlementOf(0b10n), '0x'))).toBe('BadSignature')
      await setCode(world, evaluator.address, concat(['0xef0100', at]))
      await world.settle(plan.terms, plan.charter, settlementOf(0b10n), '0x')
    }))

  it('an ERC-6492 wrapping cannot lend a wallet that is there another’s yes', () =>
    undone(world, async () => {
      const { terms, charter } = await hire({})
      const wrapped = encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [world.token, '0x', '0x'])
      expect(await refusal(world.settle(terms, charter, settlementOf(1n), concat([wrapped, `0x${'6492'.repeat(16)}`])))).toBe(
        'BadSignature',
      )
    }))
})

describe('attack 12: a permit that somebody else uses first', () => {
  it('funds all the same', () =>
    undone(world, async () => {
      await world.write(client, world.token, testUsdcAbi as Abi, 'approve', [world.escrow, 0n])
      const terms = await world.terms()
      const deadline = 2n ** 48n
      const says = { type: 'Permit', owner: client.address, spender: world.escrow, value: terms.total, nonce: 0n, deadline }
      const { r, s, v } = hexToSignature(await sign(client, says, world.escrow, world.token))
      await world.write(stranger, world.token, testUsdcAbi as Abi, 'permit', [
        client.address,
        world.escrow,
        terms.total,
        deadline,
        Number(v),
        r,
        s,
      ])
      await world.call(client, 'fundWithPermit', [terms, deadline, Number(v), r, s])
      expect((await world.plan(terms)).remaining).toBe(terms.total)
    }))
})

describe('attack 13: terms changed on their way', () => {
  it('no one else funds in the client’s name, by whatever it allowed', () =>
    undone(world, async () => {
      const terms = await world.terms({ evaluator: stranger.address })
      for (const fn of ['fund', 'fundFromCredit'] as const) expect(await refusal(world.call(stranger, fn, [terms]))).toBe('NotClient')
      expect(await refusal(world.call(stranger, 'fundMany', [[terms]]))).toBe('NotClient')
      expect(await refusal(world.call(stranger, 'fundWithPermit', [terms, 2n ** 48n, 27, zeroHash, zeroHash]))).toBe('NotClient')
    }))

  it('the signature that funds covers every term', () =>
    undone(world, async () => {
      const terms = await world.terms({ feeBps: 100 })
      const far = 2n ** 47n - 1n
      const signature = await world.signFunding(terms, far)
      const changes = [
        { evaluator: stranger.address },
        { feeBps: 1000 },
        { feeTo: stranger.address },
        { total: terms.total - 1n },
        { charter: toHex(1, { size: 32 }) },
        { onSilence: 1 },
        { arbitrator: stranger.address },
      ]
      for (const change of changes) {
        expect(await refusal(world.fundWithAuthorization({ ...terms, ...change }, 0n, far, signature))).toBe('ERC3009InvalidSignature')
      }
      await world.fundWithAuthorization(terms, 0n, far, signature)
    }))

  it('a batch of seals is not spoiled by one that somebody brought first', () =>
    undone(world, async () => {
      const open = [await world.terms(), await world.terms()]
      for (const terms of open) await world.fund(terms)
      const sealings = await Promise.all(open.map((terms) => world.sealing(terms, charterOf())))
      await world.call(stranger, 'seal', [sealings[0] as (typeof sealings)[0]])
      await world.call(relayer, 'sealMany', [sealings])
      expect((await world.plan(open[1] as (typeof open)[0])).version).toBe(1)
    }))
})
