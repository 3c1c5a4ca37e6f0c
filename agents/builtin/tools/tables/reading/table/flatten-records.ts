/** Finds the lists of records in a JSON value, at every depth, with the fields of the records above. */

type JsonRecord = { readonly [key: string]: unknown }
type Fields = ReadonlyMap<string, unknown>
/** The fields of a record above, and the list that it stands in. `isRoot`: the outermost record, in no list. */
type Ancestor = { readonly list: string; readonly fields: Fields; readonly isRoot: boolean }
type FlatRow = { readonly fields: Fields; readonly ancestors: readonly Ancestor[] }

/** `list`: the key of the list. `depth`: 1 for an outermost list. `inner`: the keys of lists in its records. */
export type RecordList = {
  readonly list: string
  readonly depth: number
  readonly rows: readonly FlatRow[]
  readonly inner: ReadonlySet<string>
  /** Records above whose list is empty or missing, so that they have no row here. */
  readonly childless: number
}

/** Deeper lists are kept as text. */
const maxDepth = 6

const isRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRecordList = (value: unknown): value is readonly JsonRecord[] => Array.isArray(value) && value.length > 0 && value.every(isRecord)

/** The lists of records, outer ones first. @param name the name of an outermost list without a key */
export function flattenRecords(json: unknown, name: string): RecordList[] {
  const lists = new Map<string, { list: string; depth: number; rows: FlatRow[]; inner: Set<string>; parents: number; above: string }>()
  const collect = (records: readonly JsonRecord[], path: readonly string[], ancestors: readonly Ancestor[]): void => {
    const id = path.join('.')
    const list = path.at(-1) ?? ''
    const found = lists.get(id) ?? {
      list,
      depth: path.length,
      rows: [],
      inner: new Set<string>(),
      parents: 0,
      above: path.slice(0, -1).join('.'),
    }
    lists.set(id, found)
    found.parents++
    for (const record of records) {
      const { fields, children } = divideRecord(record, path.length < maxDepth)
      found.rows.push({ fields, ancestors })
      for (const [key, child] of children) {
        found.inner.add(key)
        collect(child, [...path, key], [...ancestors, { list, fields, isRoot: false }])
      }
    }
  }
  if (isRecordList(json)) collect(json, [name], [])
  else if (isRecord(json)) {
    const { fields, children } = divideRecord(json, true)
    for (const [key, child] of children) collect(child, [key], fields.size > 0 ? [{ list: 'parent', fields, isRoot: true }] : [])
  }
  return [...lists.values()]
    .map(
      ({ parents, above, ...one }): RecordList => ({
        ...one,
        childless: Math.max((lists.get(above)?.rows.length ?? parents) - parents, 0),
      }),
    )
    .sort((a, b) => a.depth - b.depth)
}

type DividedRecord = { readonly fields: Fields; readonly children: readonly (readonly [string, readonly JsonRecord[]])[] }

/** The fields of a record, with dotted names for those of records inside, and its lists of records. */
function divideRecord(record: JsonRecord, takesLists: boolean, prefix = '', depth = 0): DividedRecord {
  const fields = new Map<string, unknown>()
  const children: (readonly [string, readonly JsonRecord[]])[] = []
  for (const [key, value] of Object.entries(record)) {
    const name = `${prefix}${key}`
    if (takesLists && isRecordList(value)) children.push([name, value])
    else if (isRecord(value) && Object.keys(value).length > 0 && depth < maxDepth) {
      const inner = divideRecord(value, takesLists, `${name}.`, depth + 1)
      for (const [innerKey, one] of inner.fields) fields.set(innerKey, one)
      children.push(...inner.children)
    } else fields.set(name, value)
  }
  return { fields, children }
}

export type FlatSheet = {
  readonly header: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly inherited: ReadonlySet<string>
}

/** A table of a list. Fields of records above have dotted names where a name stands twice, or always. */
export function tableOfList(
  { rows, inner }: RecordList,
  { isDotted, hasRoot }: { readonly isDotted: boolean; readonly hasRoot: boolean },
): FlatSheet {
  const own = new Set(rows.flatMap(({ fields }) => [...fields.keys()].filter((key) => !inner.has(key))))
  const names = new Map<string, { readonly level: number; readonly key: string }>()
  for (const { ancestors } of rows)
    ancestors.forEach(({ list, fields, isRoot }, level) => {
      if (isRoot && !hasRoot) return
      for (const key of fields.keys()) {
        const isTwice = own.has(key) || [...names.values()].some((one) => one.key === key && one.level !== level)
        const name = isDotted || isTwice ? `${list}.${key}` : key
        if (!names.has(name)) names.set(name, { level, key })
      }
    })
  const inherited = [...names]
  const header = [...inherited.map(([name]) => name), ...own]
  return {
    header,
    rows: rows.map(({ fields, ancestors }) => [
      ...inherited.map(([, { level, key }]) => ancestors[level]?.fields.get(key)),
      ...[...own].map((key) => fields.get(key)),
    ]),
    inherited: new Set(names.keys()),
  }
}
