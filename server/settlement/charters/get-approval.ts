import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { isFunded } from '../holds/hold.ts'
import { listCharters, loadHoldForDisplay } from '../holds/hold-store.ts'
import { findForeignCharter } from './foreign-charter.ts'
import { matchesSealedEvent } from './matches-sealed-event.ts'

/** Approval status of the team's charter for the client. */
export type ApprovalView = {
  /** Version of the newest charter that all members have signed; 0 before the first. */
  readonly version: number
  readonly charterHash: string | null
  /** `open`: waits for the client. `proposed`: on chain, can be vetoed, and payable from `payableFrom`. */
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

/** Null if the goal is not paid through the escrow. @throws hold.not_found */
export async function findApproval(ctx: Context, goalId: string): Promise<ApprovalView | null> {
  const hold = await loadHoldForDisplay(ctx, goalId)
  if (hold.rail !== 'escrow') return null
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
  const found = await findForeignCharter(ctx, hold)
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
