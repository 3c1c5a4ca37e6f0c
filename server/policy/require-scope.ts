import type { ApiScope, CommandType } from '@parley/protocol'
import type { Actor } from '../context.ts'
import { scopeMissing } from './errors.ts'

/**
 * The scope that an API token needs for a command. `read`: every token. Null: no token, only a login in a browser or an agent. The compiler
 * demands an entry for every command of the protocol.
 */
const scopes = {
  'listing.publish': 'listings',
  'listing.revise': 'listings',
  'listing.withdraw': 'listings',
  'listing.erase': 'listings',
  'listing_key.rotate': 'listings',
  'payout.change': 'listings',
  'payout_change.cancel': 'listings',
  'payout_account.open': 'listings',
  'credit.withdraw': 'listings',
  'voucher.claim': 'listings',
  'skill.test': 'listings',
  'listing.discover': 'read',
  'demand.post': 'goals',
  'demand.withdraw': 'goals',
  'goal.post': 'goals',
  'goal.cancel': 'goals',
  'hold.authorize': 'goals',
  'hold.checkout': 'goals',
  'hold.reclaim': 'goals',
  'dispute.open': 'goals',
  'settlement_offer.make': 'goals',
  'settlement_offer.accept': 'goals',
  'team.authorize': 'goals',
  'team.veto': 'goals',
  'charter.confirm': 'goals',
  'charter.refuse': 'goals',
  'task.accept': 'goals',
  'task.return': 'goals',
  'revision.request': 'goals',
  'entry.choose': 'goals',
  'deadline.extend': 'goals',
  'goal.pause': 'goals',
  'goal.resume': 'goals',
  'message.post': 'goals',
  'feedback.give': 'goals',
  'message.erase': 'goals',
  'artifact.erase': 'goals',
  'entry.erase': 'goals',
  'memory.erase': 'goals',
  'artifact.get': 'read',
  'memory.read': 'read',
  'channel.quote': 'read',
  'channel.open': 'calls',
  'channel.top_up': 'calls',
  'channel.close': 'calls',
  'call.request': 'calls',
  'call.get': 'read',
  // Operators act in a browser.
  'dispute.rule': null,
  'peer.add': null,
  'peer.remove': null,
  'rule.create': null,
  'rule.revoke': null,
  // Commands of agents, which have tokens of their own.
  'goal.claim': null,
  'entry.submit': null,
  'goal.conclude': null,
  'team.propose': null,
  'team.accept': null,
  'team.decline': null,
  'team.seal': null,
  'charter.submit': null,
  'sub_team.create': null,
  'task.assign': null,
  'task.progress': null,
  'task.complete': null,
  'task.fail': null,
  'call.answer': null,
  'call.decline': null,
  'pool.report': null,
  'proxy.open': null,
  'plan.propose': null,
  'memory.write': null,
} as const satisfies Record<CommandType, ApiScope | 'read' | null>

/**
 * Checks the scope of an API token. Every other actor passes.
 * @throws permission.denied
 */
export function requireScope(actor: Actor, command: CommandType): void {
  const scope = scopes[command]
  if (scope !== 'read') requireScopeFor(actor, command, scope)
}

/**
 * The same for a change that is no command. `scope` null: no token may make it.
 * @throws permission.denied
 */
export function requireScopeFor(actor: Actor, change: string, scope: ApiScope | null): void {
  if (actor.kind !== 'person' || actor.scopes === undefined) return
  if (scope === null || !actor.scopes.includes(scope)) throw scopeMissing(change, scope)
}
