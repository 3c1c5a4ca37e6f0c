import type { CommandType } from '@parley/protocol'
import type { CostClass } from './admit-rate.ts'

const costs = {
  'listing.publish': 'write',
  'listing.revise': 'write',
  'listing.withdraw': 'write',
  'listing.rekey': 'write',
  'listing.discover': 'search',
  'goal.post': 'upload',
  'goal.claim': 'write',
  'goal.conclude': 'write',
  'goal.cancel': 'money',
  'hold.authorize': 'money',
  'hold.checkout': 'money',
  'payout-account.open': 'money',
  'hold.reclaim': 'money',
  'dispute.open': 'money',
  'dispute.rule': 'money',
  'offer.make': 'money',
  'offer.accept': 'money',
  'credit.withdraw': 'money',
  'team.propose': 'write',
  'team.accept': 'write',
  'team.decline': 'write',
  'team.seal': 'write',
  'task.assign': 'write',
  'task.progress': 'write',
  'task.complete': 'upload',
  'task.fail': 'write',
  'task.accept': 'money',
  'task.return': 'write',
  'message.post': 'message',
  'artifact.get': 'read',
  'feedback.give': 'write',
  'channel.quote': 'read',
  'channel.open': 'money',
  'channel.close': 'money',
  'voucher.claim': 'money',
  'call.request': 'call',
  'call.answer': 'call',
  'call.decline': 'call',
  'call.get': 'read',
  'peer.add': 'write',
  'peer.remove': 'write',
} as const satisfies Record<CommandType, CostClass>

/** The cost class of a command. */
export function costOf(type: CommandType): CostClass {
  return costs[type]
}
