/** Attacks by signature: 08 replay, 09 typed data that is hashed otherwise than shown, 10 other forms of a good one. */
import {
  type Abi,
  type Address,
  concat,
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
import { planEscrowAbi, settledCharter } from '../../../contracts/abi/index.ts'
import { numbers } from '../model/random-inputs.ts'
import { bindCharter, escrowDomain, escrowTypes, hashCharter, sign, types } from '../model/typed-data.ts'
import type { Message, Terms } from '../model/types.ts'
import { actors, charterOf, createWorld, payee, revertOf, settlementOf, type World } from '../world.ts'
import { disputed, full, type Plan, sealed, undone } from './attack-fixture.ts'

const { alice, arbitrator, client, evaluator, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Asked = { signedMessage: Message; by: LocalAccount; bring: (signature: Hex) => Promise<unknown>; on: () => Promise<unknown> }

/** Every signature that the escrow asks for: what it says, who gives it, and the call that brings it. */
async function asked(): Promise<Record<string, Asked>> {
  const far = 2 ** 40 - 1
  const plan: Plan = await sealed(world, full)
  const ruled = await disputed(world)
  const silent = await sealed(world, full)
  const splitting = await sealed(world, { ...full, onSilence: 5 })
  const [open, asked] = [await world.terms({ vetoSeconds: 600 }), await world.terms()]
  for (const one of [open, asked]) await world.fund(one)
  const vetoed = await world.terms({ vetoSeconds: 600 })
  await world.fund(vetoed)
  await world.propose(vetoed, charterOf())
  const { terms, charter } = plan
  const planId = world.planId(terms)
  const settlement = { bits: 1n, close: false, conclusionHash: zeroHash }
  const receipt = { bits: 1n, outputsHash: zeroHash, receivedAt: silent.terms.workBy }
  const charterSays = { stepsHash: zeroHash, royaltiesHash: zeroHash, charterHash: charter.charterHash }
  const [sealing, proposal] = [await world.sealing(open, charter), await world.proposal(open, charter)]
  const own = { account: alice.address, deadline: BigInt(far), nonce: 0n }
  const at = async () => undefined
  return {
    Charter: {
      signedMessage: { type: 'Charter', planId: world.planId(open), version: 1, ...charterSays },
      by: evaluator,
      bring: (signature) => world.call(relayer, 'seal', [{ ...proposal, evaluatorSignature: signature }]),
      on: at,
    },
    CharterAuthorization: {
      signedMessage: { type: 'CharterAuthorization', planId: world.planId(open), version: 1, ...charterSays },
      by: client,
      bring: (signature) => world.call(relayer, 'seal', [{ ...sealing, signature }]),
      on: at,
    },
    CharterVeto: {
      signedMessage: { type: 'CharterVeto', planId: world.planId(vetoed), version: 1 },
      by: client,
      bring: (signature) => world.call(relayer, 'veto', [vetoed, 1, signature]),
      on: at,
    },
    CloseRequest: {
      signedMessage: { type: 'CloseRequest', planId: world.planId(asked), version: 0 },
      by: client,
      bring: (signature) => world.call(relayer, 'requestClose', [asked, signature]),
      on: at,
    },
    StepSubmission: {
      signedMessage: { type: 'StepSubmission', planId, version: 1, bits: 1n, outputsHash: zeroHash },
      by: alice,
      bring: (signature) => world.call(relayer, 'submit', [terms, charter, 1n, zeroHash, alice.address, signature]),
      on: at,
    },
    Attestation: {
      signedMessage: { type: 'Attestation', planId, charter: settledCharter(charter), ...settlement },
      by: evaluator,
      bring: (signature) => world.call(relayer, 'settle', [{ terms, charter, ...settlement, signature }]),
      on: at,
    },
    HalfAttestation: {
      signedMessage: { type: 'HalfAttestation', planId: world.planId(splitting.terms), charter: settledCharter(charter), ...settlement },
      by: evaluator,
      bring: (signature) => world.call(relayer, 'settleHalf', [{ terms: splitting.terms, charter, ...settlement, signature }]),
      on: at,
    },
    Release: {
      signedMessage: { type: 'Release', planId, charter: settledCharter(charter), ...settlement },
      by: client,
      bring: (signature) => world.call(relayer, 'release', [{ terms, charter, ...settlement, signature }]),
      on: at,
    },
    Submission: {
      signedMessage: { type: 'Submission', planId: world.planId(silent.terms), charter: settledCharter(charter), ...receipt },
      by: evaluator,
      bring: (signature) => world.call(relayer, 'settleOnSilence', [silent.terms, charter, 1n, { ...receipt, signature }]),
      on: () => world.timeIs(silent.terms.reviewBy),
    },
    DisputeOpened: {
      signedMessage: { type: 'DisputeOpened', planId, version: 1, step: 0, evidenceHash: zeroHash },
      by: alice,
      bring: (signature) => world.call(relayer, 'dispute', [terms, charter, 0, zeroHash, alice.address, signature]),
      on: at,
    },
    Ruling: {
      signedMessage: { type: 'Ruling', planId: world.planId(ruled.terms), version: 1, step: 0, payeeBps: 1, rulingHash: zeroHash },
      by: arbitrator,
      bring: (signature) => world.call(relayer, 'rule', [ruled.terms, charter, 0, 1, zeroHash, signature]),
      on: at,
    },
    SettlementOffer: {
      signedMessage: { type: 'SettlementOffer', planId, version: 1, step: 0, payeeBps: 10_000, deadline: far },
      by: client,
      bring: (signature) => world.call(relayer, 'acceptOffer', [terms, charter, 0, 10_000, far, signature, '0x']),
      on: at,
    },
    SetSigner: {
      signedMessage: { type: 'SetSigner', ...own, signer: stranger.address, allowed: true },
      by: alice,
      bring: (signature) => world.call(relayer, 'setSignerBySignature', [alice.address, stranger.address, true, own.deadline, signature]),
      on: at,
    },
    CreditWithdrawal: {
      signedMessage: { type: 'CreditWithdrawal', ...own, token: world.token, to: alice.address },
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
const whole = (signedMessage: Message): Message =>
  signedMessage.type.startsWith('Charter') && signedMessage.type !== 'CharterVeto'
    ? { ...signedMessage, ...hashCharter(plain(charterOf())) }
    : signedMessage
const plain = ({ steps, royalties, charterHash }: ReturnType<typeof charterOf>) => ({
  steps: [...steps],
  royalties: [...royalties],
  charterHash,
})
const signed = ({ by, signedMessage }: Asked, escrow: Address = world.escrow) => sign(by, whole(signedMessage), escrow, world.token)

/** Thirteen kinds of word, each in a world of its own moment. */
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
      expect(await refusal(one.bring(await sign(stranger, whole(one.signedMessage), world.escrow, world.token)))).toBe('BadSignature')
      expect(await refusal(one.bring(await signed(one, world.token)))).toBe('BadSignature')
      const { domain, message } = { domain: { ...escrowDomain(world.escrow), chainId: 1 }, message: whole(one.signedMessage) }
      const { type, ...values } = message
      const elsewhere = await one.by.signTypedData({
        domain,
        types: { [type]: types[type] as [] },
        primaryType: type,
        message: values,
      } as never)
      expect(await refusal(one.bring(elsewhere))).toBe('BadSignature')
      for (const other of Object.values(all).filter((each) => each !== one)) {
        const forAnother = await sign(one.by, whole(other.signedMessage), world.escrow, world.token)
        expect(await refusal(one.bring(forAnother)), `${other.signedMessage.type} for ${kind}`).toBe('BadSignature')
      }
      const good = await signed(one)
      await one.bring(good)
      expect(await refusal(one.bring(good)), `${kind} twice`).not.toBe('nothing reverted')
    }),
  )

  it.each(kinds)('%s: every field counts', (kind) =>
    withKind(kind, async (one) => {
      const message = whole(one.signedMessage)
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
        authorizer: address(),
        vetoSeconds: Number(uint(32)),
        onSilence: Number(uint(8)),
        charter: toHex(uint(256), { size: 32 }),
        briefHash: toHex(uint(256), { size: 32 }),
        salt: uint(256),
      }),
    )
    const contracts = all.map((terms) => ({ address: world.escrow, abi: planEscrowAbi as Abi, functionName: 'planId', args: [terms] }))
    const reported: unknown[] = []
    // Fifty to a call: what carries them is the code of a contract that is never deployed, and code has a limit.
    for (let from = 0; from < contracts.length; from += 50) {
      const some = contracts.slice(from, from + 50)
      reported.push(...(await world.reader.multicall({ contracts: some, deployless: true, allowFailure: false, batchSize: 0 })))
    }
    const expected = all.map((message) =>
      hashTypedData({ domain: escrowDomain(world.escrow), types: { Terms: types.Terms as [] }, primaryType: 'Terms', message } as never),
    )
    expect(reported).toEqual(expected)
  })

  it('random charters, nested lists and all, are bound as viem encodes them', async () => {
    const draw = numbers(90)
    for (let i = 0; i < 25; i++) {
      const count = 1 + draw.below(64)
      const charter = {
        version: 1,
        steps: Array.from({ length: count }, () => ({
          payee: payee(draw.below(2 ** 16)),
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
