/**
 * Owns holds, payouts, the transactions that move money on the chain, the reading of its log, and the ledger.
 * Never knows what was bought, and never calls a payout paid before the escrow's log shows it.
 * Reads delivery, audit, policy.
 */
export { authorizeHold } from './authorize-hold.ts'
export { type CaptureHold, captureHold } from './capture-hold.ts'
export { driveSettlement } from './drive-settlement.ts'
export { driveTransactions } from './drive-transactions.ts'
export { faucet } from './faucet.ts'
export { type ChainLogView, type ChainTransactionView, getChainTransaction } from './get-chain-transaction.ts'
export { type Funding, getFunding } from './get-funding.ts'
export { getHold, type HoldView } from './get-hold.ts'
export { getLedger, type LedgerLine, type LedgerTransfer } from './get-ledger.ts'
export { getProof, type Proof } from './get-proof.ts'
export { getWaterfall, type WaterfallLine } from './get-waterfall.ts'
export { holdChain } from './hold.ts'
export { listPayouts, type PayoutFilter, type PayoutView } from './list-payouts.ts'
export { type OpenHold, openHold } from './open-hold.ts'
export { createEscrowRail } from './rails/escrow.ts'
export { readChain } from './read-chain.ts'
export { reclaimHold } from './reclaim-hold.ts'
export { type Difference, type Reconciliation, reconcile } from './reconcile.ts'
export { type RecordCharter, recordCharter } from './record-charter.ts'
export { submitFunding } from './submit-funding.ts'
export { submitSeal } from './submit-seal.ts'
export { submitSettlement } from './submit-settlement.ts'
export { type VoidHold, voidHold } from './void-hold.ts'
