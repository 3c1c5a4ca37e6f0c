/** Parses JSON with the line and the column of the first fault, or repairs common faults. */
import type { JsonTree } from './json-tree.ts'

export type JsonFault = { readonly line: number; readonly column: number; readonly message: string }
export type ParsedJson = { readonly tree: JsonTree; readonly repairs: readonly string[] } | { readonly fault: JsonFault }

class FaultFound extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const maxDepth = 200
const words: { readonly [word: string]: string } = { True: 'true', False: 'false', None: 'null', undefined: 'null', NaN: 'null' }
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
const numberLike = /[-+.\d][-+.\w]*/y
const closing: { readonly [mark: string]: string } = { '"': '"', "'": "'", '“': '”', '”': '”', '‘': '’', '`': '`' }

export const placeOf = (text: string, at: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}

/** @param canRepair comments, other quotation marks, names without marks, missing and additional commas are corrected */
export function parseJsonSource(text: string, canRepair = false): ParsedJson {
  const reader = new JsonReader(text, canRepair)
  try {
    return { tree: reader.readDocument(), repairs: reader.listRepairs() }
  } catch (error) {
    if (!(error instanceof FaultFound)) throw error
    return { fault: { ...placeOf(text, error.at), message: error.message } }
  }
}

class JsonReader {
  /** Lines by note. */
  readonly #repairs = new Map<string, Set<number>>()
  readonly #text: string
  readonly #canRepair: boolean
  #at = 0

  constructor(text: string, canRepair: boolean) {
    this.#text = text
    this.#canRepair = canRepair
  }

