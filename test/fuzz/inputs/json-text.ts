/** JSON as it goes on the wire, with places for what no JavaScript value can express. */

const text = Symbol('text')
/** A piece of JSON text that stands where a value would. It need not be valid. */
export type Raw = { readonly [text]: string }
export type Value = null | boolean | number | string | Raw | readonly Value[] | { readonly [key: string]: Value }
export type Tree = { readonly [key: string]: Value }

export const raw = (json: string): Raw => ({ [text]: json })
export const isRaw = (value: Value): value is Raw => typeof value === 'object' && value !== null && text in value
export const isTree = (value: Value | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(text in value)

/** Stands for two bytes that are no UTF-8. */
export const badBytes = '\uf8ff'
const spelled = Buffer.from(badBytes)

export function writeJson(value: Value): string {
  if (isTree(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}:${writeJson(item)}`)
      .join(',')}}`
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  return typeof value === 'object' && value !== null ? (value as unknown as Raw)[text] : JSON.stringify(value)
}

export function toBytes(json: string): Buffer {
  const bytes = Buffer.from(json)
  if (!json.includes(badBytes)) return bytes
  const parts: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(spelled); at >= 0; at = bytes.indexOf(spelled, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from([0xc3, 0x28]))
    from = at + spelled.length
  }
  return Buffer.concat([...parts, bytes.subarray(from)])
}

/** The value with what stands at `path` replaced; own keys stay own keys, whatever they are called. */
export function replaceAt(value: Value, path: readonly (string | number)[], change: (old: Value) => Value): Value {
  const [first, ...rest] = path
  if (first === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item: Value, index) => (index === first ? replaceAt(item, rest, change) : item))
  if (!isTree(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === first ? replaceAt(item, rest, change) : item]))
}

export function valueAt(value: Value, path: readonly (string | number)[]): Value | undefined {
  let now: Value | undefined = value
  for (const key of path) {
    if (Array.isArray(now)) now = now[Number(key)]
    else if (isTree(now)) now = Object.hasOwn(now, key) ? (now as Tree)[String(key)] : undefined
    else return undefined
  }
  return now
}
