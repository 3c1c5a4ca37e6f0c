/** Parses arithmetic in symbols and in English words: `3^40`, `15% of 240`, `the square root of 2 plus seven`. */
import { acceptsInputs, type BinaryOperator, type Expression, type FunctionName, functions } from './evaluate-expression.ts'
import { multiply, type Rational, rational, rationalOfDecimal } from './rational.ts'
import { magnitudeOf, ordinalOf, readNumberWords } from './read-number-words.ts'

/** Characters of an expression. */
export const maxExpressionLength = 500

type Token =
  | { readonly kind: 'number'; readonly value: Rational; readonly text: string }
  | { readonly kind: 'symbol' | 'word'; readonly text: string }

type Cursor = { readonly tokens: readonly Token[]; at: number }

const replacements: readonly (readonly [RegExp, string])[] = [
  [/[−–—]/g, '-'],
  [/[×✕✖·∙⋅]/g, '*'],
  [/÷/g, '/'],
  [/\*\*/g, '^'],
  [/²/g, '^2'],
  [/³/g, '^3'],
  [/½/g, '(1/2)'],
  [/⅓/g, '(1/3)'],
  [/⅔/g, '(2/3)'],
  [/¼/g, '(1/4)'],
  [/¾/g, '(3/4)'],
  [/√/g, ' sqrt '],
  [/π/g, ' pi '],
  [/°/g, ' degrees '],
  [/[$€£¥]/g, ' '],
  [/(\d)\s*[x]\s*(?=[\d(.])/g, '$1 * '],
  [/\)\s*[x]\s*(?=[\d(.])/g, ') * '],
]

const based = '0x[0-9a-f]+|0b[01]+|0o[0-7]+'
const decimal = String.raw`\d{1,3}(?:,\d{3})+(?![\d])(?:\.\d+)?|\d+(?:\.\d+)?(?:e[-+]?[0-4]?\d{1,3})?(?![a-z\d.])|\.\d+|\d+(?=(?:k|bn)\b)`
const lexeme = new RegExp(String.raw`\s*(?:(${based})|(${decimal})|(\d+(?:st|nd|rd|th)\b|[a-z][a-z0-9'’-]*)|([-+*/^%!(),]))`, 'y')
const currencyWord = /^(?:dollars?|euros?|eur|usd|gbp|chf|cents?|bucks?)$/

/** The tokens of an expression, or undefined if a character is not part of one. */
function readTokens(source: string): Token[] | undefined {
  if (source.length > maxExpressionLength) return undefined
  let text = source.toLowerCase()
  for (const [from, to] of replacements) text = text.replace(from, to)
  const tokens: Token[] = []
  lexeme.lastIndex = 0
  while (lexeme.lastIndex < text.trimEnd().length) {
    const match = lexeme.exec(text)
    if (!match) return undefined
    const [, code, digits, word, symbol] = match
    if (code !== undefined) tokens.push({ kind: 'number', value: rational(BigInt(code)), text: code })
    else if (digits !== undefined) tokens.push({ kind: 'number', value: rationalOfDecimal(digits.replaceAll(',', '')), text: digits })
    else if (word !== undefined) {
      if (!currencyWord.test(word)) tokens.push({ kind: 'word', text: word })
    } else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol })
  }
  return joinNumberWords(tokens)
}

/** Replaces words such as `twenty five` and `2 million` with numbers. */
function joinNumberWords(tokens: readonly Token[]): Token[] {
  const words = tokens.flatMap((token): string[] => [token.kind === 'word' ? token.text : ''])
  const joined: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token
    const last = joined.at(-1)
    const spelled = token.kind === 'word' ? readNumberWords(splitHyphens(words, index)) : undefined
    const magnitude = token.kind === 'word' ? (magnitudeOf(token.text) ?? shortMagnitude(token.text)) : undefined
    if (magnitude !== undefined && last?.kind === 'number') {
      joined.pop()
      const value = multiply(last.value, rational(magnitude))
      joined.push({ kind: 'number', value, text: `${last.text} ${token.text}` })
    } else if (spelled) {
      joined.push({ kind: 'number', value: rational(spelled.value), text: String(spelled.value) })
      index += tokensTaken(words, index, spelled.count) - 1
    } else joined.push(token)
  }
  return joined
}

