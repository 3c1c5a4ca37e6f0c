/** Prepared statements: which statements each database connection keeps prepared. */

/** Statements that each connection keeps prepared: each takes some of the database's memory for as long as the connection lasts. */
const maxPrepared = 300
/** Counted until they are prepared; what comes only once or twice isn't worth it. */
const [maxCounted, minUses] = [2_000, 3]

/** Names for the statements that come often, under which connections read and plan them only once; empty for all others. */
export function createPreparedStatementNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>()
  let counts = new Map<string, number>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= maxPrepared) return ''
    const count = (counts.get(sql) ?? 0) + 1
    if (counts.size >= maxCounted) counts = new Map()
    counts.set(sql, count)
    if (count < minUses) return ''
    const name = `s${names.size}`
    counts.delete(sql)
    names.set(sql, name)
    return name
  }
}
