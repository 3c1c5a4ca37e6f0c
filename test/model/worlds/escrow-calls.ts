/** Calls of PlanEscrow by the people of a small plan, each with the signatures that it needs. Addresses and amounts are arbitrary. */
import type { Address, Hex } from 'viem'
import { noHash, zeroAddress } from '../../contracts/model/call-context.ts'
import { bindCharter, hashCharter, planIdOf } from '../../contracts/model/typed-data.ts'
import type { Call, Charter, Message, Plan, State, Terms } from '../../contracts/model/types.ts'
import type { Rules } from '../rules.ts'

const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
export const who = {
  client: address(0xc1),
  evaluator: address(0xe1),
  arbitrator: address(0xa1),
  authorizer: address(0xa2),
  feeTo: address(0xfe),
  payees: [address(0xb1), address(0xb2), address(0xb3)] as const,
  /** Whose key a contract wallet of the client's obeys, and the signer that payees may name. */
  owner: address(0xd1),
  delegate: address(0xd2),
  stranger: address(0x99),
  token: address(0x70),
  escrow: address(0xee),
}

/** When the plan is funded; all times are counted from here. */
export const startTime = 1_900_000_000
export const hash = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`

/** Sums that divide badly, so that rounding shows. */
const amounts = [333_333n, 100_001n]
export const feeBps = 250
export const total = 500_000n

export function charterOf(n: number, steps: number): Charter {
  const first = n === 1 ? 0 : 1
  return {
    steps: amounts.slice(0, steps).map((amount, i) => ({ payee: who.payees[(first + i) % 3] as Address, amount })),
    royalties: [],
    charterHash: hash(n),
  }
}

/** The state in which nothing is funded, and the client has what it needs. */
export function unfunded(): State {
  const token = { balances: { [who.client]: total }, allowances: { [who.client]: total } }
  const silent = { answers: {}, feeBps: 0, signed: false, permitNonces: {}, authorizations: {} }
  return {
    time: startTime,
    escrow: who.escrow,
    tokens: { [who.token]: { ...token, ...silent } },
    wallets: {},
    plans: {},
    credits: {},
    signers: {},
    nonces: {},
  }
}

export const planOf = (state: State, terms: Terms) => state.plans[planIdOf(who.escrow, terms)]
export const nothing: Charter = { steps: [], royalties: [], charterHash: noHash }
const word = (by: Address, message: Message) => ({ by, signedMessage: message })

/** Who signs, where that is not each party's own key, and which of the members' signatures are brought: `0x` is none. */
export type Signing = {
  readonly clientKey?: Address
  readonly memberKey?: Address
  readonly needed?: Rules['requiredSealSignatures']
}

/** The calls that concern one plan. `version` and such come from where the plan stands. */
export function callsOn(terms: Terms, plan: Plan, signing: Signing = {}) {
  const planId = planIdOf(who.escrow, terms)
  const { version } = plan
  const sealing = (charter: Charter, as: number, proposed: boolean, leaving: Charter | null = null) => {
    const words = { planId, version: as, ...hashCharter(charter) }
    const payees = [...new Set([...charter.steps, ...(leaving?.steps ?? [])].map(({ payee }) => payee))]
    const signature = proposed ? null : word(signing.clientKey ?? terms.client, { type: 'CharterAuthorization', ...words })
    // Given with the client's approval, so that no one waits for it later.
    const evaluatorSignature = word(terms.evaluator, { type: 'Charter', ...words })
    const given = payees.map((payee) => ({ signer: signing.memberKey ?? payee, signature: '0x01' as const }))
    const brought = signing.needed?.(charter, given, leaving ? [leaving] : []) ?? given
    const memberSignatures = brought.map((one) => ({
      signer: one.signer,
      signature: one.signature === '0x' ? null : word(one.signer, { type: 'Charter', ...words }),
    }))
    return { terms, version: as, charter, proposed, signature, evaluatorSignature, memberSignatures }
  }
  const settlement = (charter: Charter, bits: bigint, close: boolean) => ({
    terms,
    charter,
    bits,
    close,
    conclusionHash: hash(7),
    signature: null,
  })
  return {
    seal: (charter: Charter, as: number, proposed: boolean): Call => ({
      fn: 'seal',
      from: who.stranger,
      sealing: sealing(charter, as, proposed),
    }),
    reseal: (charter: Charter, as: number, replaced: Charter): Call => ({
      fn: 'reseal',
      from: who.stranger,
      sealing: sealing(charter, as, false, replaced),
      replaced,
    }),
    veto: (from: Address): Call => ({ fn: 'veto', from, terms, version, signature: null }),
    requestClose: (from: Address): Call => ({ fn: 'requestClose', from, terms, signature: null }),
    submit: (charter: Charter, step: number): Call => {
      const by = charter.steps[step]?.payee ?? zeroAddress
      return { fn: 'submit', from: by, terms, charter, bits: 1n << BigInt(step), outputsHash: hash(3), by, signature: null }
    },
    settle: (charter: Charter, bits: bigint, close: boolean): Call => ({
      fn: 'settle',
      from: terms.evaluator,
      settlement: settlement(charter, bits, close),
    }),
    settleHalf: (charter: Charter, bits: bigint, close: boolean): Call => ({
      fn: 'settleHalf',
      from: terms.evaluator,
      settlement: settlement(charter, bits, close),
    }),
    release: (charter: Charter, bits: bigint, close: boolean): Call => ({
      fn: 'release',
      from: terms.client,
      settlement: settlement(charter, bits, close),
    }),
    sealAndSettle: (charter: Charter, as: number, ending: { bits: bigint; close: boolean }): Call => {
      const { bits, close } = ending
      const content = { bits, close, conclusionHash: hash(7) }
      const signed = sealing(charter, as, false)
      // The evaluator's signature replaces them all.
      const memberSignatures = signed.memberSignatures.map(({ signer }) => ({ signer, signature: null }))
      const one = { sealing: { ...signed, memberSignatures }, ...content, signature: null }
      return { fn: 'sealAndSettle', from: terms.evaluator, one }
    },
    settleOnSilence: (charter: Charter, bits: bigint): Call => {
      const acknowledgement = { bits: 0n, outputsHash: noHash, receivedAt: 0, signature: null }
      return { fn: 'settleOnSilence', from: who.stranger, terms, charter, bits, acknowledgement }
    },
    dispute: (charter: Charter, step: number, by: Address): Call => ({
      fn: 'dispute',
      from: by,
      terms,
      charter,
      step,
      evidenceHash: hash(5),
      by,
      signature: null,
    }),
    rule: (charter: Charter, step: number, payeeBps: number): Call => ({
      fn: 'rule',
      from: terms.arbitrator,
      terms,
      charter,
      step,
      payeeBps,
      rulingHash: hash(6),
      signature: null,
    }),
    acceptOffer: (charter: Charter, step: number, { payeeBps, deadline }: { payeeBps: number; deadline: number }): Call => {
      const payee = charter.steps[step]?.payee ?? zeroAddress
      const message = { type: 'SettlementOffer', planId, version, step, payeeBps, deadline }
      const signatures = { clientSignature: word(terms.client, message), payeeSignature: word(payee, message) }
      return { fn: 'acceptOffer', from: who.stranger, terms, charter, step, payeeBps, deadline, ...signatures }
    },
    refund: (): Call => ({ fn: 'refund', from: who.stranger, terms }),
    closeExpired: (charter: Charter): Call => ({ fn: 'closeExpired', from: who.stranger, terms, charter }),
  }
}

/** Which of these charters the escrow has in force; null where none is. */
export function charterInForce(plan: Plan, charters: readonly Charter[], terms: Terms): Charter | null {
  if (plan.state === 0) return null
  const expected = terms.charter === noHash ? plan.charter : terms.charter
  return charters.find((one) => bindCharter(one) === expected) ?? null
}
