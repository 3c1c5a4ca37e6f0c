/** How money is received. */
import type { Hex } from 'viem'
import { emitEvent, noHash, planId, type Run, refuse, silencePays, zeroAddress } from './call-context.ts'
import { pull, receiveWithAuthorization, tokenOf } from './tokens.ts'
import type { Signature, Terms } from './types.ts'

export function fund(run: Run, terms: Terms): void {
  openForCaller(run, terms)
  pull(run, terms.token, terms.client, terms.total)
}

export function fundMany(run: Run, all: readonly Terms[]): void {
  let sum = 0n
  for (const [i, terms] of all.entries()) {
    openForCaller(run, terms)
    sum += terms.total
    if (all[i + 1]?.token === terms.token) continue
    pull(run, terms.token, terms.client, sum)
    sum = 0n
  }
}

export function fundWithAuthorization(run: Run, terms: Terms, validAfter: bigint, validBefore: bigint, signature: Signature): void {
  const nonce = open(run, terms)
  receiveWithAuthorization(run, terms.token, { from: terms.client, value: terms.total, validAfter, validBefore, nonce }, signature)
}

function openForCaller(run: Run, terms: Terms): Hex {
  if (run.from !== terms.client) refuse('NotClient')
  return open(run, terms)
}

function open(run: Run, terms: Terms): Hex {
  const { client, evaluator, arbitrator, authorizer, total, feeBps, feeTo } = terms
  const { escrow } = run.state
  if (client === zeroAddress) refuse('MissingClient')
  if (evaluator === zeroAddress || evaluator === escrow) refuse('MissingEvaluator')
  if (evaluator === client || evaluator === arbitrator || arbitrator === client) refuse('SelfDealing')
  if (authorizer !== zeroAddress && (authorizer === evaluator || authorizer === arbitrator)) refuse('SelfDealing')
  requireDeadlines(run.state.time, terms)
  tokenOf(run, terms.token)
  if (total === 0n) refuse('EmptyTotal')
  if (feeBps > 1000) refuse('FeeTooHigh')
  if (feeBps !== 0 && (feeTo === zeroAddress || feeTo === escrow)) refuse('MissingFeeTo')
  const id = planId(run, terms)
  if (run.state.plans[id]) refuse('AlreadyFunded')
  const codes = Array.from({ length: 64 }, () => 0)
  run.state.plans[id] = {
    status: 1,
    remaining: total,
    codes,
    version: 0,
    state: terms.charter === noHash ? 0 : 2,
    closing: false,
    vetoed: false,
    noticed: false,
    charter: noHash,
    submitted: 0n,
    disputedByPayee: 0n,
    payableFrom: 0,
    closableFrom: 0,
  }
  emitEvent(run, 'PlanFunded', { planId: id, client, token: terms.token, total })
  return id
}

function requireDeadlines(time: number, terms: Terms): void {
  const { workBy, reviewBy, expiry } = terms
  if (time >= workBy || workBy > reviewBy || reviewBy > expiry || expiry > time + maxDuration) refuse('BadDeadlines')
  if (terms.onSilence > highestSilence || (terms.onSilence & 5) === 4) refuse('BadSilence')
  const wantsTime = silencePays(terms) || terms.arbitrator !== zeroAddress
  if (wantsTime && (reviewBy - workBy < 600 || expiry - reviewBy < 600)) refuse('WindowTooShort')
}

const highestSilence = 7
const maxDuration = 365 * 86_400
