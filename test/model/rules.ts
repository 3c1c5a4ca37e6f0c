/**
 * What the worlds are made of: the product's own decisions, and the contracts' and Stripe's rules as models. A check that is to
 * fail puts another function instead of one of these; nothing else in a world can be changed.
 */

import { callLeaseMs } from '../../server/calls/call.ts'
import { environment } from '../../server/env.ts'
import { decisionDueAt, nextContestAction } from '../../server/goals/contest/next-contest-action.ts'
import { advanceGoal, reviewAt, revisionDueAt, silenceOutcomeOf, workDueAt } from '../../server/goals/goal.ts'
import { decideNextAttempt } from '../../server/settlement/chain/decide-next-attempt.ts'
import { shouldCancelStuckNonce, shouldFillNonce } from '../../server/settlement/chain/stuck-nonce-policy.ts'
import { advanceTransaction } from '../../server/settlement/chain/transaction.ts'
import { toChannelEvent } from '../../server/settlement/channels/apply-channel-events.ts'
import {
  advanceChannel,
  claimRetrySeconds,
  idleSeconds,
  nextChainAction,
  nextChannelCall,
  timeoutEvent,
  withdrawDelaySeconds,
} from '../../server/settlement/channels/channel.ts'
import { isCardCharterPayable } from '../../server/settlement/charters/is-card-charter-payable.ts'
import {
  approvalSeconds,
  canPropose,
  isApprovalInTime,
  isInForceAtOnce,
  latestSafeSealTime,
  nextSealing,
} from '../../server/settlement/charters/next-sealing.ts'
import { requiredSealSignatures } from '../../server/settlement/charters/required-seal-signatures.ts'
import { requireDisputeTransition } from '../../server/settlement/disputes/dispute-store.ts'
import { requireDisputable } from '../../server/settlement/disputes/get-dispute-typed-data.ts'
import { requireOfferable } from '../../server/settlement/disputes/make-settlement-offer.ts'
import { findExecutedOffer, nextDisputeState } from '../../server/settlement/disputes/next-dispute-state.ts'
import { requireSettlementOfferTransition } from '../../server/settlement/disputes/settlement-offer-store.ts'
import { advanceHold } from '../../server/settlement/holds/hold.ts'
import { disputeDeadline, holdDeadlines } from '../../server/settlement/holds/hold-deadlines.ts'
import { isOutsideReview } from '../../server/settlement/holds/list-payouts.ts'
import { sealRetrySeconds } from '../../server/settlement/holds/schedule-sealing.ts'
import { onSilenceOf } from '../../server/settlement/holds/silence-outcome-mapping.ts'
import { closedHold } from '../../server/settlement/indexer/apply-plan-events.ts'
import { allocateCents } from '../../server/settlement/ledger/allocate-cents.ts'
import { advancePayment, isIdempotencyKeyExpired } from '../../server/settlement/stripe/card-payment.ts'
import { claimDays } from '../../server/settlement/stripe/credit-share-without-payout-account.ts'
import {
  nextReclaim,
  nextSettlement,
  nextSubmission,
  stepsToPayByDefault,
} from '../../server/settlement/submit/next-settlement-or-reclaim.ts'
import { signatureWaitSeconds } from '../../server/settlement/submit/submit-settlement.ts'
import { isDisputeTime, isVetoTime, nextHoldAction } from '../../server/settlement/worker/next-hold-action.ts'
import { call } from '../contracts/model/model.ts'
import { callChannels } from './worlds/voucher-channels.ts'

type DisputedStep = Parameters<typeof requireDisputable>[0]

export const rules = {
  /** PlanEscrow, as its differential test holds it against the contract. */
  escrow: call,
  advanceGoal,
  reviewAt,
  revisionDueAt,
  workDueAt,
  onSilenceOf,
  silenceOutcomeOf,
  nextContestAction,
  decisionDueAt,
  advanceHold,
  nextHoldAction,
  isDisputeTime,
  isVetoTime,
  nextSettlement,
  nextReclaim,
  nextSubmission,
  stepsToPayByDefault,
  nextSealing,
  requiredSealSignatures,
  isInForceAtOnce,
  isApprovalInTime,
  sealRetrySeconds: sealRetrySeconds as number,
  signatureWaitSeconds: signatureWaitSeconds as number,
  approvalSeconds: approvalSeconds as number,
  canPropose,
  latestSafeSealTime,
  disputeDeadline,
  holdDeadlines,
  isOutsideReview,
  closedHold,
  nextDisputeState,
  findExecutedOffer,
  requireDisputable: requireDisputable as (step: DisputedStep, now: number) => void,
  requireOfferable: requireOfferable as (step: DisputedStep, deadline: number, now: number) => void,
  requireDisputeTransition,
  requireSettlementOfferTransition,
  advanceTransaction,
  decideNextAttempt,
  shouldCancelStuckNonce,
  shouldFillNonce,
  /** The product's own values. */
  replaceAfterMs: environment.shape.CHAIN_REPLACE_AFTER_SECONDS.parse(undefined) * 1_000,
  cancelAfterMs: environment.shape.CHAIN_CANCEL_AFTER_SECONDS.parse(undefined) * 1_000,
  advanceChannel,
  nextChainAction,
  nextChannelCall,
  timeoutEvent,
  channelEventOf: toChannelEvent,
  claimRetrySeconds: claimRetrySeconds as number,
  idleSeconds: idleSeconds as number,
  withdrawDelaySeconds: withdrawDelaySeconds as number,
  callLeaseMs: callLeaseMs as number,
  /** VoucherChannels. */
  channels: callChannels,
  isCardCharterPayable,
  advancePayment,
  isIdempotencyKeyExpired,
  allocateCents,
  claimDays: claimDays as number,
  /** Whether a card hold that no one settled goes back after its expiry. */
  reclaimsCards: true as boolean,
}
export type Rules = typeof rules
