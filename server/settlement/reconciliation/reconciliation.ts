import type { LedgerEntry } from '../ledger/ledger.ts'

export type Difference = { readonly key: string; readonly ledger: readonly LedgerEntry[]; readonly chain: readonly LedgerEntry[] }
export type Reconciliation = {
  /** Number of transfers with equal entries on both sides. */
  readonly matched: number
  /** Keys of transfers that only the ledger has. */
  readonly onlyLedger: readonly string[]
  /** Keys of transfers that only the chain has. */
  readonly onlyChain: readonly string[]
  /** Ids of Stripe objects that moved money but are not in the ledger. */
  readonly onlyStripe: readonly string[]
  readonly differing: readonly Difference[]
  /** Stripe objects whose amount differs from the ledger. */
  readonly stripeDiffering: readonly { readonly key: string; readonly ledger: string; readonly external: string }[]
  /** Total held by open plans and channels, according to the ledger and to the contracts. */
  readonly heldInLedger: bigint
  readonly heldOnChain: bigint
  /** Goals and channels whose balance differs, and ledger accounts that differ from the contract's credit. */
  readonly heldDiffering: readonly string[]
}
