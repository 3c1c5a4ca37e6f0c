/**
 * Turns random numbers into calls. From an intent and the state of the model it builds a call that succeeds or nearly succeeds, or one with
 * one wrong part. Numbers and not calls are what is drawn, so that a failure shrinks.
 */
import type { Address } from 'viem'
import { noHash, stepsWith, zeroAddress } from './call-context.ts'
import { membersOf } from './charters.ts'
import { who } from './escrow-on-chain.ts'
import { type FundFn, type Intent, indexIn, type Known, likely, type Open, openOf, type PlanFn, richest } from './intent-targets.ts'
import { anyCharter, anyTerms, numbers } from './random-inputs.ts'
import { hashCharter, settledCharter } from './typed-data.ts'
import {
  type Acknowledgement,
  type BatchWord,
  type Call,
  type Charter,
  codeOf,
  type Fn,
  type Message,
  type SealedSettlement,
  type Sealing,
  type Settlement,
  type Signature,
  type Terms,
} from './types.ts'

/** What each item of a batch may use: enough for 64 payees. */
const gasEach = 4_500_000n
const owners: Address[] = [who.client, who.alice, who.bob, who.carol, who.feeTo, who.patron]

/** The call that `intent` comes to; a plan is funded first where there is none to work on. */
export function callOf(known: Known, intent: Intent): Call {
  const { state, chain } = known
  const draw = numbers(intent.seed)
  const hasCredits = [chain.usdc, chain.wayward].some((token) => richest(state, token) !== null)
  if (!hasCredits && isOfCredits(intent.fn) && intent.seed % 6 !== 0) return callOf(known, { ...intent, fn: 'token.setAnswer' })
  const open = openOf(known, intent)
  const account = draw.pick(owners)
  const token = draw.pick([chain.usdc, chain.wayward])
  const late = BigInt(state.time + draw.below(3) - 1)
  switch (intent.fn) {
    case 'token.setAnswer':
      return {
        fn: intent.fn,
        from: who.relayer,
        token: chain.wayward,
        account: draw.pick([...owners, chain.escrow]),
        answer: draw.below(8) % 5,
      }
    case 'token.setFee':
      return { fn: intent.fn, from: who.relayer, token: chain.wayward, bps: draw.chance(3) ? 200 : 0 }
    case 'token.give':
      return { fn: intent.fn, from: who.relayer, token, amount: BigInt(draw.below(1000)) }
    case 'token.approve':
      return { fn: intent.fn, from: account, token, amount: draw.chance(2) ? 2n ** 256n - 1n : BigInt(draw.below(50_000)) }
    case 'setSigner':
      return { fn: intent.fn, from: draw.pick([who.alice, who.bob]), signer: who.delegate, allowed: draw.chance(3, 4) }
    case 'setSignerBySignature': {
      const message = {
        type: 'SetSigner',
        account,
        signer: who.delegate,
        allowed: draw.chance(2),
        nonce: state.nonces[account] ?? 0n,
        deadline: late,
      }
      return { fn: intent.fn, from: who.relayer, ...message, signature: { by: account, signedMessage: message } }
    }
    case 'withdrawCredit':
      return { fn: intent.fn, from: richest(state, token) ?? account, token, to: draw.pick([account, account, who.stranger, chain.escrow]) }
    case 'withdrawCreditTo': {
      const rich = richest(state, token) ?? account
      const message = { type: 'CreditWithdrawal', account: rich, token, to: account, nonce: state.nonces[rich] ?? 0n, deadline: late + 1n }
      return { fn: intent.fn, from: who.relayer, ...message, signature: { by: rich, signedMessage: message } }
    }
    case 'fund':
    case 'fundMany':
    case 'fundWithAuthorization':
      return funding(known, intent, intent.fn)
    default:
      return open ? onPlan(known, intent, likely(intent, open), open) : funding(known, intent, 'fund')
  }
}

const isOfCredits = (fn: Fn) => fn === 'withdrawCredit' || fn === 'withdrawCreditTo'

/** Who calls for the client; required if the terms name no account. */
const actorOf = (terms: Terms) => (terms.client === zeroAddress ? who.client : terms.client)

