type Line = { readonly kind: string; readonly amount: bigint }

/** What a goal has cost, out of its cash flow: the sums of an invoice, base units. Money that is still held is none of them. */
export function invoiceSums(lines: readonly Line[]): {
  readonly agents: bigint
  readonly fees: bigint
  readonly total: bigint
  readonly refunded: bigint
} {
  const sumNumbers = (...kinds: string[]) => -lines.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amount }) => sum + amount, 0n)
  const agents = sumNumbers('payee', 'credit')
  const fees = sumNumbers('fee', 'processing')
  return { agents, fees, total: agents + fees, refunded: sumNumbers('refund') }
}
