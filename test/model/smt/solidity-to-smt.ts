/**
 * Reads the arithmetic of Solidity sources and writes it as SMT-LIB terms: constants, assignments, branches and returns of pure
 * functions over unsigned numbers. As words of 256 bits, or as integers where it is also to be shown that nothing overflows.
 */
export type Sort = 'word' | 'integer'
/** A term, and whether it is a condition. */
export type Term = { readonly text: string; readonly isBool: boolean }
type Env = Map<string, Term>
type Fn = { readonly parameters: readonly string[]; readonly returned: string | null; readonly body: readonly string[] }

const width = 256
const token = /\s*(0x[0-9a-fA-F_]+|[0-9][0-9_]*|[A-Za-z_$][\w$]*|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/&|^]=|[-+*/%&|^~!<>=?:;,.(){}[\]])/y

function tokensOf(text: string): string[] {
  const source = text.replace(/\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < source.trimEnd().length) {
    const found = token.exec(source)
    if (!found) throw new Error(`the source cannot be read at: ${source.slice(token.lastIndex, token.lastIndex + 40)}`)
    tokens.push(found[1] as string)
  }
  return tokens
}

/** The text between the brace at `from` and the one that closes it. */
function blockAt(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return text.slice(from + 1, at)
  }
  throw new Error('a block does not end')
}

/** Constants and functions of a source; what it cannot read it names when it is asked for. */
export class Source {
  readonly sort: Sort
  private readonly text: string
  private readonly functions = new Map<string, Fn>()

  constructor(text: string, sort: Sort) {
    this.text = text
    this.sort = sort
  }

  /** The value of a function for these arguments. */
  call(name: string, ...args: readonly Term[]): Term {
    const { parameters, returned, body } = this.functionOf(name)
    const env: Env = new Map(parameters.map((parameter, i) => [parameter, args[i] as Term]))
    if (returned) env.set(returned, this.number(0n))
    const value = new Reader(this, [...body], env).statements() ?? (returned ? env.get(returned) : null)
    if (!value) throw new Error(`${name} returns nothing`)
    return value
  }

  /** The value of a text of the source, its names being these. */
  read(expression: string, names: { readonly [name: string]: Term }): Term {
    return new Reader(this, tokensOf(expression), new Map(Object.entries(names))).expression()
  }

  constant(name: string): Term | null {
    const found = new RegExp(`constant ${name} = ([^;]+);`).exec(this.text)
    return found ? this.read(found[1] as string, {}) : null
  }

  /** What stands in the source between these two, once. */
  between(start: string, end: string): string {
    const parts = this.text.split(start)
    const text = parts.length === 2 ? (parts[1] as string) : ''
    const at = text.indexOf(end)
    if (parts.length !== 2 || at < 0) throw new Error(`the source has not once: ${start} … ${end}`)
    return text.slice(0, at)
  }

  number(value: bigint): Term {
    return { text: this.sort === 'word' ? `(_ bv${value} ${width})` : `${value}`, isBool: false }
  }

  private functionOf(name: string): Fn {
    const known = this.functions.get(name)
    if (known) return known
    const head = new RegExp(`function ${name}\\(([^)]*)\\)[^{;]*?(?:returns \\(([^)]*)\\))?\\s*\\{`).exec(this.text)
    if (!head) throw new Error(`the source has no function ${name}`)
    const names = (list: string | undefined) =>
      (list ?? '')
        .split(',')
        .map((one) => one.trim().split(/\s+/))
        .filter((one) => one.length > 1)
    const parameters = names(head[1]).map((one) => one.at(-1) as string)
    const returned = names(head[2])[0]?.at(-1) ?? null
    const body = tokensOf(blockAt(this.text, head.index + head[0].length - 1))
    const made = { parameters, returned, body }
    this.functions.set(name, made)
    return made
  }
}

