/** Reads and solves linear equations in one unknown: `3x + 7 = 22`. */
import { add, divide, multiply, type Rational, rational, rationalOfDecimal, subtract } from './rational.ts'

/** The equation as it was written. `slope` × unknown = `constant`. */
export type LinearEquation = {
  readonly kind: 'equation'
  readonly text: string
  readonly unknown: string
  readonly slope: Rational
  readonly constant: Rational
}

const equation = String.raw`(?<equation>[-+\d.,()a-z\s*/·×÷−]+=[-+\d.,()a-z\s*/·×÷−]+)`
const asked = '(?: (?:for|the|this|following|linear|equation|value|of))*'
const forms: readonly RegExp[] = [
  new RegExp(`^(?:solve|resolve|work out)${asked}(?: (?<unknown>[a-z]))?(?: in)?[:,]? ${equation}$`),
  new RegExp(`^(?:solve|resolve|work out)?${asked}:? ?${equation} for (?<unknown>[a-z])$`),
  new RegExp(
    `^(?:what is|what's|whats|find|calculate|determine|how much is|how big is)${asked} (?<unknown>[a-z]),? (?:if|when|in|for which|so that|where|given|given that):? ${equation}$`,
  ),
  new RegExp(`^(?:if|when|given) ${equation},? (?:then )?(?:what is|what's|whats|find|how much is)${asked} (?<unknown>[a-z])$`),
  new RegExp(`^${equation}(?:[,;.?] ?(?:what is|what's|find|solve for) (?<unknown>[a-z])|[,;] ?(?<unknown2>[a-z]) ?= ?\\?)?$`),
]

/** An equation whose text is understood completely; undefined otherwise. `text`: in lower case, without polite phrases. */
export function readEquation(text: string): LinearEquation | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups
    const read = groups?.equation === undefined ? undefined : parseEquation(groups.equation.replace(/(?<![,.\s])[,.\s]+$/, '').trim())
    const named = groups?.unknown ?? groups?.unknown2
    // `x = 5` asks nothing.
    const isSolved = /^[a-z]\s*=\s*-?[\d.,]+$/.test(read?.text ?? '')
    if (read && !isSolved && (named === undefined || named === read.unknown)) return read
  }
  return undefined
}

/** A polynomial of the first degree: slope × unknown + constant. */
type Linear = { readonly slope: Rational; readonly constant: Rational }
type Cursor = { readonly tokens: readonly string[]; at: number }

const zero = rational(0n)
const token = /\s*(?:(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)|([a-z])(?![a-z])|([-+*/()]))/y

function parseEquation(text: string): LinearEquation | undefined {
  const plain = text.replace(/[·×]/g, '*').replaceAll('÷', '/').replaceAll('−', '-')
  const unknowns = new Set(plain.match(/[a-z]/g))
  const [unknown] = unknowns
  const sides = plain.split('=').map((side) => parseSide(side))
  const [left, right] = sides
  if (unknown === undefined || unknowns.size > 1 || sides.length !== 2 || !left || !right) return undefined
  return { kind: 'equation', text, unknown, slope: subtract(left.slope, right.slope), constant: subtract(right.constant, left.constant) }
}

function parseSide(side: string): Linear | undefined {
  const tokens: string[] = []
  token.lastIndex = 0
  const text = side.trimEnd()
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    if (!match) return undefined
    tokens.push((match[1] ?? match[2] ?? match[3]) as string)
  }
  const cursor: Cursor = { tokens, at: 0 }
  const sum = readSum(cursor)
  return cursor.at === tokens.length ? sum : undefined
}

function take(cursor: Cursor, ...wanted: readonly string[]): string | undefined {
  const next = cursor.tokens[cursor.at]
  if (next === undefined || !wanted.includes(next)) return undefined
  cursor.at++
  return next
}

function readSum(cursor: Cursor): Linear | undefined {
  let left = readProduct(cursor)
  for (;;) {
    const sign = take(cursor, '+', '-')
    if (!left || sign === undefined) return left
    const right = readProduct(cursor)
    left = right && combine(left, right, sign === '+' ? add : subtract)
  }
}

const combine = (a: Linear, b: Linear, how: (x: Rational, y: Rational) => Rational): Linear => ({
  slope: how(a.slope, b.slope),
  constant: how(a.constant, b.constant),
})

function readProduct(cursor: Cursor): Linear | undefined {
  let left = readFactor(cursor)
  while (left) {
    const sign = take(cursor, '*', '/')
    // `2x` and `3(x + 1)`.
    const isImplied = sign === undefined && /^(?:[a-z]|\()$/.test(cursor.tokens[cursor.at] ?? '')
    if (sign === undefined && !isImplied) return left
    const right = readFactor(cursor)
    left = right && (sign === '/' ? quotient(left, right) : product(left, right))
  }
  return left
}

/** Undefined if the product is of the second degree. */
function product(a: Linear, b: Linear): Linear | undefined {
  if (a.slope.n !== 0n && b.slope.n !== 0n) return undefined
  const [factor, other] = a.slope.n === 0n ? [a.constant, b] : [b.constant, a]
  return { slope: multiply(other.slope, factor), constant: multiply(other.constant, factor) }
}

function quotient(a: Linear, b: Linear): Linear | undefined {
  if (b.slope.n !== 0n || b.constant.n === 0n) return undefined
  return { slope: divide(a.slope, b.constant), constant: divide(a.constant, b.constant) }
}

function readFactor(cursor: Cursor): Linear | undefined {
  if (take(cursor, '-')) {
    const of = readFactor(cursor)
    return of && combine({ slope: zero, constant: zero }, of, subtract)
  }
  if (take(cursor, '+')) return readFactor(cursor)
  if (take(cursor, '(')) {
    const inner = readSum(cursor)
    return inner && take(cursor, ')') ? inner : undefined
  }
  const next = cursor.tokens[cursor.at++] ?? ''
  if (/^\d/.test(next)) return { slope: zero, constant: rationalOfDecimal(next.replaceAll(',', '')) }
  return /^[a-z]$/.test(next) ? { slope: rational(1n), constant: zero } : undefined
}
