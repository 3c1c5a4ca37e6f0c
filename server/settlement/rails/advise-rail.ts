/** Payment rails. `one_shot`: paid with the call. `plan`: held in escrow. `voucher`: payment channel. `card`: Stripe. */
export const railKinds = ['one_shot', 'plan', 'voucher', 'card'] as const
export type RailKind = (typeof railKinds)[number]
/**
 * Rails that this server supports; vouchers only if the market has the channels contract. The other rails exist as contracts, or
 * between client and agent.
 */
export const supportedRails = ['plan', 'voucher', 'card'] as const satisfies readonly RailKind[]
export type SupportedRail = (typeof supportedRails)[number]

export type RailQuestion = {
  /** Amount of one call or plan, in base units of a dollar token (six decimals). */
  readonly value: bigint
  /** Expected number of calls to the same agent per session. */
  readonly callsPerSession: number
  /** Whether the payees are known now. */
  readonly isTeamKnown: boolean
  /** Whether this market supports payment channels. */
  readonly hasChannels: boolean
  readonly client: { readonly hasWallet: boolean; readonly hasCard: boolean }
}
export type RailReasonCode =
  | 'no_wallet'
  | 'nothing_connected'
  | 'below_card_minimum'
  | 'gas_exceeds_value'
  | 'many_calls'
  | 'single_call'
  | 'team_unknown'
  | 'worth_holding'
  | 'not_run_here'
/** `sentence` is shown to the client. */
export type RailReason = { readonly code: RailReasonCode; readonly sentence: string }
export type BestRail = { readonly rail: RailKind; readonly reasons: readonly RailReason[] }
/** `suited`: the best rail if the client had its own tools for it. */
export type RailAdvice = { readonly rail: SupportedRail; readonly suited: RailKind; readonly reasons: readonly RailReason[] }

/** Half a dollar. Below it, gas costs too much of the amount, and cards have a higher minimum. */
export const microValue = 500_000n
/** Above this number of calls per session, vouchers are cheaper. */
export const manyCalls = 20
/** Maximum amount without escrow on a single call: five dollars. */
export const maxOneShotValue = 5_000_000n

const sentences: { readonly [C in RailReasonCode]: string } = {
  no_wallet: 'No wallet is connected, so this is paid by card; the money is with the payment service until you accept.',
  nothing_connected: 'Connect a wallet or pay by card; without either, card is offered.',
  below_card_minimum: 'Cards cannot be charged less than half a dollar; what is not used goes back.',
  gas_exceeds_value:
    'Each payment is so small that settling it alone would cost more than it is worth: vouchers, settled together, suit it.',
  many_calls: 'There are many calls in one sitting: vouchers, one signature for each and one settlement for all, suit them.',
  single_call: 'It is one small call to one agent: it could be paid with the call itself.',
  team_unknown: 'Who will do the work is not known yet: the money is set aside first, and bound to the team when it has signed.',
  worth_holding: 'The amount is worth holding: it is set aside now and paid step by step when you accept.',
  not_run_here: 'This market does not run that way of paying for you: the amount is set aside now and paid step by step when you accept.',
}

/** Recommends a supported rail, with reasons. The client may choose another available one. */
export function adviseRail(question: RailQuestion): RailAdvice {
  const { rail, reasons } = bestRail(question)
  if (isSupported(rail) && (rail !== 'voucher' || question.hasChannels)) return { rail, suited: rail, reasons }
  return { rail: 'plan', suited: rail, reasons: [...reasons, reasonFor('not_run_here')] }
}

function isSupported(rail: RailKind): rail is SupportedRail {
  return supportedRails.some((one) => one === rail)
}

/** The best rail, supported or not, with reasons by weight. */
export function bestRail(question: RailQuestion): BestRail {
  const { value, callsPerSession, isTeamKnown, client } = question
  if (!client.hasWallet)
    return bestWith('card', [client.hasCard ? 'no_wallet' : 'nothing_connected', ...codesIf(value < microValue, 'below_card_minimum')])
  const isMicro = value < microValue
  const isMany = callsPerSession > manyCalls
  // A voucher names its payee.
  if (isTeamKnown && (isMicro || isMany))
    return bestWith('voucher', [...codesIf(isMany, 'many_calls'), ...codesIf(isMicro, 'gas_exceeds_value')])
  if (isTeamKnown && callsPerSession === 1 && value <= maxOneShotValue) return bestWith('one_shot', ['single_call'])
  return bestWith('plan', [...codesIf(!isTeamKnown, 'team_unknown'), 'worth_holding'])
}

function bestWith(rail: RailKind, codes: readonly RailReasonCode[]): BestRail {
  return { rail, reasons: codes.map(reasonFor) }
}

function reasonFor(code: RailReasonCode): RailReason {
  return { code, sentence: sentences[code] }
}

function codesIf(holds: boolean, code: RailReasonCode): RailReasonCode[] {
  return holds ? [code] : []
}
