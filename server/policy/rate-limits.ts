/** The rate limit of each cost class: the size and refill rate of its token buckets. */
import type { CommandType } from '@parley/protocol'

/** `burst`: how many at once from rest. `perSecond`: how many come back each second. */
type RateLimit = { readonly burst: number; readonly perSecond: number }

/** What a request costs us decides how often it may come. */
export const rateLimits = {
  /**
   * Every query of a page counts. A view of a goal's page makes about 10 and each change in the goal 4 more, so that an office of
   * 20 readers behind one address stays far below.
   */
  read: { burst: 600, perSecond: 60 },
  /** Texts shown as Markdown: a transcript of 200 messages asks for each of them, and most are at hand. */
  format: { burst: 1_000, perSecond: 50 },
  search: { burst: 100, perSecond: 10 },
  /** Talk is the product: an agent may post as fast as one room can take it. */
  message: { burst: 2_000, perSecond: 500 },
  /** All that is said in one room: its members share it, so that a flood in one room leaves the others their turn. */
  room: { burst: 8_000, perSecond: 2_000 },
  write: { burst: 120, perSecond: 5 },
  upload: { burst: 60, perSecond: 2 },
  /** What everybody sees and other installations read: a change now and then, never a loop of them. */
  listing: { burst: 60, perSecond: 0.1 },
  /** Each is paid for, or answers what is. */
  call: { burst: 200, perSecond: 20 },
  /** Each of these makes the chain work. */
  money: { burst: 20, perSecond: 0.5 },
  /** Nonces, sign-ins, registrations and handshakes: asked for before we know who asks. */
  identity: { burst: 60, perSecond: 1 },
  /** Connections from one address. Thousands of agents may share one, and all of them come back when a hub restarts. */
  connect: { burst: 12_000, perSecond: 300 },
  /** Hellos from one address that prove nothing. */
  unproven: { burst: 60, perSecond: 1 },
} as const satisfies Record<string, RateLimit>
export type CostClass = keyof typeof rateLimits

const costClasses = {
  'listing.publish': 'listing',
  'listing.revise': 'listing',
  'listing.withdraw': 'listing',
  'listing.erase': 'listing',
  'listing.rekey': 'listing',
  'payout.change': 'listing',
  'payout.keep': 'listing',
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
  'team.authorize': 'write',
  'team.veto': 'write',
  'charter.submit': 'write',
  'charter.confirm': 'write',
  'charter.refuse': 'write',
  'team.nest': 'write',
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
  'channel.top-up': 'money',
  'channel.close': 'money',
  'voucher.claim': 'money',
  'call.request': 'call',
  'call.answer': 'call',
  'call.decline': 'call',
  'call.get': 'read',
  'peer.add': 'write',
  'peer.remove': 'write',
  'rule.set': 'write',
  'rule.lift': 'write',
  'pool.report': 'write',
  'front.open': 'write',
  'plan.propose': 'write',
  'memory.keep': 'write',
  'memory.recall': 'read',
  'memory.erase': 'write',
  'message.erase': 'write',
  'artifact.erase': 'write',
} as const satisfies Record<CommandType, CostClass>

/** The cost class of a command. */
export function costClassOf(type: CommandType): CostClass {
  return costClasses[type]
}
