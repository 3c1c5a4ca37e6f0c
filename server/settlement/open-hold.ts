import type { EscrowTerms } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { schedule } from '../delivery/index.ts'
import { type HoldView, viewHold } from './get-hold.ts'
import { holdChain } from './hold.ts'
import { loadHold } from './store.ts'

const daySeconds = 86_400

export type OpenHold = {
  readonly goalId: string
  /** The wallet that pays. */
  readonly client: `0x${string}`
  /** Fee included, base units. */
  readonly total: bigint
  /** Unix seconds. */
  readonly workBy: number
  readonly reviewSeconds: number
  readonly briefHash: `0x${string}`
}

/** Names the terms under which the client may set the money aside. No money moves; the client's signature is awaited. */
export async function openHold(tx: Context, input: OpenHold): Promise<HoldView> {
  const { market } = tx
  const terms: EscrowTerms = {
    client: lower(input.client),
    token: lower(market.token),
    total: input.total,
    workBy: input.workBy,
    // The day on top is for us: to settle what was accepted in the last minute, before anybody may refund.
    expiry: input.workBy + input.reviewSeconds + daySeconds,
    feeBps: market.feeBps,
    feeTo: lower(market.feeTo),
    evaluator: lower(market.evaluator),
    briefHash: lower(input.briefHash),
    salt: BigInt(`0x${Buffer.from(tx.ids.secret(), 'base64url').toString('hex')}`),
  }
  const now = tx.clock.now()
  await tx.db.hold.create({
    data: {
      goalId: input.goalId,
      rail: 'escrow',
      state: 'authorizing',
      asset: market.asset,
      planId: tx.ports.rail.planId(terms),
      chainId: market.chainId,
      escrow: lower(market.escrow),
      ...terms,
      salt: terms.salt.toString(),
      createdAt: now,
      updatedAt: now,
    },
  })
  // A minute late rather than early: the chain's clock may run behind ours.
  await schedule(
    tx,
    'reclaim-hold',
    { goalId: input.goalId },
    { jobKey: `reclaim-hold:${input.goalId}`, runAt: new Date(Math.max((terms.expiry + 60) * 1_000, seconds(now) * 1_000)) },
  )
  const hold = await loadHold(tx, input.goalId)
  await appendAudit(tx, {
    chain: holdChain(input.goalId),
    action: 'hold.open',
    after: { state: hold.state, plan_id: hold.planId, total: terms.total, expiry: terms.expiry },
  })
  return viewHold(hold, null)
}

function lower(hex: `0x${string}`): `0x${string}` {
  return hex.toLowerCase() as `0x${string}`
}
