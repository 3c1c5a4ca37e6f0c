/** Reads and solves linear equations in one unknown: `3x + 7 = 22`. */
import type { BinaryOperator, Expression } from './evaluate-expression.ts'
import { parseExpression } from './parse-expression.ts'
import { add, divide, multiply, type Rational, rational, subtract } from './rational.ts'

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

const zero = rational(0n)
/** Stands for the unknown in an expression, which has numbers only. */
const unknownAsNumber = '987654321987'

function parseEquation(text: string): LinearEquation | undefined {
  const unknowns = new Set(text.match(/[a-z]/g))
  const [unknown] = unknowns
  if (unknown === undefined || unknowns.size > 1 || text.includes(unknownAsNumber)) return undefined
  const sides = text.split('=').map((side) => {
    const expression = parseExpression(side.replaceAll(unknown, `(${unknownAsNumber})`))
    return expression && linearOf(expression)
  })
  const [left, right] = sides
  if (sides.length !== 2 || !left || !right) return undefined
  return { kind: 'equation', text, unknown, slope: subtract(left.slope, right.slope), constant: subtract(right.constant, left.constant) }
}

/** Undefined if the expression is not of the first degree. */
function linearOf(expression: Expression): Linear | undefined {
  switch (expression.kind) {
    case 'number':
      return expression.text === unknownAsNumber ? { slope: rational(1n), constant: zero } : { slope: zero, constant: expression.value }
    case 'negative': {
      const of = linearOf(expression.of)
      return of && combine({ slope: zero, constant: zero }, of, subtract)
    }
    case 'binary': {
      const [left, right] = [linearOf(expression.left), linearOf(expression.right)]
      return left && right && joinLinear(expression.operator, left, right)
    }
    default:
      return undefined
  }
}

function joinLinear(operator: BinaryOperator, left: Linear, right: Linear): Linear | undefined {
  switch (operator) {
    case '+':
      return combine(left, right, add)
    case '-':
      return combine(left, right, subtract)
    case '*':
      return product(left, right)
    case '/':
      return quotient(left, right)
    default:
      return undefined
  }
}

const combine = (a: Linear, b: Linear, how: (x: Rational, y: Rational) => Rational): Linear => ({
  slope: how(a.slope, b.slope),
  constant: how(a.constant, b.constant),
})

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
