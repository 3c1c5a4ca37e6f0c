import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { isFunded } from '../holds/hold.ts'
import { listCharters, loadHoldForDisplay } from '../holds/hold-store.ts'
import { findForeignCharter } from './foreign-charter.ts'
import { matchesSealedEvent } from './matches-sealed-event.ts'

/** What the client is asked about its team, and what is on its way on chain. */
export type ApprovalView = {
  /** The newest charter that all members have signed; 0 before the first. */
  readonly version: number
  readonly charterHash: string | null
  /** `open`: it waits for the client. `proposed`: it is on chain, can be vetoed, and is paid only from `payableFrom` on. */
  readonly state: 'none' | 'open' | 'proposed' | 'approved' | 'in_force' | 'vetoed'
  /** Unix seconds; null where no veto window runs. */
  readonly payableFrom: number | null
  /** Whether this server ever got the charter that was proposed on chain. */
  readonly isKnown: boolean
  /** A charter on chain that this server never got. `vetoBy`: Unix seconds until when the client can veto it; null where it can't. */
  readonly foreign: { readonly version: number; readonly vetoBy: number | null } | null
  /** Unix seconds: from when anybody may close the plan on the client's notice; null without one. */
  readonly closesAt: number | null
  /** The session key that may answer; the zero address where only the wallet may. */
  readonly authorizer: string
}

/** Null where the money of the goal lies in no escrow. @throws hold.not_found */
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
  // An approved charter that is sealed ends a notice.
  const ends = (log: (typeof logs)[number]) =>
    log.name === 'PlanClosed' || (log.name === 'PlanSealed' && Number(args(log).payableFrom) === 0)
  const notice = logs.findLast((log) => log.name === 'CloseRequested' || ends(log))
  const found = await findForeignCharter(ctx, hold)
  const vetoBy = found && found.payableFrom > seconds(ctx.clock.now()) ? found.payableFrom : null
  const base = {
    foreign: found && { version: found.version, vetoBy },
    authorizer: hold.terms.authorizer,
    closesAt: notice?.name === 'CloseRequested' ? Number(args(notice).closableFrom) : null,
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
