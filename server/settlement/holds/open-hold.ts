import { type Charter, charterBinding, charterHash, type EscrowTerms, processingFeeOn, type SilenceOutcome } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { schedule } from '../../delivery/index.ts'
import { formatTraceparent } from '../../telemetry/index.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { arbitratorMissing, authorizerConflict, cardsNotSupported } from '../errors.ts'
import { wholeCents } from '../ledger/allocate-cents.ts'
import { type HoldView, viewHold } from './get-hold.ts'
import type { CardTerms } from './hold.ts'
import { holdDeadlines, noArbitrator } from './hold-deadlines.ts'
import { loadHold } from './hold-store.ts'
import { saveQuotedCharter } from './quoted-charter.ts'
import { onSilenceOf } from './silence-outcome-mapping.ts'

const daySeconds = 86_400
/** No session key: only the client's wallet approves charters. */
const noAuthorizer: `0x${string}` = `0x${'0'.repeat(40)}`
/** No charter in the terms: the team is not known yet. */
const noCharter: `0x${string}` = `0x${'0'.repeat(64)}`

export type OpenHold = {
  readonly goalId: string
  /** The payment rail. It never changes. */
  readonly rail: 'escrow' | 'stripe'
  /** The wallet with which the client signs in. On the escrow rail it also pays. */
  readonly client: `0x${string}`
  /** Total including the fee, in base units of the rail's asset. */
  readonly total: bigint
  /** Unix seconds. */
  readonly workBy: number
  readonly reviewSeconds: number
  /** A session key that may approve or veto charters for the client. Unset: only the client's wallet may. */
  readonly authorizer?: `0x${string}` | undefined
  /** Length of the veto window of an unapproved charter, in seconds. 0: unapproved charters are rejected. Unset: a day. */
  readonly vetoSeconds?: number | undefined
  /** What the client's silence does with delivered work. Unset: it pays it. */
  readonly onSilence?: SilenceOutcome | undefined
  readonly briefHash: `0x${string}`
  /** The charter of a quoted goal, which the client funds with the terms. Unset: an open bounty, whose charter follows. */
  readonly charter?: Charter | undefined
}

/** The asset of a rail. US dollars have the token's six decimals here, but move in whole cents. */
export function assetOf(ctx: Context, rail: OpenHold['rail']): string {
  return rail === 'escrow' ? ctx.market.asset : 'iso4217:USD'
}

/**
 * Stores the terms under which the client may fund the hold. No money moves until the client signs or pays.
 * @throws hold.no_arbitrator: the escrow pays submitted steps by default, which only a dispute stops; hold.authorizer_invalid
 */
export async function openHold(tx: Context, input: OpenHold): Promise<HoldView> {
  const quoted = input.charter && { charter: input.charter, charterHash: await charterHash(input.charter) }
  const terms = termsOf(tx, input, quoted ? charterBinding(quoted.charter, quoted.charterHash) : noCharter)
  const now = tx.clock.now()
  const row = {
    ...{ goalId: input.goalId, rail: input.rail, state: 'authorizing' as const, asset: assetOf(tx, input.rail) },
    traceparent: tx.trace ? formatTraceparent(tx.trace) : null,
    ...(quoted && { termsCharter: terms.charter, quotedCharter: quoted.charter as object }),
    createdAt: now,
    updatedAt: now,
  }
  if (input.rail === 'escrow') {
    const onChain: EscrowTerms = escrowTermsOf(tx, terms)
    const { charter: _column, ...columns } = onChain
    await tx.db.hold.create({
      data: {
        ...row,
        ...columns,
        salt: onChain.salt.toString(),
        planId: tx.ports.rail.planId(onChain),
        chainId: tx.market.chainId,
        escrow: lower(tx.market.escrow),
      },
    })
  } else {
    if (!tx.ports.cards) throw cardsNotSupported()
    const processingFeeCents = processingFeeOn(wholeCents(input.total), tx.ports.cards.fee)
    const { charter: _column, ...columns } = terms
    await tx.db.hold.create({ data: { ...row, ...columns } })
    await tx.db.cardHold.create({ data: { goalId: input.goalId, processingFeeCents } })
  }
  // One minute of slack, because the chain's clock may lag behind ours.
  await schedule(
    tx,
    'reclaim-hold',
    { goalId: input.goalId },
    { jobKey: `reclaim-hold:${input.goalId}`, runAt: new Date(Math.max((terms.expiry + 60) * 1_000, seconds(now) * 1_000)) },
  )
  const hold = await loadHold(tx, input.goalId)
  if (quoted) await saveQuotedCharter(tx, hold, quoted)
  await appendAudit(tx, {
    stream: holdAuditStreamName(input.goalId),
    action: 'hold.open',
    after: {
      state: hold.state,
      rail: hold.rail,
      ...(hold.rail === 'escrow' ? { plan_id: hold.planId } : {}),
      total: terms.total,
      expiry: terms.expiry,
    },
  })
  return viewHold(hold, { sealedTx: null, frozenSince: null })
}

/** `charter`: of a quoted goal. Nothing follows it that a session key could approve, or a veto window delay. */
function termsOf({ market }: Context, input: OpenHold, charter: `0x${string}`): CardTerms {
  const isFixed = charter !== noCharter
  const authorizer = isFixed ? noAuthorizer : lower(input.authorizer ?? noAuthorizer)
  requireDistinctAuthorizer(authorizer, { evaluator: lower(market.evaluator), arbitrator: lower(market.arbitrator) })
  const canDispute = input.rail === 'escrow' && market.arbitrator !== noArbitrator
  const onSilence = input.onSilence ?? 'pay'
  if (input.rail === 'escrow' && !canDispute && onSilence !== 'refund') throw arbitratorMissing()
  const { reviewBy, expiry } = holdDeadlines({ workBy: input.workBy, reviewSeconds: input.reviewSeconds, canDispute })
  return {
    client: lower(input.client),
    total: input.total,
    workBy: input.workBy,
    reviewBy,
    expiry,
    feeBps: market.feeBps,
    feeTo: lower(market.feeTo),
    evaluator: lower(market.evaluator),
    authorizer,
    vetoSeconds: isFixed ? 0 : (input.vetoSeconds ?? daySeconds),
    onSilence: onSilenceOf(onSilence),
    charter,
    briefHash: lower(input.briefHash),
  }
}

/** The escrow's terms: the common terms and the chain-specific ones. */
function escrowTermsOf(tx: Context, terms: CardTerms): EscrowTerms {
  return {
    ...terms,
    token: lower(tx.market.token),
    arbitrator: lower(tx.market.arbitrator),
    salt: BigInt(`0x${Buffer.from(tx.ids.secret(), 'base64url').toString('hex')}`),
  }
}

/** A server key must not approve charters for the client. */
function requireDistinctAuthorizer(authorizer: `0x${string}`, keys: { readonly [role: string]: `0x${string}` }): void {
  for (const [role, key] of Object.entries(keys)) if (authorizer !== noAuthorizer && authorizer === key) throw authorizerConflict(role)
}

const lower = (hex: `0x${string}`) => hex.toLowerCase() as `0x${string}`
