/**
 * PlanEscrow as a pure function, in plain TypeScript: from a state and a call to the next state with its events, or to
 * the name of the error and the state as it was. Knows signers and messages where the contract knows bytes and hashes.
 */

import { reseal, seal, sealMany, submit } from './charters.ts'
import { setSigner, setSignerBySignature, withdraw, withdrawCreditTo } from './credits.ts'
import { acceptOffer, dispute, refund, refundDisputed, rule } from './disputes.ts'
import { fund, fundFromCredit, fundMany, fundWithAuthorization, fundWithPermit } from './funding.ts'
import { type Run, refuse } from './run.ts'
import { release, settle, settleOnSilence } from './settlement.ts'
import { balanceOf, tokenOf } from './tokens.ts'
import { type Call, type Outcome, Refusal, type Settlement, type State } from './types.ts'

export function call(before: State, what: Call): Outcome {
  const run: Run = { state: structuredClone(before), from: what.from, events: [] }
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
    case 'fundWithPermit':
      return fundWithPermit(run, what.terms, what.deadline, what.signature)
    case 'fundFromCredit':
      return fundFromCredit(run, what.terms)
    case 'seal':
      return seal(run, what.sealing)
    case 'sealMany':
      return sealMany(run, what.sealings)
    case 'reseal':
      return reseal(run, what.sealing, what.replaced)
    case 'setSigner':
      return setSigner(run, what.from, what.signer, what.allowed)
    case 'setSignerBySignature':
      return setSignerBySignature(run, what)
    case 'submit':
      return submit(run, what.terms, what.charter, what.bits, what.outputsHash)
    case 'settle':
      return settle(run, what.settlement)
    case 'settleOnItsOwn':
      return refuse('NotSelf')
    case 'settleMany':
      return settleMany(run, what.settlements)
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
    case 'refundDisputed':
      return refundDisputed(run, what.terms, what.charter)
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

/** Each by itself: one that fails leaves what the others did. */
function settleMany(run: Run, settlements: readonly Settlement[]): void {
  for (const settlement of settlements) {
    const { state, events } = call(run.state, { fn: 'settle', from: run.state.escrow, settlement })
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
