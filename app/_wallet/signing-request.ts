import { formatAmount, ownerDomain, payoutAccountDomain } from '@parley/protocol'
import type { PublicMarket } from '../_components/market.tsx'
import { stepWords } from '../_views/step-words.ts'

/** What a wallet is asked to sign, in words that a person can check. */
export type SigningRequest =
  | { readonly kind: 'message'; readonly text: string }
  | {
      readonly kind: 'payment'
      readonly amount: string
      readonly from: string
      readonly to: string
      /** Which contract of this market gets it; null where it is none. */
      readonly contract: string | null
      /** Until when the signature can be used. */
      readonly usableUntil: string
      readonly raw: string
    }
  | {
      readonly kind: 'other'
      readonly title: string
      readonly lines: readonly (readonly [label: string, value: string])[]
      readonly raw: string
    }

type Loose = { readonly primaryType?: unknown; readonly domain?: unknown; readonly message?: unknown }

export function describeTypedData(data: Loose, market: PublicMarket): SigningRequest {
  const raw = JSON.stringify(data, null, 2)
  const domain = (data.domain ?? {}) as { verifyingContract?: string; name?: string }
  const message = (data.message ?? {}) as Record<string, unknown>
  const isOfToken = domain.verifyingContract?.toLowerCase() === market.token.toLowerCase()
  const isPayment = data.primaryType === 'ReceiveWithAuthorization' || data.primaryType === 'TransferWithAuthorization'
  if (isPayment && isOfToken && /^\d+$/.test(String(message.value))) {
    const to = String(message.to)
    return {
      kind: 'payment',
      amount: `${formatAmount(BigInt(String(message.value)), market.decimals)} ${market.symbol}`,
      from: String(message.from),
      to,
      contract: contractNames(market)[to.toLowerCase()] ?? null,
      usableUntil: readSeconds(message.validBefore),
      raw,
    }
  }
  if (domain.name === listingDomain) return describeOwnerSignature(String(data.primaryType), message, raw)
  if (domain.name === accountDomain) return describeAccountSignature(message, raw)
  const isOfEscrow = domain.verifyingContract?.toLowerCase() === market.escrow.toLowerCase()
  const lines = Object.entries(message).map(([name, value]) => {
    if (name === 'step' && isOfEscrow) return ['Step', stepWords(Number(value))] as const
    return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const
  })
  const deed = isOfEscrow ? deedOf(String(data.primaryType), message) : null
  return { kind: 'other', title: deed ?? `Sign ${String(data.primaryType)} for ${domain.name ?? 'an unnamed contract'}`, lines, raw }
}

const listingDomain = ownerDomain(0).name
const accountDomain = payoutAccountDomain(0).name

/** Who completes the page that opens next receives the wallet's card earnings. */
function describeAccountSignature({ wallet, deadline }: Record<string, unknown>, raw: string): SigningRequest {
  const lines = [
    ['Wallet', String(wallet ?? '')],
    ['Valid until', readSeconds(deadline)],
  ] as const
  return { kind: 'other', title: 'Connect the account that receives your card earnings', lines, raw }
}

/** What an owner's signature changes in its listing. */
function describeOwnerSignature(type: string, message: Record<string, unknown>, raw: string): SigningRequest {
  const said = (name: string) => String(message[name] ?? '')
  const listing = said('listing')
  const until = ['Valid until', readSeconds(message.deadline)] as const
  const handle = listing.split(' ')[0] ?? listing
  if (type === 'KeyChange') {
    const key = message.forgetKey === true ? 'is forgotten' : 'stays'
    const lines = [['Listing', listing], ['Agent', said('agent')], ['Its key', key], until] as const
    return { kind: 'other', title: `Make a new token for ${handle}`, lines, raw }
  }
  const lines = [
    ['Listing', listing],
    ['Paid to until then', said('oldPayout')],
    ['Paid to a day from now', said('newPayout')],
    ['Royalties until then', said('oldRoyalties') || 'none'],
    ['Royalties a day from now', said('newRoyalties') || 'none'],
    until,
  ] as const
  return { kind: 'other', title: `Change who is paid for ${handle}`, lines, raw }
}

/** What a signature for the escrow does, in words; null for a type that has none here. */
function deedOf(type: string, { step, version, payeeBps }: Record<string, unknown>): string | null {
  const which = `step ${Number(step) + 1} of this goal`
  switch (type) {
    case 'CharterAuthorization':
      return 'Approve the team of this goal'
    case 'CharterVeto':
      return `Veto the team of this goal, charter ${String(version)}`
    case 'DisputeOpened':
      return `Dispute ${which}`
    case 'SettlementOffer':
      return `Split ${which}: ${Number(payeeBps) / 100} % to its payee`
    case 'Ruling':
      return `Rule on ${which}: ${Number(payeeBps) / 100} % to its payee`
    default:
      return null
  }
}

/** Where money is held, by address. */
function contractNames({ escrow, channels }: PublicMarket): { readonly [address: string]: string } {
  return { [escrow.toLowerCase()]: 'escrow', ...(channels ? { [channels.toLowerCase()]: 'channels' } : {}) }
}

export function describeTransaction(call: { to?: string; value?: string; data?: string }, market: PublicMarket): SigningRequest {
  const to = call.to ?? 'a new contract'
  const known: { readonly [address: string]: string } = {
    [market.escrow.toLowerCase()]: 'Parley escrow',
    ...(market.channels ? { [market.channels.toLowerCase()]: 'Parley channels' } : {}),
    [market.token.toLowerCase()]: `${market.symbol} token`,
  }
  const name = known[to.toLowerCase()]
  return {
    kind: 'other',
    title: 'Send a transaction',
    lines: [
      ['To', name ? `${name} (${to})` : to],
      ['Ether', formatAmount(BigInt(call.value ?? '0x0'), 18)],
      ['Function', call.data?.slice(0, 10) ?? 'none'],
    ],
    raw: JSON.stringify(call, null, 2),
  }
}

function readSeconds(value: unknown): string {
  const seconds = Number(value)
  if (!Number.isFinite(seconds) || seconds > 8.64e12) return 'always'
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))
}
