import { formatAmount, ownerDomain, payoutAccountDomain } from '@parley/protocol'
import type { PublicMarket } from '../_components/market-provider.tsx'
import type { Translate } from '../_messages/translate-types.ts'
import { stepNumberLabel } from '../_views/step-number-label.ts'

/** A signing request, in words that a person can check. */
export type SigningRequest =
  | { readonly kind: 'message'; readonly text: string }
  | {
      readonly kind: 'payment'
      readonly amount: string
      readonly from: string
      readonly to: string
      /** The contract of this market that verifies it; null if it is none. */
      readonly contract: string | null
      /** The time at which the signature expires. */
      readonly usableUntil: string
      readonly raw: string
    }
  | {
      readonly kind: 'other'
      readonly title: string
      readonly lines: readonly (readonly [label: string, value: string])[]
      readonly raw: string
    }

/** The translations of a request and of the chain. */
export type RequestWords = { readonly t: Translate<'wallet.request'>; readonly tChain: Translate<'wallet.chain'> }

type Loose = { readonly primaryType?: unknown; readonly domain?: unknown; readonly message?: unknown }

export function describeTypedData(data: Loose, market: PublicMarket, words: RequestWords): SigningRequest {
  const { t } = words
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
      contract: contractNames(market, t)[to.toLowerCase()] ?? null,
      usableUntil: readSeconds(message.validBefore, t),
      raw,
    }
  }
  if (domain.name === listingDomain) return describeOwnerSignature(String(data.primaryType), message, raw, t)
  if (domain.name === accountDomain) return describeAccountSignature(message, raw, t)
  const isOfEscrow = domain.verifyingContract?.toLowerCase() === market.escrow.toLowerCase()
  const lines = Object.entries(message).map(([name, value]) => {
    if (name === 'step' && isOfEscrow) return [t('step'), stepNumberLabel(Number(value), words.tChain)] as const
    return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)] as const
  })
  const actionName = isOfEscrow ? actionNameOf(String(data.primaryType), message, t) : null
  const title = actionName ?? t('signTypeFor', { type: String(data.primaryType), contract: domain.name ?? t('unnamedContract') })
  return { kind: 'other', title, lines, raw }
}

const listingDomain = ownerDomain(0).name
const accountDomain = payoutAccountDomain(0).name

/** The person who completes the next page receives the wallet's card earnings. */
function describeAccountSignature({ wallet, deadline }: Record<string, unknown>, raw: string, t: RequestWords['t']): SigningRequest {
  const lines = [
    [t('wallet'), String(wallet ?? '')],
    [t('validUntil'), readSeconds(deadline, t)],
  ] as const
  return { kind: 'other', title: t('connectPayoutAccount'), lines, raw }
}

/** The change of a listing that an owner signs. */
function describeOwnerSignature(type: string, message: Record<string, unknown>, raw: string, t: RequestWords['t']): SigningRequest {
  const field = (name: string) => String(message[name] ?? '')
  const listing = field('listing')
  const until = [t('validUntil'), readSeconds(message.deadline, t)] as const
  const handle = listing.split(' ')[0] ?? listing
  if (type === 'KeyChange') {
    const key = message.forgetKey === true ? t('keyForgotten') : t('keyStays')
    const lines = [[t('listing'), listing], [t('agent'), field('agent')], [t('itsKey'), key], until] as const
    return { kind: 'other', title: t('makeNewTokenFor', { handle }), lines, raw }
  }
  const lines = [
    [t('listing'), listing],
    [t('paidToUntilThen'), field('oldPayout')],
    [t('paidToDayFromNow'), field('newPayout')],
    [t('royaltiesUntilThen'), field('oldRoyalties') || t('none')],
    [t('royaltiesDayFromNow'), field('newRoyalties') || t('none')],
    until,
  ] as const
  return { kind: 'other', title: t('changeWhoIsPaidFor', { handle }), lines, raw }
}

/** The effect of a signature for the escrow, in words. Null for an unknown type. */
function actionNameOf(type: string, { step, version, payeeBps }: Record<string, unknown>, t: RequestWords['t']): string | null {
  const values = { step: Number(step) + 1, share: `${Number(payeeBps) / 100} %` }
  switch (type) {
    case 'CharterAuthorization':
      return t('approveTeam')
    case 'CharterVeto':
      return t('vetoTeam', { version: String(version) })
    case 'DisputeOpened':
      return t('disputeStep', values)
    case 'SettlementOffer':
      return t('splitStep', values)
    case 'Ruling':
      return t('ruleOnStep', values)
    default:
      return null
  }
}

/** The contracts that hold money, by address. */
function contractNames({ escrow, channels }: PublicMarket, t: RequestWords['t']): { readonly [address: string]: string } {
  return { [escrow.toLowerCase()]: t('escrow'), ...(channels ? { [channels.toLowerCase()]: t('channels') } : {}) }
}

export function describeTransaction(
  call: { to?: string; value?: string; data?: string },
  market: PublicMarket,
  { t }: RequestWords,
): SigningRequest {
  const to = call.to ?? t('newContract')
  const known: { readonly [address: string]: string } = {
    [market.escrow.toLowerCase()]: t('parleyEscrow'),
    ...(market.channels ? { [market.channels.toLowerCase()]: t('parleyChannels') } : {}),
    [market.token.toLowerCase()]: t('token', { symbol: market.symbol }),
  }
  const name = known[to.toLowerCase()]
  return {
    kind: 'other',
    title: t('sendTransaction'),
    lines: [
      [t('to'), name ? `${name} (${to})` : to],
      [t('ether'), formatAmount(BigInt(call.value ?? '0x0'), 18)],
      [t('function'), call.data?.slice(0, 10) ?? t('none')],
    ],
    raw: JSON.stringify(call, null, 2),
  }
}

function readSeconds(value: unknown, t: RequestWords['t']): string {
  const seconds = Number(value)
  if (!Number.isFinite(seconds) || seconds > 8.64e12) return t('always')
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(seconds * 1000))
}
