/**
 * Canonical bytes: RFC 8785 (JCS), stricter where the RFC allows a choice. Rejects duplicate keys, reserved keys, lone surrogates, NUL
 * characters, numbers that lose digits, and values beyond the bounds. So the signed, stored and hashed values are equal.
 * @see SPEC.md#canonical-form
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import { envelopeBounds, isReservedKey, type JsonBounds, jsonFault, textFault } from './json-bounds.ts'
import { utf8Bytes } from './utf8-bytes.ts'

/** What JSON can express: null, booleans, finite numbers, strings, lists and records. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Why a text was rejected; `at` is the position in it. */
export class CanonicalError extends Error {
  override readonly name = 'CanonicalError'
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** The maximum length of a string that is compared character by character. */
const shortString = 48
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

let lastUnescaped = ''

/**
 * Whether the JSON form of a text is the text between two quotes. Searching for characters to escape takes twice as long as writing
 * the text, and this is checked more than once per message.
 */
export function isUnescaped(text: string): boolean {
  if (text === lastUnescaped) return true
  if (JSON.stringify(text).length !== text.length + 2) return false
  lastUnescaped = text
  return true
}

/**
 * Parses JSON strictly. `keys` limits the keys of one object, `depth` the nesting, and `values` the total number of values.
 * @throws {CanonicalError}
 */
export function parseStrict(text: string, bounds: Partial<JsonBounds> = {}): Json {
  return new StrictReader(text, { ...envelopeBounds, ...bounds }).read()
}

/** One pass over one text: `at` is the position of the next character. */
class StrictReader {
  private at = 0
  private readonly text: string
  private readonly bounds: JsonBounds
  private values = 0

  constructor(text: string, bounds: JsonBounds) {
    this.text = text
    this.bounds = bounds
  }

  read(): Json {
    const result = this.value(0)
    this.space()
    if (this.at !== this.text.length) this.fail('something follows the value')
    return result
  }

  private fail(message: string): never {
    throw new CanonicalError(`${message} at character ${this.at}`, this.at)
  }

  /** The code of the next character after white space; NaN at the end. */
  private space(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code
      this.at++
    }
  }

  /** A string without escapes, the common case; or null, and nothing is read. */
  private plainString(): string | null {
    const { text } = this
    const from = this.at + 1
    let end = from
    while (end - from < shortString) {
      const code = text.charCodeAt(end)
      if (code === quote) break
      // Not ASCII, escaped, not allowed, or missing.
      if (!(code >= 0x20 && code < 0x7f && code !== backslash)) return null
      end++
    }
    if (end - from < shortString) {
      this.at = end + 1
      return text.slice(from, end)
    }
    end = text.indexOf('"', end)
    const plain = text.slice(from, end)
    // A string that needs escapes differs from its text.
    if (end < 0 || !isUnescaped(plain)) return null
    this.at = end + 1
    return plain
  }

  private string(): string {
    const plain = this.plainString()
    if (plain !== null) return plain
    const { text } = this
    const start = this.at
    for (this.at++; text.charCodeAt(this.at) !== quote; this.at++) {
      if (this.at >= text.length) this.fail('a string is not closed')
      if (text.charCodeAt(this.at) === backslash) this.at++
    }
    this.at++
    let value = ''
    try {
      value = JSON.parse(text.slice(start, this.at)) as string
    } catch {
      this.fail('a string is malformed')
    }
    const fault = textFault(value)
    if (fault !== null) this.fail(fault)
    return value
  }

  private number(): number {
    const match = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(this.text.slice(this.at, this.at + 64))
    if (!match) return this.fail('not a JSON value')
    const value = Number(match[0])
    if (!Number.isFinite(value)) this.fail('a number is out of range')
    // Beyond 2^53, accepts only the digits that the canonical form would write.
    const whole = !match[2] && !match[3]
    if (whole && !Number.isSafeInteger(value) && String(value) !== match[0]) this.fail('an integer loses digits: write it as a string')
    this.at += match[0].length
    return value
  }

  private members(depth: number): { [key: string]: Json } {
    const object: { [key: string]: Json } = {}
    let count = 0
    this.at++
    if (this.space() === closeBrace) return this.closed(object)
    for (;;) {
      if (this.space() !== quote) this.fail('a key must be a string')
      const key = this.string()
      if (isReservedKey(key)) this.fail(`the key ${JSON.stringify(key)} is not allowed`)
      if (Object.hasOwn(object, key)) this.fail(`the key ${JSON.stringify(key)} occurs twice`)
      if (++count > this.bounds.keys) this.fail(`more than ${this.bounds.keys} keys in one object`)
      if (this.space() !== colon) this.fail('a colon is missing')
      this.at++
      object[key] = this.value(depth + 1)
      const next = this.space()
      if (next === closeBrace) return this.closed(object)
      if (next !== comma) this.fail('a comma is missing')
      this.at++
    }
  }

  private items(depth: number): Json[] {
    const list: Json[] = []
    this.at++
    if (this.space() === closeBracket) return this.closed(list)
    for (;;) {
      list.push(this.value(depth + 1))
      const next = this.space()
      if (next === closeBracket) return this.closed(list)
      if (next !== comma) this.fail('a comma is missing')
      this.at++
    }
  }

  /** Consumes the bracket that ends a value. */
  private closed<T extends Json>(value: T): T {
    this.at++
    return value
  }

  private value(depth: number): Json {
    if (depth > this.bounds.depth) this.fail(`nested deeper than ${this.bounds.depth}`)
    if (++this.values > this.bounds.values) this.fail(`more than ${this.bounds.values} values`)
    switch (this.space()) {
      case openBrace:
        return this.members(depth)
      case openBracket:
        return this.items(depth)
      case quote:
        return this.string()
      case 0x74:
        return this.word('true', true)
      case 0x66:
        return this.word('false', false)
      case 0x6e:
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  private word<T extends boolean | null>(word: string, meaning: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('not a JSON value')
    this.at += word.length
    return meaning
  }
}

/** Whether a parsed value is within the bounds of `parseStrict`. */
export function isWithin(value: Json): boolean {
  return jsonFault(value, envelopeBounds) === null
}

/**
 * RFC 8785 text of a JSON value: keys sorted by UTF-16 code units, no white space, ECMAScript numbers. Undefined members are left out.
 * @throws {CanonicalError} for a lone surrogate, {TypeError} for undefined or a number that is not finite
 */
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

/** UTF-8 of the canonical text: the signed and hashed bytes. */
export function canonicalBytes(value: Json): Uint8Array<ArrayBuffer> {
  return utf8Bytes(canonicalize(value))
}

/** SHA-256 of bytes, lower-case hex without prefix. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return bytesToHex(new Uint8Array(digest))
}
