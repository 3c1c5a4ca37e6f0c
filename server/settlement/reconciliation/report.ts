import type { LedgerEntry } from '../ledger/ledger.ts'

export type Difference = { readonly key: string; readonly ledger: readonly LedgerEntry[]; readonly chain: readonly LedgerEntry[] }
export type Reconciliation = {
  /** How many transfers stand on both sides with the same entries. */
  readonly matched: number
  /** Keys of transfers that the ledger has, and neither the escrow's log nor Stripe. */
  readonly onlyLedger: readonly string[]
  /** Keys of transfers that the escrow's log has. */
  readonly onlyChain: readonly string[]
  /** Stripe's objects that have moved money on our balance there. */
  readonly onlyStripe: readonly string[]
  readonly differing: readonly Difference[]
  /** Stripe's objects of which ledger and Stripe say different amounts. */
  readonly stripeDiffering: readonly { readonly key: string; readonly ledger: string; readonly external: string }[]
  /** What open plans and channels hold, by the ledger and by the contract's own words. */
  readonly heldInLedger: bigint
  readonly heldOnChain: bigint
  /** Goals and channels where those two differ, and ledger accounts that differ from the contract's credit for the same address. */
  readonly heldDiffering: readonly string[]
}
