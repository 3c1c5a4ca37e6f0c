import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { type CardHold, type EscrowHold, type Hold, isFunded } from '../holds/hold.ts'
import { listCharters, loadHoldForDisplay } from '../holds/hold-store.ts'
import { isQuoted } from '../holds/quoted-charter.ts'
import { findCharterUnknownToServer } from './find-charter-unknown-to-server.ts'
import { isCardCharterPayable, vetoWindowEnd } from './is-card-charter-payable.ts'
import { matchesSealedEvent } from './matches-sealed-event.ts'

/** Approval status of the team's charter for the client. */
export type ApprovalView = {
  /** Version of the newest charter that all members have signed; 0 before the first, and of a quoted goal. */
  readonly version: number
  readonly charterHash: string | null
  /** `open`: waits for the client. `proposed`: can be vetoed, and is payable from `payableFrom`. On the escrow rail it is on chain. */
  readonly state: 'none' | 'open' | 'proposed' | 'approved' | 'in_force' | 'vetoed'
  /** Unix seconds; null if no veto window runs. */
  readonly payableFrom: number | null
  /** Whether this server received the charter that was proposed on chain. */
  readonly isKnown: boolean
  /** A sealed charter that this server never received. `vetoBy`: Unix seconds, end of the veto window; null if it is over. */
  readonly foreign: { readonly version: number; readonly vetoBy: number | null } | null
  /** Unix seconds: when anyone can close the plan after the client's close request; null without one. */
  readonly closesAt: number | null
  /** The session key that may approve or veto; the zero address if only the wallet may. */
  readonly authorizer: string
}

/** @throws hold.not_found */
export async function getCharterApproval(ctx: Context, goalId: string): Promise<ApprovalView> {
  const hold = await loadHoldForDisplay(ctx, goalId)
  if (isQuoted(hold)) return quotedApproval(hold)
  return hold.rail === 'escrow' ? onChainApproval(ctx, hold) : cardApproval(ctx, hold)
}

/** The client approves the charter of a quoted goal by funding it. */
function quotedApproval(hold: Hold): ApprovalView {
  const charterHash = isFunded(hold) ? (hold.charter?.hash ?? null) : null
  const state = charterHash === null ? 'none' : 'approved'
  const { authorizer } = hold.terms
  return { version: 0, charterHash, state, payableFrom: null, isKnown: true, foreign: null, closesAt: null, authorizer }
}

async function cardApproval(ctx: Context, hold: CardHold): Promise<ApprovalView> {
  const { authorizer } = hold.terms
  const charters = await listCharters(ctx, hold.goalId)
  const [newest] = charters
  const base = { isKnown: true, foreign: null, closesAt: null, authorizer, payableFrom: null }
  if (!newest) return { ...base, version: 0, charterHash: null, state: 'none' }
  const { version, hash: charterHash, authorization, veto } = newest
  const own = { ...base, version, charterHash }
  if (authorization) return { ...own, state: 'approved' }
  if (veto) return { ...own, state: 'vetoed' }
  const isInForce = isFunded(hold) && hold.charter?.version === version
  if (isInForce || isCardCharterPayable(newest, charters, hold.terms, ctx.clock.now())) return { ...own, state: 'in_force' }
  const payableFrom = vetoWindowEnd(newest, charters, hold.terms)
  return { ...own, state: payableFrom === null ? 'open' : 'proposed', payableFrom }
}

async function onChainApproval(ctx: Context, hold: EscrowHold): Promise<ApprovalView> {
  const { goalId } = hold
  const [newest] = await listCharters(ctx, goalId)
  const logs = await ctx.db.chainLog.findMany({
    where: { planId: hold.planId, name: { in: ['PlanSealed', 'CharterVetoed', 'CloseRequested', 'PlanClosed'] } },
    orderBy: [{ block: 'asc' }, { logIndex: 'asc' }],
  })
  const args = (log: (typeof logs)[number] | undefined) => (log?.args ?? {}) as { readonly [name: string]: unknown }
  const sealed = logs.findLast((log) => log.name === 'PlanSealed')
  const isVetoed = logs.some((log) => log.name === 'CharterVetoed' && args(log).version === args(sealed).version)
  const from = Number(args(sealed).payableFrom ?? 0)
  const isWindow = sealed !== undefined && !isVetoed && from > seconds(ctx.clock.now())
  // A sealed charter with approval ends a close request.
  const ends = (log: (typeof logs)[number]) =>
    log.name === 'PlanClosed' || (log.name === 'PlanSealed' && Number(args(log).payableFrom) === 0)
  const closeRequest = logs.findLast((log) => log.name === 'CloseRequested' || ends(log))
  const found = await findCharterUnknownToServer(ctx, hold)
  const vetoBy = found && found.payableFrom > seconds(ctx.clock.now()) ? found.payableFrom : null
  const base = {
    foreign: found && { version: found.version, vetoBy },
    authorizer: hold.terms.authorizer,
    closesAt: closeRequest?.name === 'CloseRequested' ? Number(args(closeRequest).closableFrom) : null,
  }
  if (found && vetoBy !== null)
    return { ...base, version: found.version, charterHash: found.charterHash, state: 'proposed', payableFrom: vetoBy, isKnown: false }
  if (!newest) return { ...base, version: 0, charterHash: null, state: 'none', payableFrom: null, isKnown: true }
  const own = { ...base, version: newest.version, charterHash: newest.hash, isKnown: true }
  if (newest.authorization) return { ...own, state: 'approved', payableFrom: null }
  if (newest.veto) return { ...own, state: 'vetoed', payableFrom: null }
  if (isWindow && matchesSealedEvent(newest, args(sealed))) return { ...own, state: 'proposed', payableFrom: from }
  const isInForce = isFunded(hold) && hold.charter?.version === newest.version
  return { ...own, state: isInForce ? 'in_force' : 'open', payableFrom: null }
}