const shortMagnitude = (word: string): bigint | undefined => (word === 'k' ? 1_000n : word === 'bn' ? 1_000_000_000n : undefined)

/** The words from a place, at most 20, with `twenty-five` as two. */
const splitHyphens = (words: readonly string[], start: number): string[] =>
  words.slice(start, start + 20).flatMap((word) => word.split('-'))

function tokensTaken(words: readonly string[], start: number, count: number): number {
  let [taken, rest] = [0, count]
  while (rest > 0) rest -= (words[start + taken++] ?? '').split('-').length
  return taken
}

const peek = (cursor: Cursor, ahead = 0): string => cursor.tokens[cursor.at + ahead]?.text ?? ''
const isNumberNext = (cursor: Cursor, ahead = 0): boolean => cursor.tokens[cursor.at + ahead]?.kind === 'number'

/** Takes one of these phrases, if it is next. */
function take(cursor: Cursor, ...phrases: readonly string[]): string | undefined {
  for (const phrase of phrases) {
    const words = phrase.split(' ')
    if (words.every((word, index) => peek(cursor, index) === word && !isNumberNext(cursor, index))) {
      cursor.at += words.length
      return phrase
    }
  }
  return undefined
}

const binary = (operator: BinaryOperator, left: Expression, right: Expression): Expression => ({ kind: 'binary', operator, left, right })
const call = (name: FunctionName, ...inputs: readonly Expression[]): Expression => ({ kind: 'call', name, inputs })
const integer = (value: number): Expression => ({ kind: 'number', value: rational(BigInt(value)), text: String(value) })

/** The expression, or undefined if any part of the text is not understood. */
export function parseExpression(text: string): Expression | undefined {
  const tokens = readTokens(text)
  if (!tokens || tokens.length === 0) return undefined
  const cursor: Cursor = { tokens, at: 0 }
  const expression = readSum(cursor)
  return expression && cursor.at === tokens.length ? expression : undefined
}

function readSum(cursor: Cursor): Expression | undefined {
  let left = readProduct(cursor)
  for (;;) {
    const sign = take(cursor, '+', '-', 'plus', 'added to', 'minus', 'less')
    if (!left || sign === undefined) return left
    const right = readProduct(cursor)
    left = right && binary(sign === '-' || sign === 'minus' || sign === 'less' ? '-' : '+', left, right)
  }
}

function readProduct(cursor: Cursor): Expression | undefined {
  let left = readSigned(cursor)
  while (left) {
    const isModulo = peek(cursor) === '%'
    const sign = take(cursor, '*', 'x', 'times', 'multiplied by', '/', 'divided by', 'over', 'mod', 'modulo', '%', 'of', 'choose')
    const isImplied = sign === undefined && peek(cursor) === '(' && !isNumberNext(cursor)
    if (sign === undefined && !isImplied) return left
    const right = readSigned(cursor)
    if (sign === 'choose') {
      left = right && call('choose', left, right)
      continue
    }
    const operator = isModulo || sign?.startsWith('mod') ? 'mod' : sign === '/' || sign === 'divided by' || sign === 'over' ? '/' : '*'
    left = right && binary(operator, left, right)
  }
  return left
}

function readSigned(cursor: Cursor): Expression | undefined {
  if (take(cursor, '+')) return readSigned(cursor)
  if (take(cursor, '-', 'minus', 'negative')) {
    const of = readSigned(cursor)
    return of && { kind: 'negative', of }
  }
  const factor = take(cursor, 'double', 'twice', 'triple')
  if (factor) {
    take(cursor, 'of')
    const of = readSigned(cursor)
    return of && binary('*', integer(factor === 'triple' ? 3 : 2), of)
  }
  return readPower(cursor)
}

