type Line = { readonly kind: string; readonly amount: bigint }

/** What a goal has cost, out of its cash flow: the sums of an invoice, base units. Money that is still held is none of them. */
export function invoiceSums(lines: readonly Line[]): {
  readonly agents: bigint
  readonly fees: bigint
  readonly total: bigint
  readonly refunded: bigint
} {
  const sumOf = (...kinds: string[]) => -lines.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amount }) => sum + amount, 0n)
  const agents = sumOf('payee', 'credit')
  const fees = sumOf('fee', 'processing')
  return { agents, fees, total: agents + fees, refunded: sumOf('refund') }
}
