import type { DisputeState, SettlementOfferState, SilenceOutcome } from '@parley/protocol'
import type { Dispute, SettlementOffer } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { requireOperator } from '../../policy/index.ts'
import { isFunded, requireEscrowHold } from '../holds/hold.ts'
import { noArbitrator } from '../holds/hold-deadlines.ts'
import { loadHoldForDisplay } from '../holds/hold-store.ts'
import { silenceOutcomeOfTerms } from '../holds/silence-outcome-mapping.ts'

type Hex = `0x${string}`

export type DisputeView = {
  readonly id: string
  readonly goalId: string
  readonly step: number
  readonly by: Hex
  readonly state: DisputeState
  readonly failure: string | null
  readonly evidenceHash: Hex
  /** Visible to the parties and operators; null for others. */
  readonly evidence: { readonly text: string; readonly artifacts: readonly string[] } | null
  readonly openedTx: Hex | null
  readonly openedAt: Date | null
  /** The payee's share by ruling, agreement or default, in basis points. */
  readonly payeeBps: number | null
  readonly rulingHash: Hex | null
  readonly reason: string | null
  readonly closedTx: Hex | null
  readonly closedAt: Date | null
}
export type OfferView = {
  readonly id: string
  readonly goalId: string
  readonly step: number
  readonly party: 'client' | 'payee'
  readonly payeeBps: number
  /** Unix seconds. */
  readonly deadline: number
  readonly state: SettlementOfferState
  readonly failure: string | null
  readonly tx: Hex | null
  readonly createdAt: Date
}
export type DisputesView = {
  readonly disputes: readonly DisputeView[]
  /** Visible to the parties and operators; empty for others. */
  readonly offers: readonly OfferView[]
  /** Unix seconds: disputes can be opened until `reviewBy` and ruled until `expiry`. */
  readonly reviewBy: number
  readonly expiry: number
  /** Unix seconds: until then the money of returned steps stays, so that payees can dispute. Null if nothing waits. */
  readonly disputeBy: number | null
  /** Default outcome of a dispute without a ruling. */
  readonly onSilence: SilenceOutcome
  readonly canDispute: boolean
}

/**
 * Disputes and offers of a goal. The caller checks who may read the goal. Evidence and offers are visible to the client, the
 * payees and operators.
 * @throws hold.not_found, hold.wrong_rail
 */
export async function getDisputesAndOffers(ctx: Context, goalId: string): Promise<DisputesView> {
  const hold = requireEscrowHold(await loadHoldForDisplay(ctx, goalId))
  const { client, reviewBy, expiry, arbitrator } = hold.terms
  const payouts = await ctx.db.payout.findMany({ where: { goalId, state: { not: 'replaced' } }, select: { step: true, payee: true } })
  const mayRead = (step: number) => {
    const { actor } = ctx
    if (actor.kind === 'system') return true
    if (actor.kind !== 'person') return false
    const who = actor.address.toLowerCase()
    return actor.isOperator || who === client || payouts.some((payout) => payout.step === step && payout.payee === who)
  }
  const [disputes, offers] = await Promise.all([
    ctx.db.dispute.findMany({ where: { goalId }, orderBy: { step: 'asc' } }),
    ctx.db.settlementOffer.findMany({ where: { goalId }, orderBy: { createdAt: 'desc' } }),
  ])
  return {
    disputes: disputes.map((dispute) => viewDispute(dispute, mayRead(dispute.step))),
    offers: offers.filter((offer) => mayRead(offer.step)).map(viewOffer),
    reviewBy,
    expiry,
    disputeBy: isFunded(hold) ? hold.disputeBy : null,
    onSilence: silenceOutcomeOfTerms(hold.terms),
    canDispute: arbitrator !== noArbitrator && isFunded(hold) && ctx.clock.now().getTime() < reviewBy * 1_000,
  }
}

/** Disputes that wait for a ruling, oldest first. @throws permission.denied for all but operators */
export async function listOpenDisputes(ctx: Context): Promise<(DisputeView & { readonly expiry: number })[]> {
  requireOperator(ctx, 'dispute.list')
  const rows = await ctx.db.dispute.findMany({ where: { state: { in: ['open', 'ruling'] } }, orderBy: { openedAt: 'asc' }, take: 200 })
  const holds = await ctx.db.hold.findMany({ where: { goalId: { in: rows.map((row) => row.goalId) } } })
  const expiries = new Map(holds.map((hold) => [hold.goalId, hold.expiry]))
  return rows.map((row) => ({ ...viewDispute(row, true), expiry: expiries.get(row.goalId) ?? 0 }))
}

function viewDispute(row: Dispute, mayRead: boolean): DisputeView {
  const { id, goalId, step, state, failure, openedAt, payeeBps, closedAt } = row
  return {
    id,
    goalId,
    step,
    by: row.by as Hex,
    state,
    failure,
    evidenceHash: row.evidenceHash as Hex,
    evidence: mayRead ? { text: row.evidence, artifacts: row.artifacts } : null,
    openedTx: row.openedTx as Hex | null,
    openedAt,
    payeeBps,
    rulingHash: row.rulingHash as Hex | null,
    reason: mayRead ? row.reason : null,
    closedTx: row.closedTx as Hex | null,
    closedAt,
  }
}

function viewOffer(row: SettlementOffer): OfferView {
  const { id, goalId, step, party, payeeBps, deadline, state, failure, createdAt } = row
  return { id, goalId, step, party, payeeBps, deadline, state, failure, tx: row.tx as Hex | null, createdAt }
}
