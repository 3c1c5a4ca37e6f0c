/**
 * What the worlds are made of: the product's own decisions, and the contracts' and Stripe's rules as models. A check that is to
 * fail puts another function in the place of one of these; nothing else in a world can be changed.
 */

import { callLeaseMs } from '../../server/calls/call.ts'
import { environment } from '../../server/env.ts'
import { advanceGoal, reviewAt } from '../../server/goals/goal.ts'
import { mustCancel, mustFillNonce } from '../../server/settlement/chain/cancel-policy.ts'
import { mayFollow } from '../../server/settlement/chain/retry-policy.ts'
import { advanceTransaction } from '../../server/settlement/chain/transaction.ts'
import { eventOf } from '../../server/settlement/channels/apply-channel-events.ts'
import {
  advanceChannel,
  askAgainSeconds,
  idleSeconds,
  nextChannelCall,
  staleEvent,
  wantedOf,
  withdrawDelaySeconds,
} from '../../server/settlement/channels/payment-channel.ts'
import { approvalSeconds, canPropose, isInForceAtOnce, sealingOf, urgentFrom } from '../../server/settlement/charters/next-sealing.ts'
import { neededSignatures } from '../../server/settlement/charters/required-signatures.ts'
import { disputeAfter, offerCarriedOut } from '../../server/settlement/disputes/dispute-outcomes.ts'
import { requireDisputeStep, requireOfferStep } from '../../server/settlement/disputes/dispute-store.ts'
import { requireDisputable } from '../../server/settlement/disputes/get-dispute-terms.ts'
import { requireOfferable } from '../../server/settlement/disputes/make-offer.ts'
import { disputeByOf, holdDeadlines } from '../../server/settlement/holds/dispute-window.ts'
import { advanceHold } from '../../server/settlement/holds/hold.ts'
import { isApart } from '../../server/settlement/holds/list-payouts.ts'
import { sealAgainSeconds } from '../../server/settlement/holds/schedule-sealing.ts'
import { closeAs } from '../../server/settlement/indexer/apply-plan-events.ts'
import { divideCents } from '../../server/settlement/ledger/cents.ts'
import { advancePayment, isKeyOld } from '../../server/settlement/stripe/payment.ts'
import { claimDays } from '../../server/settlement/stripe/payout-share.ts'
import { nextReclaim, nextSettlement, nextSubmission, silentSteps } from '../../server/settlement/submit/next-settlement.ts'
import { wordSeconds } from '../../server/settlement/submit/submit-settlement.ts'
import { isDisputeTime, wantOfHold } from '../../server/settlement/worker/next-hold-action.ts'
import { call } from '../contracts/model/model.ts'
import { callChannels } from './worlds/voucher-channels.ts'

type DisputedStep = Parameters<typeof requireDisputable>[0]

export const rules = {
  /** PlanEscrow, as its differential test holds it against the contract. */
  escrow: call,
  advanceGoal,
  reviewAt,
  advanceHold,
  wantOfHold,
  isDisputeTime,
  nextSettlement,
  nextReclaim,
  nextSubmission,
  silentSteps,
  sealingOf,
  neededSignatures,
  isInForceAtOnce,
  sealAgainSeconds: sealAgainSeconds as number,
  wordSeconds: wordSeconds as number,
  approvalSeconds: approvalSeconds as number,
  canPropose,
  urgentFrom,
  disputeByOf,
  holdDeadlines,
  isApart,
  closeAs,
  disputeAfter,
  offerCarriedOut,
  requireDisputable: requireDisputable as (step: DisputedStep, now: number) => void,
  requireOfferable: requireOfferable as (step: DisputedStep, deadline: number, now: number) => void,
  requireDisputeStep,
  requireOfferStep,
  advanceTransaction,
  mayFollow,
  mustCancel,
  mustFillNonce,
  /** The product's own values. */
  replaceAfterMs: environment.shape.CHAIN_REPLACE_SECONDS.parse(undefined) * 1_000,
  cancelAfterMs: environment.shape.CHAIN_CANCEL_SECONDS.parse(undefined) * 1_000,
  advanceChannel,
  wantedOf,
  nextChannelCall,
  staleEvent,
  channelEventOf: eventOf,
  askAgainSeconds: askAgainSeconds as number,
  idleSeconds: idleSeconds as number,
  withdrawDelaySeconds: withdrawDelaySeconds as number,
  callLeaseMs: callLeaseMs as number,
  /** VoucherChannels. */
  channels: callChannels,
  advancePayment,
  isKeyOld,
  divideCents,
  claimDays: claimDays as number,
  /** Whether a card hold that nobody settled goes back after its expiry. */
  reclaimsCards: true as boolean,
}
export type Rules = typeof rules