function readPower(cursor: Cursor): Expression | undefined {
  const base = readPostfix(cursor)
  if (!base) return undefined
  const place = ordinalOf(peek(cursor, 2))
  if (peek(cursor) === 'to' && peek(cursor, 1) === 'the' && place !== undefined) {
    cursor.at += 3
    take(cursor, 'power')
    return binary('^', base, integer(place))
  }
  if (!take(cursor, '^', 'to the power of', 'to the power', 'raised to the power of', 'raised to the power', 'raised to')) return base
  const nested = ordinalOf(peek(cursor, 1))
  if (peek(cursor) === 'the' && nested !== undefined) {
    cursor.at += 2
    take(cursor, 'power')
    return binary('^', base, integer(nested))
  }
  const exponent = readSigned(cursor)
  return exponent && binary('^', base, exponent)
}

function readPostfix(cursor: Cursor): Expression | undefined {
  let value = readPrimary(cursor)
  while (value) {
    if (take(cursor, '!', 'factorial')) value = call('factorial', value)
    else if (take(cursor, 'squared')) value = binary('^', value, integer(2))
    else if (take(cursor, 'cubed')) value = binary('^', value, integer(3))
    else if (isPercentNext(cursor)) {
      take(cursor, '%', 'percent', 'per cent', 'pct')
      value = { kind: 'percent', of: value }
    } else return value
  }
  return value
}

/** A percent sign before a number or a bracket is the remainder, as in most programming languages. */
function isPercentNext(cursor: Cursor): boolean {
  if (isNumberNext(cursor)) return false
  if (peek(cursor) === 'per') return peek(cursor, 1) === 'cent'
  return peek(cursor) === '%' ? !isNumberNext(cursor, 1) && peek(cursor, 1) !== '(' : ['percent', 'pct'].includes(peek(cursor))
}

function readPrimary(cursor: Cursor): Expression | undefined {
  const token = cursor.tokens[cursor.at]
  if (token?.kind === 'number') return readNumber(cursor)
  if (take(cursor, '(')) {
    const inner = readSum(cursor)
    return inner && take(cursor, ')') ? inner : undefined
  }
  while (take(cursor, 'the', 'exact', 'exactly', 'value of', 'result of'));
  if (isNumberNext(cursor)) return readNumber(cursor)
  if (take(cursor, 'pi')) return { kind: 'number', value: { ...rationalOfDecimal(piDigits), digits: 50 }, text: 'π' }
  if (take(cursor, 'e')) return { kind: 'number', value: { ...rationalOfDecimal(eulerDigits), digits: 50 }, text: 'e' }
  return readNamedRoot(cursor) ?? readFraction(cursor) ?? readCall(cursor)
}

const piDigits = '3.14159265358979323846264338327950288419716939937510'
const eulerDigits = '2.71828182845904523536028747135266249775724709369995'

/** A number, a mixed number such as `1 1/2`, or a fraction in words such as `two thirds`. */
function readNumber(cursor: Cursor): Expression | undefined {
  const token = cursor.tokens[cursor.at++]
  if (token?.kind !== 'number') return undefined
  const number: Expression = { kind: 'number', value: token.value, text: token.text }
  const parts = ordinalOf(peek(cursor))
  const hasParts = parts !== undefined && parts > 1 && cursor.tokens[cursor.at]?.kind === 'word' && peek(cursor, 1) !== 'root'
  if (hasParts) {
    cursor.at++
    return binary('/', number, integer(parts))
  }
  const [top, bottom] = [cursor.tokens[cursor.at], cursor.tokens[cursor.at + 2]]
  const isMixed = top?.kind === 'number' && peek(cursor, 1) === '/' && bottom?.kind === 'number' && token.value.d === 1n
  if (!isMixed) return number
  cursor.at += 3
  const part = binary('/', { kind: 'number', value: top.value, text: top.text }, { kind: 'number', value: bottom.value, text: bottom.text })
  return binary('+', number, part)
}

/** `half`, `a third`, `one quarter`. */
function readFraction(cursor: Cursor): Expression | undefined {
  const skip = peek(cursor) === 'a' || peek(cursor) === 'an' ? 1 : 0
  const parts = ordinalOf(peek(cursor, skip))
  if (parts === undefined || parts < 2) return undefined
  cursor.at += skip + 1
  return binary('/', integer(1), integer(parts))
}

