import type { EscrowPlan, EventOf, EventType } from '@parley/protocol'
import type { Context } from '../context.ts'
import { syncPeer } from '../federation/index.ts'
import {
  announceDisputedAndSplitSteps,
  announceGoal,
  announceOpenGoals,
  checkCriteriaByRules,
  closeSettledGoal,
  deliverChosenEntry,
  matchDemandsWithOnlineAgents,
  openFundedGoal,
  settleGoal,
  startGoal,
} from '../goals/index.ts'
import { getListing } from '../registry/index.ts'
import {
  beginSettlement,
  buildSealingPackage,
  getQuotedCharter,
  getSettlementProof,
  needsMemberSignatures,
  type SettlementProof,
  submitAcceptedOffer,
  submitChannelAction,
  submitCharterSeal,
  submitCharterVeto,
  submitDispute,
  submitFunding,
  submitRuling,
  submitWithdrawal,
} from '../settlement/index.ts'
import { issueCompletionReceipts } from '../tasks/index.ts'
import { putCharterInForce, revertToCharterInForce } from '../teams/index.ts'
import { signalFundingFailure } from './signal-funding-failure.ts'

type EventHandler<T extends EventType> = (ctx: Context, event: EventOf<T>) => Promise<void>
type EventHandlers = { readonly [T in EventType]: EventHandler<T> | null }

/**
 * Choreography: event → handler. An event triggers a higher module. An explicit null means no handler. Every handler may run twice. This table and
 * `commands/handlers.ts` are the whole wiring.
 */
export const eventHandlers = {
  'listing.published': onListed,
  'listing.revised': onListed,
  'listing.withdrawn': null,
  'goal.posted': null,
  'goal.opened': (ctx, event) => announceGoal(ctx, event.goal_id),
  'goal.claimed': null,
  'goal.concluded': async (ctx, event) => {
    await settleGoal(ctx, event.goal_id)
    await checkCriteriaByRules(ctx, event.goal_id)
  },
  'goal.canceled': null,
  'goal.settled': null,
  'hold.authorizing': (ctx, event) => submitFunding(ctx, event.goal_id),
  'hold.authorized': (ctx, event) => openFundedGoal(ctx, event.goal_id),
  'hold.failed': async (ctx, event) => {
    await signalFundingFailure(ctx, event.goal_id)
    await revertToCharterInForce(ctx, event.goal_id)
  },
  'hold.capturing': (ctx, event) => beginSettlement(ctx, event.goal_id),
  'hold.captured': (ctx, event) => closeSettledGoal(ctx, event.goal_id),
  'hold.voiding': (ctx, event) => beginSettlement(ctx, event.goal_id),
  'hold.voided': (ctx, event) => closeSettledGoal(ctx, event.goal_id),
  'hold.reclaimed': (ctx, event) => closeSettledGoal(ctx, event.goal_id),
  'dispute.opening': (ctx, event) => submitDispute(ctx, event.dispute_id),
  'dispute.opened': (ctx, event) => announceDisputedAndSplitSteps(ctx, event.goal_id),
  'dispute.ruling': (ctx, event) => submitRuling(ctx, event.dispute_id),
  'dispute.ruled': (ctx, event) => announceDisputedAndSplitSteps(ctx, event.goal_id),
  'settlement_offer.made': null,
  'settlement_offer.accepting': (ctx, event) => submitAcceptedOffer(ctx, event.settlement_offer_id),
  'settlement_offer.accepted': (ctx, event) => announceDisputedAndSplitSteps(ctx, event.goal_id),
  'step.submitted': (ctx, event) => announceDisputedAndSplitSteps(ctx, event.goal_id),
  'credit.withdrawing': (ctx, event) => submitWithdrawal(ctx, event.withdrawal_id),
  'channel.opening': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'channel.opened': null,
  'channel.failed': null,
  'channel.topping_up': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'channel.closing': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'channel.closed': null,
  'voucher.claiming': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'voucher.claimed': null,
  'call.requested': null,
  'call.answered': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'call.declined': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'call.expired': (ctx, event) => submitChannelAction(ctx, event.channel_id),
  'peer.added': (ctx, event) => syncPeer(ctx, event.origin),
  'peer.removed': null,
  'team.proposed': null,
  'team.accepted': null,
  'team.declined': null,
  'team.sealed': async (ctx, event) => {
    await startGoal(ctx, event.goal_id)
    await submitCharterSeal(ctx, event.goal_id)
  },
  'team.recorded': async (ctx, event) => {
    const proof = await getSettlementProof(ctx, event.goal_id)
    const agreed = await needsMemberSignatures(ctx, event.goal_id)
    const { goal_id: goalId, version } = event
    const tx = proof.charterVersion === version ? proof.sealedTx : null
    const sealing = await buildSealingPackage(ctx, goalId, version)
    const plan = (await getQuotedCharter(ctx, goalId)) ? planOf(proof) : undefined
    await putCharterInForce(ctx, { goalId, version, planId: proof.planId, plan, tx, agreed, sealing })
    await deliverChosenEntry(ctx, goalId)
    await issueCompletionReceipts(ctx, event.goal_id)
  },
  'team.authorized': (ctx, event) => submitCharterSeal(ctx, event.goal_id),
  'team.vetoed': (ctx, event) => submitCharterVeto(ctx, event.goal_id),
  'task.assigned': null,
  'task.completed': (ctx, event) => issueCompletionReceipts(ctx, event.goal_id),
  'task.failed': null,
  'task.expired': null,
  'task.accepted': (ctx, event) => settleGoal(ctx, event.goal_id),
  'task.returned': (ctx, event) => settleGoal(ctx, event.goal_id),
  'revision.requested': null,
  // A loop checks it. The few workers of the job queue do not wait for a check.
  'entry.submitted': null,
  'entry.chosen': null,
  'feedback.given': null,
} satisfies EventHandlers

function planOf({ chainId, escrow, planId }: SettlementProof): EscrowPlan | undefined {
  return chainId === null ? undefined : { chain_id: chainId, escrow, plan_id: planId }
}

async function onListed(ctx: Context, event: { agent_id: string }): Promise<void> {
  await matchDemandsWithOnlineAgents(ctx)
  const listing = await getListing(ctx, event.agent_id)
  if (listing.skills.some((skill) => skill.id === 'goal.plan')) await announceOpenGoals(ctx, event.agent_id)
}
