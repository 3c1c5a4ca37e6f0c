/** Prepared statements: which statements each database connection keeps prepared. */

/** The maximum per connection. Each prepared statement uses memory of the database. */
const maxPrepared = 300
/** A statement is prepared after this many uses. */
const [maxCounted, minUses] = [2_000, 3]

/** Names for frequent statements, which PostgreSQL then parses and plans only once; empty for all others. */
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
