/** Optional places that a valid input leaves out: what is not there can't be attacked. */
import { isTree, replaceAt, type Tree, type Value } from './json-text.ts'
import { type Mutation, type Part, placeName, positionsOf } from './mutations.ts'
import { type Known, resolved, type Schema, sample } from './schema.ts'

/** Adds each optional place that is missing, with a valid value of what is alive. Null where none is missing. */
export function completion(base: Value, schema: Schema, known: Known): Mutation | null {
  const parts = positionsOf(base, schema).flatMap(({ path, schema: at, value }): Part[] => {
    if (Array.isArray(value)) {
      const items = value.length === 0 && typeof at.items === 'object' ? at.items : null
      if (!items) return []
      const name = String(path.at(-1) ?? '').replace(/s$/, '')
      return [part(path, placeName(path), () => [sample(items, known, name, schema)])]
    }
    if (!isTree(value)) return []
    const missing = Object.entries(at.properties ?? {}).filter(([key]) => !Object.hasOwn(value, key))
    return missing.map(([key, one]) => {
      const item = sample(resolved(one, schema), known, key, schema)
      return part(path, placeName([...path, key]), (old) => ({ ...(isTree(old) ? old : ({} as Tree)), [key]: item }))
    })
  })
  return parts.length === 0 ? null : completing(parts)
}

function part(path: readonly (string | number)[], place: string, change: (old: Value) => Value): Part {
  const one = { name: place, group: 'optional', isWithin: true, apply: (base: Value) => replaceAt(base, path, change) }
  return { place, one }
}

export const completing = (parts: readonly Part[]): Mutation => ({
  name: 'completed',
  group: 'optional',
  isWithin: true,
  parts,
  apply: (value) => parts.reduce((now, { one }) => one.apply(now), value),
})
