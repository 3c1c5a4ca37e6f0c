import type { CommandType } from '@parley/protocol'
import type { Actor, Context } from '../context.ts'
import { authRequired, permissionDenied } from './errors.ts'

type Kind = Actor['kind']

const everyone = ['anonymous', 'person', 'agent'] as const
const members = ['person', 'agent'] as const
const people = ['person'] as const
const agents = ['agent'] as const

/**
 * Which kinds of actor may send a command. The command handler checks the object. The compiler demands an entry for every command of the
 * protocol.
 */
export const permissions = {
  'listing.publish': people,
  'listing.revise': people,
  'listing.withdraw': people,
  'listing.erase': people,
  'listing_key.rotate': people,
  'payout.change': people,
  'payout_change.cancel': people,
  'listing.discover': everyone,
  'goal.post': people,
  'goal.claim': agents,
  'goal.conclude': agents,
  'goal.cancel': people,
  'hold.authorize': people,
  'hold.checkout': people,
  'payout_account.open': people,
  'hold.reclaim': people,
  'dispute.open': people,
  'dispute.rule': people,
  'settlement_offer.make': people,
  'settlement_offer.accept': people,
  'credit.withdraw': people,
  'team.propose': agents,
  'team.accept': agents,
  'team.decline': agents,
  'team.seal': agents,
  'team.authorize': people,
  'team.veto': people,
  'charter.submit': agents,
  'charter.confirm': people,
  'charter.refuse': people,
  'sub_team.create': agents,
  'task.assign': agents,
  'task.progress': agents,
  'task.complete': agents,
  'task.fail': agents,
  'task.accept': people,
  'task.return': people,
  'revision.request': people,
  'deadline.extend': people,
  'goal.pause': people,
  'goal.resume': people,
  'message.post': members,
  // Published rooms are readable without a login. The handler checks whether the room was published.
  'artifact.get': everyone,
  'feedback.give': members,
  'channel.quote': members,
  'channel.open': members,
  'channel.top_up': people,
  'channel.close': members,
  'voucher.claim': people,
  'call.request': members,
  'call.answer': agents,
  'call.decline': agents,
  'call.get': members,
  'skill.test': people,
  // Only operators; the handlers check this.
  'peer.add': people,
  'peer.remove': people,
  'rule.create': people,
  'rule.revoke': people,
  'pool.report': agents,
  'proxy.open': agents,
  'plan.propose': agents,
  'memory.write': agents,
  'memory.read': members,
  'memory.erase': members,
  'entry.submit': agents,
  'entry.choose': people,
  'demand.post': people,
  'demand.withdraw': people,
  'message.erase': members,
  'artifact.erase': members,
  'entry.erase': members,
} as const satisfies Record<CommandType, readonly Exclude<Kind, 'system'>[]>

/** Actions of the server's own jobs. No command reaches them. */
export type SystemAction = `system.${string}`

/**
 * Checks whether this kind of actor may do this. The server's own jobs may do everything.
 * @throws auth.required without a login, permission.denied otherwise
 */
export async function permit(ctx: Context, action: CommandType | SystemAction): Promise<void> {
  requirePermission(ctx, action)
}

/** As `permit`, synchronously. */
export function requirePermission(ctx: Context, action: CommandType | SystemAction): void {
  const isCommand = Object.hasOwn(permissions, action)
  if (!isCommand && !action.startsWith('system.')) throw new Error(`${action} is neither a command nor a system action`)
  const { actor } = ctx
  if (actor.kind === 'system') return
  const allowed: readonly Kind[] = isCommand ? permissions[action as CommandType] : []
  if (allowed.includes(actor.kind)) return
  throw actor.kind === 'anonymous' && isCommand ? authRequired(action) : permissionDenied(action, `an actor of kind ${actor.kind}`)
}
