import type { HoldState, SilenceOutcome } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { findFrozenSince } from '../chain-events/frozen-subjects.ts'
import { type EscrowHold, type Hold, isFunded } from './hold.ts'
import { loadHoldForDisplay } from './hold-store.ts'
import { isQuoted } from './quoted-charter.ts'
import { silenceOutcomeOfTerms } from './silence-outcome-mapping.ts'

type Hex = `0x${string}`

type EscrowView = {
  readonly rail: 'escrow'
  readonly planId: Hex
  readonly chainId: number
  readonly escrow: Hex
  readonly token: Hex
}
type CardView = { readonly rail: 'stripe'; readonly planId: null; readonly chainId: null; readonly escrow: null; readonly token: null }

/** A hold as other modules read it: one shape for all states. Fields that a state does not have are null. */
export type HoldView = (EscrowView | CardView) & {
  readonly goalId: string
  readonly state: HoldState
  readonly asset: string
  /** The wallet with which the client signs in. */
  readonly client: Hex
  readonly total: bigint
  readonly feeBps: number
  readonly feeTo: Hex
  readonly evaluator: Hex
  /** What happens with delivered work if the client does not answer. */
  readonly onSilence: SilenceOutcome
  /** Unix seconds. */
  readonly workBy: number
  readonly expiry: number
  /** How long a charter without the client's approval waits before it can be paid; 0: never. */
  readonly vetoSeconds: number
  readonly briefHash: Hex
  /** Whether the client's signature is stored. */
  readonly isSigned: boolean
  /** Whether the client funds the charter with the terms. Then no other follows it. */
  readonly isQuoted: boolean
  /** Of the charter in force; 0 and null before the first. A quoted charter has version 0. */
  readonly charterVersion: number
  readonly charterHash: Hex | null
  readonly sealedTx: Hex | null
  readonly conclusionHash: Hex | null
  /** Transaction hash. On the card rail: Stripe's id of the payment, and of the closing object. */
  readonly fundedTx: string | null
  readonly settledTx: string | null
  /** Unix seconds: until then the money of returned steps stays, so that payees can dispute. Null if nothing waits. */
  readonly disputeBy: number | null
  readonly failure: string | null
  /** When a dead letter froze the hold. Then the server takes no new action until an operator resolves it. Null otherwise. */
  readonly frozenSince: Date | null
}

/** @throws hold.not_found */
export async function getHold(ctx: Context, goalId: string): Promise<HoldView> {
  const hold = await loadHoldForDisplay(ctx, goalId)
  const isSealed = isFunded(hold) && hold.charter !== null
  const sealedTx = isSealed && hold.rail === 'escrow' ? await sealedIn(ctx, hold) : null
  return viewHold(hold, { sealedTx, frozenSince: await findFrozenSince(ctx, { goalId }) })
}

/** The transaction that brought the charter on chain. That of a quoted goal came with the funding. */
async function sealedIn(ctx: Context, hold: EscrowHold): Promise<Hex | null> {
  if (isQuoted(hold)) return 'fundedTx' in hold ? (hold.fundedTx as Hex) : null
  const { planId } = hold
  const log = await ctx.db.chainLog.findFirst({ where: { planId, name: 'PlanSealed' }, orderBy: [{ block: 'desc' }, { logIndex: 'desc' }] })
  return (log?.txHash ?? null) as Hex | null
}

type Around = Pick<HoldView, 'sealedTx' | 'frozenSince'>

export function viewHold(hold: Hold, { sealedTx, frozenSince }: Around): HoldView {
  const { goalId, state, asset } = hold
  const { client, total, feeBps, feeTo, evaluator, workBy, expiry, vetoSeconds, briefHash } = hold.terms
  return {
    ...railOf(hold),
    goalId,
    state,
    asset,
    client,
    total,
    feeBps,
    feeTo,
    evaluator,
    workBy,
    expiry,
    vetoSeconds,
    briefHash,
    onSilence: silenceOutcomeOfTerms(hold.terms),
    isSigned: hold.state === 'authorizing' ? hold.authorization !== null : isFunded(hold),
    isQuoted: isQuoted(hold),
    charterVersion: isFunded(hold) ? (hold.charter?.version ?? 0) : 0,
    charterHash: isFunded(hold) ? (hold.charter?.hash ?? null) : null,
    sealedTx,
    conclusionHash: 'conclusionHash' in hold ? hold.conclusionHash : null,
    fundedTx: isFunded(hold) ? hold.fundedTx : null,
    settledTx: 'settledTx' in hold ? hold.settledTx : null,
    disputeBy: isFunded(hold) ? hold.disputeBy : null,
    failure: 'failure' in hold ? hold.failure : null,
    frozenSince,
  }
}

function railOf(hold: Hold): EscrowView | CardView {
  if (hold.rail === 'stripe') return { rail: hold.rail, planId: null, chainId: null, escrow: null, token: null }
  const { rail, planId, chainId, escrow, terms } = hold
  return { rail, planId, chainId, escrow, token: terms.token }
}
