import type { CommandOf, CommandType } from '@parley/protocol'
import { answerCall, declineCall, getCall, requestCall, testSkill } from '../calls/index.ts'
import type { Context } from '../context.ts'
import { postMessage, proposePlan } from '../conversations/index.ts'
import { addPeer, removePeer } from '../federation/index.ts'
import { cancelGoal, claimGoal, concludeGoal, eraseArtifact, eraseMessage, postDemand, postGoal, withdrawDemand } from '../goals/index.ts'
import { eraseMemory, readMemory, writeMemory } from '../memory/index.ts'
import { createRule, revokeRule } from '../policy/index.ts'
import { openProxy, reportPool } from '../pools/index.ts'
import {
  cancelPayoutChange,
  changePayout,
  discoverListings,
  eraseListing,
  publishListing,
  reviseListing,
  rotateListingKey,
  withdrawListing,
} from '../registry/index.ts'
import { giveFeedback } from '../reputation/index.ts'
import {
  acceptSettlementOffer,
  authorizeHold,
  checkoutHold,
  claimVoucher,
  closeChannel,
  makeSettlementOffer,
  openChannel,
  openDispute,
  openPayoutAccount,
  quoteChannel,
  reclaimHold,
  ruleDispute,
  topUpChannel,
  withdrawCredit,
} from '../settlement/index.ts'
import { acceptTask, assignTask, completeTask, createSubTeam, failTask, getArtifact, progressTask, returnTask } from '../tasks/index.ts'
import {
  acceptTeam,
  authorizeTeam,
  confirmCharter,
  declineTeam,
  proposeTeam,
  refuseCharter,
  sealTeam,
  submitCharter,
  vetoTeam,
} from '../teams/index.ts'

type CommandHandlers = { readonly [T in CommandType]: (ctx: Context, input: CommandOf<T>) => Promise<unknown> }

/** Command → handler. This table and `jobs/event-handlers.ts` are the whole wiring. */
export const commandHandlers = {
  'listing.publish': publishListing,
  'listing.revise': reviseListing,
  'listing.withdraw': withdrawListing,
  'listing.erase': eraseListing,
  'listing_key.rotate': rotateListingKey,
  'payout.change': changePayout,
  'payout_change.cancel': cancelPayoutChange,
  'listing.discover': (ctx, input) => discoverListings(ctx, input.query),
  'goal.post': postGoal,
  'goal.claim': claimGoal,
  'goal.conclude': concludeGoal,
  'goal.cancel': cancelGoal,
  'hold.authorize': authorizeHold,
  'hold.checkout': checkoutHold,
  'payout_account.open': openPayoutAccount,
  'hold.reclaim': reclaimHold,
  'dispute.open': openDispute,
  'dispute.rule': ruleDispute,
  'settlement_offer.make': makeSettlementOffer,
  'settlement_offer.accept': acceptSettlementOffer,
  'credit.withdraw': withdrawCredit,
  'team.propose': proposeTeam,
  'team.accept': acceptTeam,
  'team.decline': declineTeam,
  'team.seal': sealTeam,
  'team.authorize': authorizeTeam,
  'team.veto': vetoTeam,
  'charter.submit': submitCharter,
  'charter.confirm': confirmCharter,
  'charter.refuse': refuseCharter,
  'sub_team.create': createSubTeam,
  'task.assign': assignTask,
  'task.progress': progressTask,
  'task.complete': completeTask,
  'task.fail': failTask,
  'task.accept': acceptTask,
  'task.return': returnTask,
  'message.post': postMessage,
  'artifact.get': getArtifact,
  'feedback.give': giveFeedback,
  'channel.quote': quoteChannel,
  'channel.open': openChannel,
  'channel.top_up': topUpChannel,
  'channel.close': closeChannel,
  'voucher.claim': claimVoucher,
  'call.request': requestCall,
  'call.answer': answerCall,
  'call.decline': declineCall,
  'call.get': getCall,
  'skill.test': testSkill,
  'peer.add': addPeer,
  'peer.remove': removePeer,
  'rule.create': createRule,
  'rule.revoke': revokeRule,
  'pool.report': reportPool,
  'proxy.open': openProxy,
  'plan.propose': proposePlan,
  'demand.post': postDemand,
  'demand.withdraw': withdrawDemand,
  'memory.write': writeMemory,
  'memory.read': readMemory,
  'memory.erase': eraseMemory,
  'message.erase': eraseMessage,
  'artifact.erase': eraseArtifact,
} satisfies CommandHandlers
