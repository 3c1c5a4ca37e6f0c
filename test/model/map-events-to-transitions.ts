/** Which transition of a world each event of the contracts and of Stripe stands for. An event that is not here fails the check. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { planEscrowAbi } from '../../contracts/abi/plan-escrow.ts'
import { voucherChannelsAbi } from '../../contracts/abi/voucher-channels.ts'

/** By event of PlanEscrow: the calls in the worlds of plans and goals that lead to it. */
const ofPlans: { readonly [event: string]: string } = {
  PlanFunded: 'start: fund',
  PlanSealed: 'seal, sealAndSettle, reseal',
  CharterVetoed: 'veto',
  CloseRequested: 'requestClose',
  StepsSubmitted: 'submit',
  StepsSettled: 'settle, settleHalf, release, sealAndSettle',
  StepsDefaulted: 'settleOnSilence, closeExpired',
  StepSplit: 'settleHalf; settleOnSilence and closeExpired where silence splits',
  StepDisputed: 'dispute',
  StepRuled: 'rule',
  OfferAccepted: 'acceptOffer',
  Paid: 'every call that pays',
  Refunded: 'refund, and every call that closes',
  FeeCredited: 'every call that pays',
  RoyaltyCredited: 'every call that pays; a part of what the payee is owed',
  Credited: 'every call that pays an account that the token refuses',
  CreditWithdrawn: 'after the end: a credit is its holder’s (exception: lost key)',
  PlanClosing: 'settle and release with close over steps that stay open',
  PlanClosed: 'settle, release, sealAndSettle, refund, closeExpired; the last step of a closing plan',
  SignerSet: 'no money: who signs for an account',
  EIP712DomainChanged: 'no money: never emitted, inherited',
}

const ofChannels: { readonly [event: string]: string } = {
  ChannelOpened: 'start: open',
  ToppedUp: 'topUp',
  Claimed: 'claim, close, closeWithSignatures',
  ClaimSkipped: 'a claim of a batch that is refused: nothing changes',
  CloseRequested: 'requestClose; close by the authorizer',
  ChannelClosed: 'withdraw, close, closeWithSignatures',
  Credited: 'every call that pays an account that the token refuses',
  CreditWithdrawn: 'after the end: a credit is its holder’s (exception: lost key)',
  EIP712DomainChanged: 'no money: never emitted, inherited',
}

/** By type, of those that `apply-webhook-event.ts` acts on. */
const ofStripe: { readonly [type: string]: string } = {
  'checkout.session.completed': 'start: the client has paid',
  'checkout.session.async_payment_succeeded': 'start: the client has paid',
  'checkout.session.async_payment_failed': 'before the start: nothing was charged',
  'checkout.session.expired': 'before the start: nothing was charged',
  'transfer.created': 'answer, ask what became of it',
  'transfer.updated': 'answer, ask what became of it',
  'transfer.reversed': 'a reversal is posted',
  'refund.created': 'answer, ask what became of it',
  'refund.updated': 'look again',
  'refund.failed': 'Stripe has failed, credit refund',
  'charge.dispute.created': 'dispute, hear of dispute',
  'charge.dispute.updated': 'hear of dispute',
  'charge.dispute.closed': 'bank: won, bank: lost, hear of dispute',
  'charge.dispute.funds_withdrawn': 'dispute, hear of dispute',
  'charge.dispute.funds_reinstated': 'bank: won, hear of dispute',
  'charge.refund.updated': 'look again',
  'payout.failed': 'after the end: from a publisher’s account to its bank',
  'payout.paid': 'after the end: from a publisher’s account to its bank',
}

/** What Stripe reports about a publisher's account: whether its share can be sent. */
const ofAccounts = /^v2\.core\.account(_link|_person)?[.[]/

type AbiEntry = { readonly type: string; readonly name?: string }
const eventsIn = (abi: readonly AbiEntry[]) => [
  ...new Set(abi.flatMap((entry) => (entry.type === 'event' && entry.name ? [entry.name] : []))),
]

export type Mapping = { readonly total: number; readonly missing: readonly string[] }

function map(names: readonly string[], to: { readonly [name: string]: string }): Mapping {
  return { total: names.length, missing: names.filter((name) => to[name] === undefined) }
}

export function mapContractEvents(plans: readonly AbiEntry[] = planEscrowAbi, channels: readonly AbiEntry[] = voucherChannelsAbi): Mapping {
  const own = map(eventsIn(plans), ofPlans)
  const others = map(eventsIn(channels), ofChannels)
  return { total: own.total + others.total, missing: [...own.missing, ...others.missing] }
}

export function mapStripeEvents(types: readonly string[] = stripeEventTypes()): Mapping {
  const named = types.filter((type) => !ofAccounts.test(type))
  return { total: types.length, missing: map(named, ofStripe).missing }
}

/** The types of the SDK, of the objects about which the product's webhook does something. */
export function stripeEventTypes(): string[] {
  const folder = path.join(import.meta.dirname, '../../node_modules/stripe/esm/resources')
  const texts = ['Events.d.ts', 'V2/Core/Events.d.ts'].map((file) => readFileSync(path.join(folder, file), 'utf8'))
  const types = texts.flatMap((text) => [...text.matchAll(/type: '([^']+)'/g)].map(([, type = '']) => type))
  const acted = /^(checkout\.session\.|transfer\.|refund\.|charge\.dispute\.|charge\.refund\.|payout\.(paid|failed)$|v2\.core\.account)/
  return [...new Set(types.filter((type) => acted.test(type)))].sort()
}
