import { z } from 'zod'

const keys = z.array(z.string()).readonly()
const amount = z
  .string()
  .regex(/^-?\d{1,78}$/)
  .transform(BigInt)
const entries = z.array(z.object({ account: z.string(), debit: amount, credit: amount })).readonly()

const Report = z.object({
  matched: z.int().min(0),
  onlyLedger: keys,
  onlyChain: keys,
  onlyStripe: keys,
  differing: z.array(z.object({ key: z.string(), ledger: entries, chain: entries })).readonly(),
  stripeDiffering: z.array(z.object({ key: z.string(), ledger: z.string(), external: z.string() })).readonly(),
  heldInLedger: amount,
  heldOnChain: amount,
  heldDiffering: keys,
})

/** What a comparison of ledger, chain and Stripe found. Amounts are in base units. */
export type StoredComparison = z.infer<typeof Report>

/** A stored report, whose amounts are decimal strings. Null if it cannot be read: then the page compares again. */
export function readReconciliation(report: unknown): StoredComparison | null {
  return Report.safeParse(report).data ?? null
}
