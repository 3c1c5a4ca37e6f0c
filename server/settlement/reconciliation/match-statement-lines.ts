/** One line of a statement. `key`: shared identifier. `lines`: comparable content. */
export type StatementLine = { readonly key: string; readonly lines: string }
export type MatchResult = {
  readonly matched: readonly string[]
  readonly onlyLedger: readonly string[]
  readonly onlyExternal: readonly string[]
  readonly differing: readonly { readonly key: string; readonly ledger: string; readonly external: string }[]
}

/** Matches ledger and external statement by key, in any order. A duplicate key counts once. */
export function matchStatementLines(ledger: readonly StatementLine[], external: readonly StatementLine[]): MatchResult {
  const outside = new Map(external.map((one) => [one.key, one.lines]))
  const inside = new Map(ledger.map((one) => [one.key, one.lines]))
  const matched: string[] = []
  const onlyLedger: string[] = []
  const differing: { key: string; ledger: string; external: string }[] = []
  for (const [key, lines] of inside) {
    const other = outside.get(key)
    if (other === undefined) onlyLedger.push(key)
    else if (other === lines) matched.push(key)
    else differing.push({ key, ledger: lines, external: other })
  }
  return { matched, onlyLedger, onlyExternal: [...outside.keys()].filter((key) => !inside.has(key)), differing }
}