/** By how tightly they bind, loosest first. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/'],
]
const words: { readonly [operator: string]: string } = {
  '|': 'bvor',
  '^': 'bvxor',
  '&': 'bvand',
  '<<': 'bvshl',
  '>>': 'bvlshr',
  '+': 'bvadd',
  '-': 'bvsub',
  '*': 'bvmul',
  '/': 'bvudiv',
  '<': 'bvult',
  '>': 'bvugt',
  '<=': 'bvule',
  '>=': 'bvuge',
}
const integers: { readonly [operator: string]: string } = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': 'div',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
}

class Reader {
  private readonly source: Source
  private readonly tokens: string[]
  private readonly env: Env
  private at = 0

  constructor(source: Source, tokens: string[], env: Env) {
    this.source = source
    this.tokens = tokens
    this.env = env
  }

  /** Carries them out; answers what is returned, or null at the end. */
  statements(): Term | null {
    while (this.at < this.tokens.length && this.peek() !== '}') {
      const value = this.statement()
      if (value) return value
    }
    return null
  }

  expression(): Term {
    const condition = this.level(0)
    if (!this.accept('?')) return condition
    const yes = this.expression()
    this.expect(':')
    const no = this.expression()
    return { text: `(ite ${condition.text} ${yes.text} ${no.text})`, isBool: yes.isBool }
  }

  private statement(): Term | null {
    if (this.accept('return')) {
      const value = this.expression()
      this.expect(';')
      return value
    }
    if (this.accept('unchecked')) {
      this.expect('{')
      const value = this.statements()
      this.expect('}', value !== null)
      return value
    }
    if (this.accept('if')) return this.branch()
    this.assignment()
    return null
  }

  /** A branch assigns; what it leaves as it was stays so where the condition does not hold. */
  private branch(): null {
    this.expect('(')
    const condition = this.expression()
    this.expect(')')
    this.expect('{')
    const before = new Map(this.env)
    if (this.statements()) throw new Error('a branch that returns is not read')
    this.expect('}')
    for (const [name, value] of before) {
      const after = this.env.get(name)
      if (after && after.text !== value.text)
        this.env.set(name, { text: `(ite ${condition.text} ${after.text} ${value.text})`, isBool: value.isBool })
    }
    return null
  }

  private assignment(): void {
    const first = this.next()
    const isDeclared = /^[A-Za-z_]/.test(this.peek() ?? '')
    const name = isDeclared ? this.next() : first
    const operator = this.next()
    const value = this.expression()
    this.expect(';')
    const before = this.env.get(name)
    if (operator === '=') this.env.set(name, value)
    else if (before) this.env.set(name, this.join(operator.slice(0, -1), before, value))
    else throw new Error(`${name} is not known`)
  }

  private level(n: number): Term {
    const operators = levels[n]
    if (!operators) return this.unary()
    let left = this.level(n + 1)
    while (operators.includes(this.peek() ?? '')) left = this.join(this.next(), left, this.level(n + 1))
    return left
  }

  private join(operator: string, a: Term, b: Term): Term {
    if (operator === '||' || operator === '&&') return { text: `(${operator === '||' ? 'or' : 'and'} ${a.text} ${b.text})`, isBool: true }
    if (operator === '==') return { text: `(= ${a.text} ${b.text})`, isBool: true }
    if (operator === '!=') return { text: `(not (= ${a.text} ${b.text}))`, isBool: true }
    const name = (this.source.sort === 'word' ? words : integers)[operator]
    if (!name) throw new Error(`${operator} is not read`)
    return { text: `(${name} ${a.text} ${b.text})`, isBool: '<>'.includes(operator[0] ?? '') && operator !== '<<' && operator !== '>>' }
  }

  private unary(): Term {
    if (this.accept('~')) return { text: `(bvnot ${this.unary().text})`, isBool: false }
    if (this.accept('!')) return { text: `(not ${this.unary().text})`, isBool: true }
    let value = this.primary()
    // A method of the word's own type.
    while (this.accept('.')) value = this.source.call(this.next(), value, ...this.arguments())
    return value
  }

  private primary(): Term {
    const one = this.next()
    if (one === '(') {
      const value = this.expression()
      this.expect(')')
      return value
    }
    if (/^[0-9]/.test(one)) return this.source.number(BigInt(one.replaceAll('_', '')))
    if (one === 'type') return this.greatest()
    const cast = /^uint(\d+)$/.exec(one)
    if (cast) return this.cast(Number(cast[1]))
    if (this.peek() === '.' && /^(wrap|unwrap)$/.test(this.tokens[this.at + 1] ?? '')) {
      this.at += 2
      return this.arguments()[0] as Term
    }
    if (this.peek() === '(') return this.source.call(one, ...this.arguments())
    const value = this.env.get(one) ?? this.source.constant(one)
    if (!value) throw new Error(`${one} is not known`)
    return value
  }

  /** `type(uintN).max` */
  private greatest(): Term {
    this.expect('(')
    const bits = BigInt(this.next().slice(4))
    for (const one of [')', '.', 'max']) this.expect(one)
    return this.source.number((1n << bits) - 1n)
  }

  private cast(bits: number): Term {
    const value = this.arguments()[0] as Term
    if (bits === width || this.source.sort === 'integer') return value
    return { text: `(bvand ${value.text} ${this.source.number((1n << BigInt(bits)) - 1n).text})`, isBool: false }
  }

  private arguments(): Term[] {
    this.expect('(')
    const all: Term[] = []
    while (!this.accept(')')) {
      all.push(this.expression())
      this.accept(',')
    }
    return all
  }

  private peek(): string | undefined {
    return this.tokens[this.at]
  }

  private next(): string {
    const one = this.tokens[this.at++]
    if (one === undefined) throw new Error('the source ends too early')
    return one
  }

  private accept(one: string): boolean {
    if (this.peek() !== one) return false
    this.at++
    return true
  }

  private expect(one: string, isOptional = false): void {
    if (!this.accept(one) && !isOptional) throw new Error(`${one} is expected, and there is ${this.peek()}`)
  }
}
