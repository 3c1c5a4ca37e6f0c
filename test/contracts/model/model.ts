/**
 * PlanEscrow as a pure function in TypeScript. From a state and a call it returns the next state with its events, or the name of the error
 * and the unchanged state. Knows signers and messages where the contract knows bytes and hashes.
 */

import { type Attested, isKeyOf, type Run, refuse } from './call-context.ts'
import { requestClose, reseal, seal, submit, veto } from './charters.ts'
import { setSigner, setSignerBySignature, withdraw, withdrawCreditTo } from './credits.ts'
import { acceptOffer, closeExpired, dispute, refund, rule } from './disputes.ts'
import { fund, fundMany, fundWithAuthorization } from './funding.ts'
import { release, sealAndSettle, settle, settleHalf, settleOnSilence } from './settlement.ts'
import { balanceOf, tokenOf } from './tokens.ts'
import { type BatchWord, type Call, type Outcome, Refusal, type State } from './types.ts'

export function call(before: State, what: Call, attested: Attested = null): Outcome {
  const run: Run = { state: structuredClone(before), from: what.from, events: [], attested }
  try {
    carry(run, what)
    return { state: run.state, events: run.events, error: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { state: before, events: [], error: error.message }
  }
}

function carry(run: Run, what: Call): unknown {
  switch (what.fn) {
    case 'fund':
      return fund(run, what.terms)
    case 'fundMany':
      return fundMany(run, what.terms)
    case 'fundWithAuthorization':
      return fundWithAuthorization(run, what.terms, what.validAfter, what.validBefore, what.signature)
    case 'seal':
      return seal(run, what.sealing)
    case 'reseal':
      return reseal(run, what.sealing, what.replaced)
    case 'setSigner':
      return setSigner(run, what.from, what.signer, what.allowed)
    case 'setSignerBySignature':
      return setSignerBySignature(run, what)
    case 'submit':
      return submit(run, what)
    case 'veto':
      return veto(run, what)
    case 'requestClose':
      return requestClose(run, what)
    case 'settle':
      return settle(run, what.settlement)
    case 'settleHalf':
      return settleHalf(run, what.settlement)
    case 'sealAndSettle':
      return sealAndSettle(run, what.one)
    case 'settleMany':
      return each(
        run,
        what.word,
        what.settlements.map((settlement) => ({ fn: 'settle', from: run.from, settlement })),
      )
    case 'sealAndSettleMany':
      return each(
        run,
        what.word,
        what.all.map((one) => ({ fn: 'sealAndSettle', from: run.from, one })),
      )
    case 'release':
      return release(run, what.settlement)
    case 'settleOnSilence':
      return settleOnSilence(run, what.terms, what.charter, what.bits, what.acknowledgement)
    case 'dispute':
      return dispute(run, what)
    case 'rule':
      return rule(run, what)
    case 'acceptOffer':
      return acceptOffer(run, what)
    case 'refund':
      return refund(run, what.terms)
    case 'closeExpired':
      return closeExpired(run, what.terms, what.charter)
    case 'withdrawCredit':
      return withdraw(run, what.from, what.token, what.to)
    case 'withdrawCreditTo':
      return withdrawCreditTo(run, what)
    case 'token.setAnswer':
    case 'token.setFee':
    case 'token.give':
    case 'token.approve':
      return ofToken(run, what)
    default:
      return what satisfies never
  }
}

/** Each separately, with the caller's word and the batch's: one that fails leaves what the others did. */
function each(run: Run, word: BatchWord, calls: readonly Call[]): void {
  if (word && !isKeyOf(run.state, word.evaluator, word.by)) refuse('BadSignature')
  for (const [i, one] of calls.entries()) {
    const signedMessage = word?.signedMessage[i]
    const { state, events } = call(run.state, one, word && signedMessage ? { of: word.evaluator, signedMessage } : null)
    run.state = state
    run.events.push(...events)
  }
}

function ofToken(run: Run, what: Extract<Call, { fn: `token.${string}` }>): void {
  const token = tokenOf(run, what.token)
  if (what.fn === 'token.setAnswer') token.answers[what.account] = what.answer
  else if (what.fn === 'token.setFee') token.feeBps = what.bps
  else if (what.fn === 'token.approve') token.allowances[what.from] = what.amount
  else token.balances[run.state.escrow] = balanceOf(token, run.state.escrow) + what.amount
}
