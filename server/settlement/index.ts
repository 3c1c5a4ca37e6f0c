/**
 * Owns holds, payouts, payment channels, on-chain transactions, Stripe payments and the double-entry ledger.
 * Never knows what was bought, and never marks a payout as paid before a contract event or Stripe confirms it.
 * Reads delivery, audit, policy, registry.
 *
 * Sub-folders, from low to high. A file imports only its own sub-folder and lower ones; all may import errors.ts.
 * - ledger: double-entry transfers, balances, cents.
 * - signers: keys in memory, remote signers, contract wallets.
 * - rails: adapters of the chain (JSON-RPC, contract calls, gas limits) and of Stripe.
 * - alarms: operator alarms.
 * - chain-events: stored contract events in groups of one transaction, dead letters, frozen subjects, audit streams.
 * - chain: life cycle of a transaction: intent, nonce, signature, broadcast, replacement, confirmation, retry.
 * - holds: money reserved for a goal: authorize, capture, void, reclaim; payouts; settlement proof.
 * - charters: approval, veto and sealing of a team's charter.
 * - disputes: disputes, rulings and split offers of single steps.
 * - channels: payment channels, vouchers, exposure limits.
 * - credits: withdrawal of credits from the contracts.
 * - stripe: card payments, payout accounts, webhooks, chargebacks.
 * - indexer: indexes contract events, handles reorganizations, posts transactions.
 * - submit: decides and submits each kind of on-chain action.
 * - reconciliation: compares the ledger with the chain and with Stripe.
 * - worker: the periodic cycles and their retries.
 */

