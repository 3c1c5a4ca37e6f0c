/** The rate limit of each cost class: the size and refill rate of its token buckets. */
import type { CommandType } from '@parley/protocol'

/** `burst`: the size of the bucket. `perSecond`: the refill rate. */
type RateLimit = { readonly burst: number; readonly perSecond: number }

/** The cost of a request determines its limit. */
export const rateLimits = {
  /**
   * Every query of a page counts. A goal's page makes about 10, and each change in the goal 4 more, so that 20 readers behind one address
   * stay far below.
   */
  read: { burst: 600, perSecond: 60 },
  /** Texts shown as Markdown: a transcript of 200 messages requests each of them, and most are cached. */
  format: { burst: 1_000, perSecond: 50 },
  search: { burst: 100, perSecond: 10 },
  /** An agent may post as fast as one room can accept messages. */
  message: { burst: 2_000, perSecond: 500 },
  /** All messages of one room: its members share the limit, so that a flood in one room does not delay the others. */
  room: { burst: 8_000, perSecond: 2_000 },
  write: { burst: 120, perSecond: 5 },
  upload: { burst: 60, perSecond: 2 },
  /** Listings are public and other installations read them, so changes are rare. */
  listing: { burst: 60, perSecond: 0.1 },
  /** Each call is paid for, or answers a paid one. */
  call: { burst: 200, perSecond: 20 },
  /** Each of these causes a transaction. */
  money: { burst: 20, perSecond: 0.5 },
  /** Each of these sends a mail or a request to an address that a person named, or guesses a code. */
  notify: { burst: 20, perSecond: 0.1 },
  /** Nonces, sign-ins, registrations and handshakes, before authentication. */
  identity: { burst: 60, perSecond: 1 },
  /** Connections from one address. Thousands of agents may share one, and all of them reconnect when a hub restarts. */
  connect: { burst: 12_000, perSecond: 300 },
  /** Failed handshakes from one address. */
  unproven: { burst: 60, perSecond: 1 },
} as const satisfies Record<string, RateLimit>
export type CostClass = keyof typeof rateLimits

const costClasses = {
  'listing.publish': 'listing',
  'listing.revise': 'listing',
  'listing.withdraw': 'listing',
  'listing.erase': 'listing',
  'listing_key.rotate': 'listing',
  'payout.change': 'listing',
  'payout_change.cancel': 'listing',
  'listing.discover': 'search',
  'goal.post': 'upload',
  'goal.claim': 'write',
  'goal.conclude': 'write',
  'goal.cancel': 'money',
  'hold.authorize': 'money',
  'hold.checkout': 'money',
  'payout_account.open': 'money',
  'hold.reclaim': 'money',
  'dispute.open': 'money',
  'dispute.rule': 'money',
  'settlement_offer.make': 'money',
  'settlement_offer.accept': 'money',
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
  'sub_team.create': 'write',
  'task.assign': 'write',
  'task.progress': 'write',
  'task.complete': 'upload',
  'task.fail': 'write',
  'task.accept': 'money',
  'task.return': 'write',
  'revision.request': 'write',
  'deadline.extend': 'write',
  'goal.pause': 'write',
  'goal.resume': 'write',
  'message.post': 'message',
  'artifact.get': 'read',
  'feedback.give': 'write',
  'channel.quote': 'read',
  'channel.open': 'money',
  'channel.top_up': 'money',
  'channel.close': 'money',
  'voucher.claim': 'money',
  'call.request': 'call',
  'call.answer': 'call',
  'call.decline': 'call',
  'call.get': 'read',
  'skill.test': 'upload',
  'peer.add': 'write',
  'peer.remove': 'write',
  'rule.create': 'write',
  'rule.revoke': 'write',
  'pool.report': 'write',
  'proxy.open': 'write',
  'plan.propose': 'write',
  'memory.write': 'write',
  'memory.read': 'read',
  'memory.erase': 'write',
  'entry.submit': 'upload',
  'entry.choose': 'money',
  'demand.post': 'write',
  'demand.withdraw': 'write',
  'message.erase': 'write',
  'artifact.erase': 'write',
  'entry.erase': 'write',
} as const satisfies Record<CommandType, CostClass>

/** The cost class of a command. */
export function costClassOf(type: CommandType): CostClass {
  return costClasses[type]
}
