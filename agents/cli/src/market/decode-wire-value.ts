/** An answer of the web's procedures: plain JSON, and the type and path of each value that JSON lacks. */
export type WireValue = { readonly json: unknown; readonly types?: readonly (readonly [string, ...(string | number)[]])[] }

/** The value with its big integers and dates. Other types stay as JSON. */
export function decodeWireValue({ json, types = [] }: WireValue): unknown {
  const holder = { value: structuredClone(json) }
  for (const [kind, ...path] of types) {
    const keys = ['value', ...path]
    const last = keys.pop() ?? 'value'
    const parent = keys.reduce<unknown>((at, key) => (at as Record<string | number, unknown> | undefined)?.[key], holder)
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) continue
    const record = parent as Record<string | number, unknown>
    if (kind === 'bigint') record[last] = BigInt(String(record[last]))
    if (kind === 'date') record[last] = new Date(String(record[last]))
  }
  return holder.value
}