export { alarmDescriptions, clearAlarms, listAlarms, raiseAlarm } from './alarms/operator-alarms.ts'
export { checkSettlerBalance } from './alarms/settler-balance.ts'
export { type CancelTransaction, cancelTransaction } from './chain/cancel-transaction.ts'
export { faucet } from './chain/faucet.ts'
export { type ChainHealth, chainMetrics, getChainHealth } from './chain/get-chain-health.ts'
export { type ChainLogView, type ChainTransactionView, getChainTransaction } from './chain/get-chain-transaction.ts'
export { holdAuditStreamName } from './chain-events/audit-stream-name.ts'
export { type DeadLetterView, listChainDeadLetters } from './chain-events/chain-dead-letter-store.ts'
export { findFrozenSince } from './chain-events/frozen-subjects.ts'
export { claimVoucher } from './channels/claim-voucher.ts'
export { closeChannel } from './channels/close-channel.ts'
export { depositAndClaimLimits } from './channels/deposit-and-claim-limits.ts'
export { type ChannelView, getChannel, listChannels } from './channels/list-channels.ts'
export { openChannel } from './channels/open-channel.ts'
export { type ChannelQuote, quoteChannel } from './channels/quote-channel.ts'
export { captureVoucher, releaseVoucher, requireOwnChannel, reserveVoucher, verifyVoucher } from './channels/reserve-and-capture-voucher.ts'
export { getTopUpTerms, type TopUpTerms, topUpChannel } from './channels/top-up-channel.ts'
export { type AuthorizeCharter, authorizeCharter, verifyCharterApproval } from './charters/authorize-charter.ts'
export { buildSealingPackage, type SealingPackage } from './charters/build-sealing-package.ts'
export { findCharterRejectedByRail, lastCharterVersion } from './charters/find-charter-rejected-by-rail.ts'
export { type ApprovalView, getCharterApproval } from './charters/get-charter-approval.ts'
export { getEvaluatorAttestedCharterHash } from './charters/get-evaluator-attested-charter-hash.ts'
export { listPossiblyBindingCharters } from './charters/list-possibly-binding-charters.ts'
export { needsMemberSignatures } from './charters/needs-member-signatures.ts'
export { type RecordCharter, recordCharter } from './charters/record-charter.ts'
export { type VetoCharter, verifyVeto, vetoCharter } from './charters/veto-charter.ts'
export { type CreditView, getEscrowCredits, getWithdrawalTerms, type WithdrawalTerms } from './credits/get-escrow-credits.ts'
export { withdrawCredit } from './credits/withdraw-credit.ts'
export { acceptSettlementOffer } from './disputes/accept-settlement-offer.ts'
export { findRetentionReason } from './disputes/find-retention-reason.ts'
export { type DisputeTypedData, getDisputeTypedData } from './disputes/get-dispute-typed-data.ts'
export {
  type DisputesView,
  type DisputeView,
  getDisputesAndOffers,
  listOpenDisputes,
  type OfferView,
} from './disputes/get-disputes-and-offers.ts'
export { getSettlementOfferTypedData, type SettlementOfferTypedData } from './disputes/get-settlement-offer-typed-data.ts'
export { listStepsPayableByDefault } from './disputes/list-steps-payable-by-default.ts'
export { makeSettlementOffer } from './disputes/make-settlement-offer.ts'
export { openDispute } from './disputes/open-dispute.ts'
export { ruleAcceptedStep } from './disputes/record-ruling.ts'
export { ruleDispute } from './disputes/rule-dispute.ts'
export { type StepNotification, takeUnsentStepNotifications } from './disputes/take-unsent-step-notifications.ts'
export { authorizeHold } from './holds/authorize-hold.ts'
export { type CaptureHold, captureHold } from './holds/capture-hold.ts'
export { getEscrowTerms } from './holds/get-escrow-terms.ts'
export { type Funding, getFundingTerms } from './holds/get-funding-terms.ts'
export { type CashFlowLine, getGoalCashFlow } from './holds/get-goal-cash-flow.ts'
export { getHold, type HoldView } from './holds/get-hold.ts'
export { getSettlementProof, type SettlementProof } from './holds/get-settlement-proof.ts'
export { getDisputeBy } from './holds/hold-deadlines.ts'
export { isOutsideReview, listPayouts, type PayoutFilter, type PayoutView, paidShareOf } from './holds/list-payouts.ts'
export { assetOf, type OpenHold, openHold } from './holds/open-hold.ts'
export { getQuotedCharter, type QuotedCharter } from './holds/quoted-charter.ts'
export { reclaimHold } from './holds/reclaim-hold.ts'
export {
  deleteStepSubmissionSignature,
  saveStepSubmissionSignature,
  type VerifiedSubmission,
  verifyStepSubmissionSignature,
} from './holds/step-submission-signature.ts'
export { type VoidHold, voidHold } from './holds/void-hold.ts'
export { indexEvents } from './indexer/index-events.ts'
export { type RetriedDeadLetter, retryChainDeadLetter } from './indexer/retry-chain-dead-letter.ts'
export { cardDecimals } from './ledger/allocate-cents.ts'
export { getLedger, type LedgerLine, type LedgerTransfer } from './ledger/get-ledger.ts'
export { adviseRail, type RailAdvice, type RailKind, type RailQuestion, type SupportedRail } from './rails/advise-rail.ts'
export { chainFinality } from './rails/chain-finality.ts'
export { type Chain, type ChainSettings, createChainAdapters, type KeyLocation } from './rails/create-chain-adapters.ts'
export { createEscrowRail } from './rails/escrow-rail.ts'
export { explainGasExcess, maxTransactionGas } from './rails/max-transaction-gas.ts'
export { createStripeRail } from './rails/stripe-rail.ts'
export { reconcile, runReconciliation } from './reconciliation/reconcile.ts'
export type { Difference, Reconciliation } from './reconciliation/reconciliation.ts'
export { getReconciliation, listReconciliations, type StoredReconciliation } from './reconciliation/reconciliation-store.ts'
export { checkoutHold } from './stripe/checkout-hold.ts'
export {
  type CardPaymentStatus,
  getCardEarnings,
  getCardPaymentStatus,
  type PayoutAccountView,
  type ShareView,
} from './stripe/get-card-payment-status.ts'
export { openPayoutAccount } from './stripe/open-payout-account.ts'
export { getPayoutAccountTerms, type PayoutAccountTerms } from './stripe/payout-account-terms.ts'
export { refreshOwnAccount } from './stripe/refresh-payout-account.ts'
export { listUnansweredDisputes, type OpenCardDispute, submitChargebackEvidence } from './stripe/submit-chargeback-evidence.ts'
export { applyWebhookEvent } from './stripe/webhooks/apply-webhook-event.ts'
export { receiveWebhookEvent } from './stripe/webhooks/receive-webhook-event.ts'
export { submitAcceptedOffer } from './submit/submit-accepted-offer.ts'
export { submitChannelAction } from './submit/submit-channel-action.ts'
export { submitCharterSeal } from './submit/submit-charter-seal.ts'
export { submitCharterVeto } from './submit/submit-charter-veto.ts'
export { submitDispute } from './submit/submit-dispute.ts'
export { submitFunding } from './submit/submit-funding.ts'
export { submitReclaim } from './submit/submit-reclaim.ts'
export { submitRuling } from './submit/submit-ruling.ts'
export { beginSettlement, submitSettlement } from './submit/submit-settlement.ts'
export { submitWithdrawal } from './submit/submit-withdrawal.ts'
export { retrySettlement } from './worker/retry-settlement.ts'
export { runSettlementCycle } from './worker/run-settlement-cycle.ts'
export { runStripeCycle, sweepStripe } from './worker/run-stripe-cycle.ts'
export { runTransactionRound } from './worker/run-transaction-round.ts'
