import type { Charter, EscrowTerms } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { holdNotClient, holdTooLate, holdWrongState } from '../errors.ts'
import { authorizationWindow, type Hold, requireEscrowHold } from './hold.ts'
import { loadHold } from './hold-store.ts'
import { getQuotedCharter } from './quoted-charter.ts'

export type Funding = {
  /** EIP-712 typed data for `eth_signTypedData_v4`. */
  readonly typedData: Eip712TypedData
  readonly terms: EscrowTerms
  /** The charter of a quoted goal. The terms name it by its binding, so the signature covers it. Null in an open bounty. */
  readonly charter: Charter | null
  /** Unix seconds. */
  readonly validAfter: number
  readonly validBefore: number
  /** Token balance of the wallet, in base units. */
  readonly balance: bigint
}

/** Typed data for the funding, and the client's balance. Valid for at least an hour. */
export async function getFundingTerms(ctx: Context, goalId: string): Promise<Funding> {
  const hold = requireEscrowHold(await loadHold(ctx, goalId))
  requireClient(ctx, hold)
  const now = seconds(ctx.clock.now())
  requireFundable(hold, now)
  const window = authorizationWindow(now)
  return {
    typedData: ctx.ports.rail.fundingTypedData(hold.terms, window),
    terms: hold.terms,
    charter: (await getQuotedCharter(ctx, goalId))?.charter ?? null,
    ...window,
    balance: await ctx.ports.rail.balanceOf(hold.terms.client),
  }
}

/** @throws permission.denied for all but the client and the server */
export function requireClient(ctx: Context, hold: Hold): void {
  if (ctx.actor.kind === 'system') return
  const who = ctx.actor.kind === 'person' ? ctx.actor.address.toLowerCase() : ctx.actor.kind
  if (who !== hold.terms.client) throw holdNotClient(who)
}

/** @throws hold.wrong_state if the hold is already funded, or the deadline has passed */
export function requireFundable(hold: Hold, nowSeconds: number): void {
  if (hold.state !== 'authorizing' && hold.state !== 'failed') throw holdWrongState(hold.state, 'be authorized')
  if (nowSeconds >= hold.terms.workBy) throw holdTooLate(hold.terms.workBy, nowSeconds)
}
