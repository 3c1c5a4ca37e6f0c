/**
 * Canonical bytes: RFC 8785 (JCS) with what it leaves open closed. Duplicate keys, the key `__proto__`, lone
 * surrogates, numbers that lose digits and bodies too deep or too wide are refused, so that what is signed, stored and hashed is one thing.
 * @see SPEC.md#canonical-form
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export const limits = {
  /** Bytes of one envelope on the wire. */
  envelopeBytes: 262_144,
  /** Bytes of the fields that this version does not know, in canonical form. */
  unknownBytes: 8_192,
  depth: 32,
  keys: 256,
} as const

/** Why a text was refused; `at` is the position in it. */
export class CanonicalError extends Error {
  override readonly name = 'CanonicalError'
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Characters up to which a string is looked at one by one. */
const shortString = 48

/**
 * Parses JSON strictly. `keys` bounds the keys of any one object, `depth` the nesting.
 * @throws {CanonicalError}
 */
export function parseStrict(text: string, bounds: { depth?: number; keys?: number } = {}): Json {
  const maxDepth = bounds.depth ?? limits.depth
  const maxKeys = bounds.keys ?? limits.keys
  let at = 0
  const fail = (message: string): never => {
    throw new CanonicalError(`${message} at character ${at}`, at)
  }
  const space = () => {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      at++
    }
  }
  /** A string that is as it stands between two quotes, as most are; or null, and nothing is read. */
  function plainString(): string | null {
    const from = at + 1
    let end = from
    while (end - from < shortString) {
      const code = text.charCodeAt(end)
      if (code === 0x22) break
      // Not in ASCII, or escaped, or not allowed, or not there.
      if (!(code >= 0x20 && code < 0x7f && code !== 0x5c)) return null
      end++
    }
    if (end - from < shortString) {
      at = end + 1
      return text.slice(from, end)
    }
    end = text.indexOf('"', end)
    const plain = text.slice(from, end)
    // One that would be escaped is another than its text, or none; a search for what is escaped takes twice as long.
    if (end < 0 || JSON.stringify(plain).length !== plain.length + 2) return null
    at = end + 1
    return plain
  }
  function string(): string {
    const plain = plainString()
    if (plain !== null) return plain
    const start = at
    for (at++; text[at] !== '"'; at++) {
      if (at >= text.length) fail('a string is not closed')
      if (text[at] === '\\') at++
    }
    at++
    let value = ''
    try {
      value = JSON.parse(text.slice(start, at)) as string
    } catch {
      fail('a string is malformed')
    }
    if (!value.isWellFormed()) fail('a lone surrogate has no bytes')
    return value
  }
  function number(): number {
    const match = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(text.slice(at, at + 64))
    if (!match) return fail('not a JSON value')
    const value = Number(match[0])
    if (!Number.isFinite(value)) fail('a number is out of range')
    // Beyond 2^53 only those digits pass that the canonical form itself would write.
    const whole = !match[2] && !match[3]
    if (whole && !Number.isSafeInteger(value) && String(value) !== match[0]) fail('an integer loses digits: write it as a string')
    at += match[0].length
    return value
  }
  /** Steps over the bracket that ends a value. */
  function closed<T extends Json>(value: T): T {
    at++
    return value
  }
  function members(depth: number): { [key: string]: Json } {
    const object: { [key: string]: Json } = {}
    let count = 0
    at++
    space()
    if (text[at] === '}') return closed(object)
    for (;;) {
      space()
      if (text[at] !== '"') fail('a key must be a string')
      const key = string()
      // Many JSON libraries lose this key or act on it, and with it the bytes that were signed.
      if (key === '__proto__') fail('the key "__proto__" is not allowed')
      if (Object.hasOwn(object, key)) fail(`the key ${JSON.stringify(key)} stands twice`)
      if (++count > maxKeys) fail(`more than ${maxKeys} keys in one object`)
      space()
      if (text[at] !== ':') fail('a colon is missing')
      at++
      object[key] = value(depth + 1)
      space()
      if (text[at] === '}') return closed(object)
      if (text[at] !== ',') fail('a comma is missing')
      at++
    }
  }
  function items(depth: number): Json[] {
    const list: Json[] = []
    at++
    space()
    if (text[at] === ']') return closed(list)
    for (;;) {
      list.push(value(depth + 1))
      space()
      if (text[at] === ']') return closed(list)
      if (text[at] !== ',') fail('a comma is missing')
      at++
    }
  }
  function value(depth: number): Json {
    if (depth > maxDepth) fail(`nested deeper than ${maxDepth}`)
    space()
    switch (text[at]) {
      case '{':
        return members(depth)
      case '[':
        return items(depth)
      case '"':
        return string()
      default:
        for (const [word, meaning] of [
          ['true', true],
          ['false', false],
          ['null', null],
        ] as const) {
          if (!text.startsWith(word, at)) continue
          at += word.length
          return meaning
        }
        return number()
    }
  }
  const result = value(0)
  space()
  if (at !== text.length) fail('something follows the value')
  return result
}

/** Whether a value that was parsed before keeps to these bounds, as `parseStrict` has them. */
export function isWithin(value: Json, depth: number = limits.depth): boolean {
  if (value === null || typeof value !== 'object') return true
  // A value inside is one level deeper, be it a plain one.
  if (Array.isArray(value)) return value.length === 0 || (depth > 0 && value.every((item) => isWithin(item, depth - 1)))
  const keys = Object.keys(value)
  if (keys.length > limits.keys || Object.hasOwn(value, '__proto__')) return false
  return keys.length === 0 || (depth > 0 && keys.every((key) => isWithin(value[key] ?? null, depth - 1)))
}

/** RFC 8785 text of a JSON value: keys sorted by UTF-16 code units, no white space, ECMAScript numbers. */
export function canonicalize(value: Json | undefined): string {
  if (value === undefined) throw new TypeError('undefined has no JSON form')
  if (typeof value === 'string' && !value.isWellFormed()) throw new CanonicalError('a lone surrogate has no bytes', 0)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('a number is not finite')
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member === undefined) continue
    text += `${text === '' ? '' : ','}${canonicalize(key)}:${canonicalize(member)}`
  }
  return `{${text}}`
}

/** UTF-8 of the canonical text: what is signed and hashed. */
export function canonicalBytes(value: Json): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalize(value))
}

/** SHA-256 of bytes, lower-case hex without prefix. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
