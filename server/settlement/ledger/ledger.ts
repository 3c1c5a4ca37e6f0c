import type { EscrowEvent } from '../../ports.ts'

/**
 * A ledger account. Its balance is debits minus credits. `client:…` and `wallet:…` are external and can be negative.
 * `escrow:<goal>` is the balance in the escrow. `fees:…` and `credit:…` wait in the escrow for withdrawal. `channel:…` and
 * `channel-credit:…` are the same in the channels contract. `payee:…` was paid out.
 */
export type LedgerAccount =
  | `${'client' | 'payee' | 'fees' | 'credit' | 'wallet' | 'channel' | 'channel-credit'}:0x${string}`
  | `${'escrow' | 'card' | 'dispute' | 'loss'}:gol_${string}`
  | 'processing:stripe'
  | 'platform:stripe'

export type LedgerEntry = { readonly account: LedgerAccount; readonly debit: bigint; readonly credit: bigint }
/** A transfer to post by double entry: debits and credits are equal. `key`: idempotency key of the fact, independent of the transaction. `at`: Unix seconds. */
export type TransferDraft = {
  readonly key: string
  readonly goalId: string | null
  readonly memo: string
  readonly tx: string
  readonly at: number
  readonly entries: readonly LedgerEntry[]
}
export type Move = { readonly from: LedgerAccount; readonly to: LedgerAccount; readonly amount: bigint }

/** Nets moves into one entry per account. The entries balance by construction. */
export function netEntries(moves: readonly Move[]): LedgerEntry[] {
  const net = new Map<LedgerAccount, bigint>()
  for (const { from, to, amount: moved } of moves) {
    net.set(from, (net.get(from) ?? 0n) - moved)
    net.set(to, (net.get(to) ?? 0n) + moved)
  }
  return [...net]
    .filter(([, sum]) => sum !== 0n)
    .map(([name, sum]) => ({ account: name, debit: sum > 0n ? sum : 0n, credit: sum < 0n ? -sum : 0n }))
}

export function amountOf(event: EscrowEvent, arg: string): bigint {
  return BigInt(String(event.args[arg]))
}

export function min(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