/** `square root of 2`, `fifth root of 32`. */
function readNamedRoot(cursor: Cursor): Expression | undefined {
  const degree = peek(cursor) === 'square' ? 2 : peek(cursor) === 'cube' || peek(cursor) === 'cubic' ? 3 : ordinalOf(peek(cursor))
  if (degree === undefined || peek(cursor, 1) !== 'root') return undefined
  cursor.at += 2
  take(cursor, 'of')
  const value = readSigned(cursor)
  if (!value) return undefined
  return degree === 2 ? call('sqrt', value) : degree === 3 ? call('cbrt', value) : call('root', value, integer(degree))
}

const namesOfFunctions: { readonly [phrase: string]: FunctionName } = {
  'greatest common divisor': 'gcd',
  'greatest common factor': 'gcd',
  'highest common factor': 'gcd',
  hcf: 'gcd',
  gcf: 'gcd',
  'least common multiple': 'lcm',
  'lowest common multiple': 'lcm',
  'natural logarithm': 'ln',
  'natural log': 'ln',
  logarithm: 'log',
  sine: 'sin',
  cosine: 'cos',
  tangent: 'tan',
  'absolute value': 'abs',
  total: 'sum',
  mean: 'average',
  'arithmetic mean': 'average',
  avg: 'average',
  minimum: 'min',
  smallest: 'min',
  maximum: 'max',
  largest: 'max',
  ...(Object.fromEntries(Object.keys(functions).map((name) => [name, name])) as { [name: string]: FunctionName }),
}
const phrasesOfFunctions = Object.keys(namesOfFunctions).sort((a, b) => b.length - a.length)

function readCall(cursor: Cursor): Expression | undefined {
  const phrase = take(cursor, ...phrasesOfFunctions)
  const name = phrase === undefined ? undefined : namesOfFunctions[phrase]
  if (name === undefined) return undefined
  let base: Expression | undefined
  if (name === 'log' && take(cursor, 'base')) {
    base = readNumber(cursor)
    if (!base) return undefined
  }
  take(cursor, 'of', 'between')
  const isBracketed = peek(cursor) === '(' && !isNumberNext(cursor)
  const inputs = functions[name].inputs[1] > 1 || isBracketed ? readInputs(cursor) : [readSigned(cursor)]
  if (!inputs?.every((input) => input !== undefined)) return undefined
  const isInDegrees = isBracketed ? peek(cursor, -2).startsWith('deg') : takeDegrees(cursor)
  if (isInDegrees && name !== 'sin' && name !== 'cos' && name !== 'tan') return undefined
  const all = base ? [...inputs, base] : inputs
  return acceptsInputs(name, all.length) ? call(isInDegrees ? (`${name}d` as FunctionName) : name, ...all) : undefined
}

const takeDegrees = (cursor: Cursor): boolean => take(cursor, 'degrees', 'degree', 'deg') !== undefined

/** Inputs in brackets, or separated by commas, `and` or spaces. */
function readInputs(cursor: Cursor): Expression[] | undefined {
  const isBracketed = take(cursor, '(') !== undefined
  const inputs: Expression[] = []
  do {
    const { at } = cursor
    const input = isBracketed ? readSum(cursor) : readProduct(cursor)
    if (!input || cursor.at === at) return undefined
    inputs.push(input)
    if (isBracketed) takeDegrees(cursor)
  } while (take(cursor, ', and', ',', 'and') !== undefined || (!isBracketed && isNumberNext(cursor)))
  const [only] = inputs
  const isUnspaced = inputs.length === 1 && only?.kind === 'number' && only.text.includes(',')
  // "the average of 100,200,300" lists three numbers.
  const all = isUnspaced
    ? only.text.split(',').map((text): Expression => ({ kind: 'number', value: rationalOfDecimal(text), text }))
    : inputs
  return isBracketed && !take(cursor, ')') ? undefined : all
}
