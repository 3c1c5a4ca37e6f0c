/** What an intent is aimed at: the plan that its call can change, the account that has something to take. */
import type { Address, Hex } from 'viem'
import { noHash, silencePays, silenceSplits, stepsWith, zeroAddress } from './call-context.ts'
import type { Chain } from './escrow-on-chain.ts'
import type { Book, Draw } from './random-inputs.ts'
import { type Charter, codeOf, type Fn, type Plan, type State, type Terms } from './types.ts'

export type Intent = { fn: Fn; plan: number; seed: number; flaw: number; wait: number }
export type Known = { state: State; book: Book; chain: Chain }
export type Open = { id: Hex; plan: Plan; terms: Terms; charter: Charter }
export type FundFn = 'fund' | 'fundMany' | 'fundWithAuthorization'
type OwnFn = 'setSigner' | 'setSignerBySignature' | 'withdrawCredit' | 'withdrawCreditTo'
export type PlanFn = Exclude<Fn, FundFn | OwnFn | `token.${string}`>

/** What was drawn, or, three times in four where that could only fail, what leads up to it. */
export function likely({ fn, seed }: Intent, { plan, terms, charter }: Open): PlanFn {
  const wanted = fn as PlanFn
  if (seed % 4 === 0) return wanted
  const isSealed = charter.steps.length > 0
  const early = ['seal', 'sealAndSettle', 'sealAndSettleMany', 'requestClose', 'refund', ...(seed % 3 === 0 ? ['settle', 'release'] : [])]
  if (!isSealed && !early.includes(wanted)) return 'seal'
  if (wanted === 'rule' && stepsWith(plan, codeOf.disputed) === 0n) return 'dispute'
  if (wanted === 'settleOnSilence' && !silencePays(terms)) return 'release'
  if (wanted === 'settleHalf' && !silenceSplits(terms)) return 'settle'
  if (wanted === 'closeExpired' && !silencePays(terms)) return 'refund'
  return wanted
}

/** A plan to work on: mostly one that is open and that this call can change, sometimes any. */
export function openOf({ state, book }: Known, { fn, plan: which }: Intent): Open | null {
  const ids = Object.keys(book.terms) as Hex[]
  const open = ids.filter((id) => state.plans[id]?.status === 1)
  const ripe = open.filter((id) => isRipe(fn, state.time, book.terms[id] as Terms, state.plans[id] as Plan))
  if (open.length === 0 && which % 8 !== 0) return null
  const among = which % 16 === 0 || open.length === 0 ? ids : ripe.length === 0 || which % 5 === 0 ? open : ripe
  const id = among[which % among.length]
  const terms = id && book.terms[id]
  if (!id || !terms) return null
  const plan = state.plans[id] ?? neverFunded
  const binding = terms.charter === noHash ? plan.charter : terms.charter
  return { id, plan, terms, charter: book.charters[binding] ?? { steps: [], royalties: [], charterHash: noHash } }
}

const neverFunded: Plan = {
  status: 1,
  remaining: 0n,
  codes: Array.from({ length: 64 }, () => 0),
  version: 0,
  state: 0,
  closing: false,
  vetoed: false,
  noticed: false,
  charter: noHash,
  submitted: 0n,
  disputedByPayee: 0n,
  payableFrom: 0,
  closableFrom: 0,
}

/** Whether it is this plan's time for this call. */
function isRipe(fn: Fn, time: number, terms: Terms, plan: Plan): boolean {
  const isDisputed = stepsWith(plan, codeOf.disputed) !== 0n
  switch (fn) {
    case 'refund':
      return time >= terms.expiry
    case 'closeExpired':
      return time >= terms.expiry && silencePays(terms) && (isDisputed || plan.submitted !== 0n)
    case 'settleHalf':
      return silenceSplits(terms)
    case 'settleOnSilence':
      return time >= terms.reviewBy && silencePays(terms)
    case 'dispute':
      return time < terms.reviewBy && terms.arbitrator !== zeroAddress && !plan.closing
    case 'rule':
      return time < terms.expiry && isDisputed
    case 'submit':
      return time <= terms.workBy
    case 'seal':
    case 'sealAndSettle':
    case 'sealAndSettleMany':
      return plan.state !== 2 && terms.charter === noHash && time < terms.expiry
    case 'requestClose':
      return plan.state === 0 && !plan.noticed
    case 'veto':
      return plan.state === 1 && time < plan.payableFrom
    case 'reseal':
      return plan.version > 0 && plan.state !== 0
    default:
      return true
  }
}

export function richest(state: State, token: Address): Address | null {
  const all = Object.entries(state.credits[token] ?? {}) as [Address, bigint][]
  const rich = all.filter(([account, amount]) => amount > 0n && account !== state.escrow && !state.wallets[account])
  return rich.sort(([, a], [, b]) => Number(b - a))[0]?.[0] ?? null
}

export function indexIn(bits: bigint, draw: Draw): number | null {
  const all = Array.from({ length: 64 }, (_, i) => i).filter((i) => (bits >> BigInt(i)) & 1n)
  return all.length === 0 ? null : draw.pick(all)
}
