/**
 * The fetched data, with each part that has not changed replaced by the former one: what is shown of it need not be rendered again. For
 * JSON with dates and big integers.
 */
export function keepEqualData(former: unknown, fetched: unknown): unknown {
  if (Object.is(former, fetched)) return former
  if (former instanceof Date && fetched instanceof Date) return former.getTime() === fetched.getTime() ? former : fetched
  if (Array.isArray(former) && Array.isArray(fetched)) {
    const kept = fetched.map((value, at) => keepEqualData(former[at], value))
    return former.length === kept.length && kept.every((value, at) => Object.is(value, former[at])) ? former : kept
  }
  if (!isRecord(former) || !isRecord(fetched)) return fetched
  const names = Object.keys(fetched)
  const kept = Object.fromEntries(names.map((name) => [name, keepEqualData(former[name], fetched[name])]))
  const isSame = Object.keys(former).length === names.length && names.every((name) => name in former && Object.is(kept[name], former[name]))
  return isSame ? former : kept
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