function funding({ state, book, chain }: Known, intent: Intent, fn: FundFn): Call {
  const draw = numbers(intent.seed + 1)
  const make = (changes: Partial<Terms> = {}) => {
    const { terms, charter } = anyTerms(state, chain, draw, intent.flaw, changes)
    book.learn(terms, charter)
    return terms
  }
  const signed = (terms: Terms) => terms.token === chain.usdc
  switch (fn) {
    case 'fund': {
      const again = draw.chance(10) ? Object.values(book.terms)[0] : undefined
      const terms = again ?? make()
      return { fn, from: actorOf(terms), terms }
    }
    case 'fundMany':
      return { fn, from: who.client, terms: Array.from({ length: draw.below(4) }, () => make()) }
    case 'fundWithAuthorization': {
      const terms = make()
      const [validAfter, validBefore] = [BigInt(state.time - draw.below(9)), BigInt(state.time + draw.below(20))]
      const message: Message = {
        type: 'ReceiveWithAuthorization',
        from: terms.client,
        to: chain.escrow,
        value: terms.total,
        validAfter,
        validBefore,
        nonce: book.idOf(terms),
      }
      return {
        fn,
        from: who.relayer,
        terms,
        validAfter,
        validBefore,
        signature: signed(terms) ? { by: terms.client, signedMessage: message } : null,
      }
    }
  }
}