  readDocument(): JsonTree {
    this.#skipSpace()
    if (this.#at >= this.#text.length) throw new FaultFound(0, 'the text is empty')
    const tree = this.#readValue(0)
    this.#skipSpace()
    if (this.#at < this.#text.length) throw new FaultFound(this.#at, `${this.#named()} follows after the end of the value`)
    return tree
  }

  #readValue(depth: number): JsonTree {
    if (depth > maxDepth) throw new FaultFound(this.#at, `the values are nested more than ${maxDepth} levels deep`)
    const mark = this.#text[this.#at]
    if (mark === '{') return this.#readObject(depth)
    if (mark === '[') return this.#readArray(depth)
    if (mark !== undefined && mark in closing) return { kind: 'literal', text: this.#readString() }
    return { kind: 'literal', text: this.#readScalar() }
  }

  #readObject(depth: number): JsonTree {
    const entries: [string, JsonTree][] = []
    const start = this.#at++
    while (this.#hasNext('}', start, entries.length > 0)) {
      const name = this.#readName()
      this.#skipSpace()
      if (this.#text[this.#at] === '=' && this.#canRepair) this.#repair('an equals sign became a colon')
      else if (this.#text[this.#at] !== ':')
        throw new FaultFound(this.#at, `a colon is missing after the name ${name}, before ${this.#named()}`)
      this.#at++
      this.#skipSpace()
      if (/^[,}\]]?$/.test(this.#text[this.#at] ?? '')) throw new FaultFound(this.#at, `the value of ${name} is missing`)
      entries.push([name, this.#readValue(depth + 1)])
    }
    return { kind: 'object', entries }
  }

  #readArray(depth: number): JsonTree {
    const items: JsonTree[] = []
    const start = this.#at++
    while (this.#hasNext(']', start, items.length > 0)) items.push(this.#readValue(depth + 1))
    return { kind: 'array', items }
  }

  /** Goes to the next member. False: the object or list has ended. */
  #hasNext(end: string, start: number, isLater: boolean): boolean {
    this.#skipSpace()
    const kind = end === '}' ? 'object' : 'list'
    const comma = this.#at
    const isComma = this.#text[comma] === ','
    if (isComma && !isLater) throw new FaultFound(comma, `a comma stands before the first member of the ${kind}`)
    if (isComma) {
      this.#at++
      this.#skipSpace()
    }
    const mark = this.#text[this.#at]
    if (mark === end) {
      if (isComma)
        this.#repair(`a comma before the closing ${end} was removed`, comma, `a comma stands before the closing ${end}; remove it`)
      this.#at++
      return false
    }
    if (mark === undefined) {
      const { line, column } = placeOf(this.#text, start)
      this.#repair(
        `a missing ${end} was added at the end`,
        this.#at,
        `the ${kind} that begins at line ${line}, column ${column} is not closed: a ${end} is missing`,
      )
      return false
    }
    if (mark === ',') throw new FaultFound(this.#at, 'two commas follow one another')
    if (mark === '}' || mark === ']') throw new FaultFound(this.#at, `a ${mark} stands where the ${kind} needs a ${end}`)
    if (isLater && !isComma) this.#repair('a missing comma was added', this.#at, `a comma is missing before ${this.#named()}`)
    return true
  }

  #readName(): string {
    const mark = this.#text[this.#at] ?? ''
    if (mark in closing) return this.#readString()
    const found = this.#match(word) ?? this.#match(numberLike)
    if (found === undefined) throw new FaultFound(this.#at, `a name in quotation marks is missing before ${this.#named()}`)
    this.#repair('a name was put in quotation marks', this.#at - found.length, `the name ${found} needs quotation marks`)
    return JSON.stringify(found)
  }

  #readString(): string {
    const start = this.#at
    const open = this.#text[start] ?? ''
    const end = closing[open] ?? open
    let body = ''
    for (this.#at++; this.#text[this.#at] !== end; this.#at++) {
      const mark = this.#text[this.#at]
      if (mark === undefined) throw new FaultFound(start, 'the string that begins here is not closed')
      if (mark === '\\') body += this.#readEscape(end)
      else if (mark < ' ') {
        const name = mark === '\n' ? 'line break' : mark === '\t' ? 'tab' : 'control character'
        this.#repair(
          `a ${name} in a string was escaped`,
          this.#at,
          `the string has a ${name}, which must be escaped; its closing quotation mark may be missing`,
        )
        body += JSON.stringify(mark).slice(1, -1)
      } else body += mark === '"' ? '\\"' : mark
    }
    this.#at++
    if (open !== '"')
      this.#repair(`other quotation marks became "`, start, `the string begins with ${open}; JSON needs the quotation mark "`)
    return `"${body}"`
  }

  #readEscape(end: string): string {
    const at = this.#at++
    const next = this.#text[this.#at] ?? ''
    if (next === end && end !== '"') return next
    if (next === "'" && this.#canRepair) return next
    if (next === 'u') {
      const digits = this.#text.slice(this.#at + 1, this.#at + 5)
      if (!/^[\da-fA-F]{4}$/.test(digits)) throw new FaultFound(at, '\\u must be followed by four hexadecimal digits')
      this.#at += 4
      return `\\u${digits}`
    }
    if (next === '' || !'"\\/bfnrt'.includes(next)) throw new FaultFound(at, `\\${next} is not an escape sequence of JSON`)
    return `\\${next}`
  }

  #readScalar(): string {
    const start = this.#at
    const found = this.#match(word)
    if (found !== undefined) {
      if (found === 'true' || found === 'false' || found === 'null') return found
      const value = Object.hasOwn(words, found) ? words[found] : undefined
      const hint =
        value === undefined ? `${found} is no JSON value; a string needs quotation marks` : `${found} is no JSON value; write ${value}`
      if (value === undefined) throw new FaultFound(start, hint)
      this.#repair(`${found} became ${value}`, start, hint)
      return value
    }
    const digits = this.#match(number)
    const rest = this.#text.slice(this.#at, this.#at + 1)
    if (digits !== undefined && !/[\w.+]/.test(rest)) return digits
    this.#at = start
    const wrong = this.#match(numberLike)
    this.#at = start
    if (wrong !== undefined)
      throw new FaultFound(start, `${wrong.slice(0, 40)} is no JSON number${/^[-+]?0\d/.test(wrong) ? '; it may not begin with 0' : ''}`)
    throw new FaultFound(start, `a value is missing before ${this.#named()}`)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #skipSpace(): void {
    for (;;) {
      while (/^[ \t\n\r]$/.test(this.#text[this.#at] ?? '')) this.#at++
      const two = this.#text.slice(this.#at, this.#at + 2)
      if (two !== '//' && two !== '/*') return
      const start = this.#at
      const end = two === '//' ? this.#text.indexOf('\n', start) : this.#text.indexOf('*/', start + 2)
      if (end < 0 && two === '/*') throw new FaultFound(start, 'the comment that begins here is not closed')
      this.#repair('a comment was removed', start, 'JSON has no comments')
      this.#at = end < 0 ? this.#text.length : two === '//' ? end : end + 2
    }
  }

  /** Notes a repair, or fails at the place if nothing may be repaired. */
  #repair(note: string, at = this.#at, fault = note): void {
    if (!this.#canRepair) throw new FaultFound(at, fault)
    const lines = this.#repairs.get(note) ?? new Set()
    this.#repairs.set(note, lines.add(placeOf(this.#text, at).line))
  }

  /** `a missing comma was added (line 6)`. Lines of a text with one line are not named. */
  listRepairs(): string[] {
    if (!this.#text.trim().includes('\n')) return [...this.#repairs.keys()]
    return [...this.#repairs].map(([note, lines]) => {
      const all = [...lines].slice(0, 10)
      return `${note} (${all.length === 1 ? 'line' : 'lines'} ${all.join(', ')}${lines.size > 10 ? ' and others' : ''})`
    })
  }

  #named(): string {
    const mark = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 10)
    return this.#at >= this.#text.length ? 'the end of the text' : mark === '\n' ? 'the line break' : `the character ${mark}`
  }
}