function onPlan(known: Known, intent: Intent, fn: PlanFn, { id, plan, terms, charter }: Open): Call {
  const { state, book, chain } = known
  const draw = numbers(intent.seed + 2)
  const count = charter.steps.length
  const pending = stepsWith(plan, codeOf.pending) & (2n ** BigInt(count) - 1n)
  const disputed = stepsWith(plan, codeOf.disputed)
  const some = draw.chance(3) ? pending : pending & BigInt(draw.below(2 ** 31))
  const bits = some === 0n ? pending : some
  const one = indexIn(draw.chance(2) ? pending : disputed, draw) ?? indexIn(pending | disputed, draw) ?? 0
  const payee = charter.steps[one]?.payee ?? who.alice
  const keyFor = (account: Address) => state.wallets[account] ?? account
  const word = (by: Address, signedMessage: Message): Signature => ({ by: keyFor(by), signedMessage })
  const conclusionHash = draw.hash()
  const version = plan.version

  /** Mostly of the client's side; proposed where the terms allow it, one time in three. */
  const sealing = (replaced: Charter | null, proposed = terms.vetoSeconds !== 0 && draw.chance(2)): Sealing => {
    const isSame = draw.chance(4) && charter.steps.length > 0
    const next = isSame ? charter : anyCharter(terms, chain, draw, intent.flaw)
    book.know(next)
    const nextVersion = isSame ? version : plan.state !== 2 && !proposed && draw.chance(3) ? 1 : version + 1
    const words = { planId: id, version: nextVersion, ...hashCharter(next) }
    const clientSide = terms.authorizer !== zeroAddress && draw.chance(2) ? terms.authorizer : terms.client
    return {
      terms,
      version: nextVersion,
      charter: next,
      proposed,
      signature: proposed ? null : word(clientSide, { type: 'CharterAuthorization', ...words }),
      evaluatorSignature: word(terms.evaluator, { type: 'Charter', ...words }),
      memberSignatures: membersOf(next, replaced).map((member) => {
        const signer = state.signers[`${member} ${who.delegate}`] && draw.chance(2) ? who.delegate : member
        return { signer, signature: draw.chance(4) ? null : word(signer, { type: 'Charter', ...words }) }
      }),
    }
  }
  const sealedSettlement = (): SealedSettlement => {
    const own = sealing(null, draw.chance(8))
    const all = 2n ** BigInt(own.charter.steps.length) - 1n
    const content = { bits: draw.chance(2) ? all : all & BigInt(draw.below(2 ** 31)), close: draw.chance(2), conclusionHash }
    const message: Message = { type: 'Attestation', planId: id, charter: settledCharter(own.charter), ...content }
    return { sealing: own, ...content, signature: word(terms.evaluator, message) }
  }
  const unsigned = <T extends { signature: Signature }>(one: T): T => ({ ...one, signature: null })
  /** The evaluator's one signature over what it would sign of each. */
  const wordFor = (all: readonly { signature: Signature }[]): BatchWord => ({
    evaluator: terms.evaluator,
    by: keyFor(terms.evaluator),
    signedMessage: all.flatMap(({ signature }) => (signature ? [signature.signedMessage] : [])),
  })
  const bySide = (signedMessage: Message) => {
    const by = terms.authorizer !== zeroAddress && draw.chance(2) ? terms.authorizer : terms.client
    return draw.chance(3) && by !== zeroAddress && !state.wallets[by]
      ? { from: by, signature: null }
      : { from: who.relayer, signature: word(by, signedMessage) }
  }
  const settlement = (type: 'Attestation' | 'HalfAttestation' | 'Release', of = bits): Settlement => {
    const close = draw.chance(3)
    const content = { bits: type === 'Release' && close ? pending : close && draw.chance(3) ? 0n : of, close, conclusionHash }
    const by = type === 'Release' ? terms.client : terms.evaluator
    return { terms, charter, ...content, signature: word(by, { type, planId: id, charter: settledCharter(charter), ...content }) }
  }
  switch (fn) {
    case 'seal':
      return { fn, from: who.relayer, sealing: sealing(null) }
    case 'reseal':
      return { fn, from: who.relayer, sealing: sealing(charter), replaced: charter }
    case 'submit': {
      const mine = charter.steps.reduce((all, step, i) => (step.payee === payee ? all | (1n << BigInt(i)) : all), 0n)
      const by = state.signers[`${payee} ${who.delegate}`] ? who.delegate : payee
      const content = { bits: mine & pending, outputsHash: conclusionHash }
      const signature = word(by, { type: 'StepSubmission', planId: id, version, ...content })
      const isCalled = draw.chance(2) && by !== chain.wallet
      return { fn, from: isCalled ? by : who.relayer, terms, charter, ...content, by, signature: isCalled ? null : signature }
    }
    case 'veto':
      return { fn, terms, version, ...bySide({ type: 'CharterVeto', planId: id, version }) }
    case 'requestClose':
      return { fn, terms, ...bySide({ type: 'CloseRequest', planId: id, version }) }
    case 'sealAndSettle':
      return { fn, from: who.relayer, one: sealedSettlement() }
    case 'sealAndSettleMany': {
      const first = sealedSettlement()
      const all = draw.chance(2) ? [first, first] : [first]
      if (draw.chance(2)) return { fn, from: who.relayer, all, word: null, gasEach }
      return { fn, from: who.relayer, all: all.map(unsigned), word: wordFor(all), gasEach }
    }
    case 'settle':
      return draw.chance(3) && !state.wallets[terms.evaluator]
        ? { fn, from: terms.evaluator, settlement: { ...settlement('Attestation'), signature: null } }
        : { fn, from: who.relayer, settlement: settlement('Attestation') }
    case 'settleHalf':
      return { fn, from: who.relayer, settlement: settlement('HalfAttestation') }
    case 'settleMany': {
      const [low, high] = [bits & 0x5555n, bits & 0xaaaan]
      const settlements = [settlement('Attestation', low), settlement('Attestation', high), settlement('Attestation')]
      // The evaluator's own batch needs no signature.
      if (draw.chance(3) && !state.wallets[terms.evaluator])
        return { fn, from: terms.evaluator, settlements: settlements.map(unsigned), word: null, gasEach }
      if (draw.chance(2)) return { fn, from: who.relayer, settlements, word: null, gasEach }
      return { fn, from: who.relayer, settlements: settlements.map(unsigned), word: wordFor(settlements), gasEach }
    }
    case 'release': {
      const asked = settlement('Release')
      return draw.chance(2)
        ? { fn, from: who.relayer, settlement: asked }
        : { fn, from: terms.client, settlement: { ...asked, signature: null } }
    }
    case 'settleOnSilence': {
      const receivedAt = terms.workBy + draw.below(3) - 2
      const outputsHash = conclusionHash
      const message: Message = { type: 'Submission', planId: id, charter: settledCharter(charter), bits, outputsHash, receivedAt }
      const given: Acknowledgement = { bits, outputsHash, receivedAt, signature: word(terms.evaluator, message) }
      const none: Acknowledgement = { bits: 0n, outputsHash: noHash, receivedAt: 0, signature: null }
      const isOnChain = (plan.submitted & pending) !== 0n && draw.chance(2)
      return {
        fn,
        from: who.stranger,
        terms,
        charter,
        bits: isOnChain ? plan.submitted & pending : bits,
        acknowledgement: isOnChain ? none : given,
      }
    }
    case 'dispute': {
      const by = draw.pick([terms.client, payee])
      const step = indexIn(pending, draw) ?? one
      const evidenceHash = conclusionHash
      const signature = word(by, { type: 'DisputeOpened', planId: id, version, step, evidenceHash })
      return { fn, from: who.relayer, terms, charter, step, evidenceHash, by, signature }
    }
    case 'rule': {
      const [step, payeeBps] = [indexIn(disputed, draw) ?? one, draw.share()]
      const signature = word(terms.arbitrator, { type: 'Ruling', planId: id, version, step, payeeBps, rulingHash: conclusionHash })
      return {
        fn,
        from: who.relayer,
        terms,
        charter,
        step,
        payeeBps,
        rulingHash: conclusionHash,
        signature: terms.arbitrator === zeroAddress ? null : signature,
      }
    }
    case 'acceptOffer': {
      const [payeeBps, deadline] = [draw.share(), state.time + draw.below(5)]
      const message: Message = { type: 'SettlementOffer', planId: id, version, step: one, payeeBps, deadline }
      const [clientSignature, payeeSignature] = [word(terms.client, message), word(payee, message)]
      return { fn, from: who.relayer, terms, charter, step: one, payeeBps, deadline, clientSignature, payeeSignature }
    }
    case 'refund':
      return { fn, from: who.stranger, terms }
    case 'closeExpired':
      return { fn, from: who.stranger, terms, charter }
  }
}
