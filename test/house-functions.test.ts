// The size limits of functions, as tests. Where a limit and a text disagree, the limit stands.
import { isFunctionLikeDeclaration, type Node, type SourceFile } from 'typescript/unstable/ast'
import { describe, expect, it } from 'vitest'
import { parseSources, readSources } from './support/parse-sources.ts'

/** A longer function does more than one thing: find the missing concept, do not squeeze. */
const maxLines = 60
/** Markup has a line for each element and attribute, so a component of one concept is longer. 80 lines still fit on one screen. */
const maxComponentLines = 80
/** More parameters are passed as one named object, so that a call states what each value means. */
const maxParameters = 4
type MeasuredFunction = {
  readonly place: string
  readonly isComponent: boolean
  /** Without blank lines and comments. Nested functions count as lines of the outer one. */
  readonly lines: number
  readonly parameters: number
}

const isCounted = (line: string) => !/^\s*($|\/\/|\/\*|\*(\s|\/|$)|\{\/\*)/.test(line)

const measureFunctions = (texts: ReadonlyMap<string, string>) => parseSources(texts, functionsIn)

function functionsIn(source: SourceFile, file: string): MeasuredFunction[] {
  const found: MeasuredFunction[] = []
  const visit = (node: Node): void => {
    if (isFunctionLikeDeclaration(node) && 'body' in node && node.body) {
      const start = node.getStart(source)
      const name = nameOf(node, source)
      found.push({
        place: `${file}:${source.text.slice(0, start).split('\n').length} ${name}`,
        isComponent: file.endsWith('.tsx') && /^[A-Z]/.test(name),
        lines: source.text.slice(start, node.end).split('\n').filter(isCounted).length,
        parameters: node.parameters.length,
      })
    }
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** The name of a function, or of the variable or field that holds it. */
function nameOf(node: Node & { readonly name?: Node | undefined }, source: SourceFile): string {
  const parent: Node & { readonly name?: Node | undefined } = node.parent
  return (node.name ?? parent.name)?.getText(source) ?? 'a function'
}

function tooLong(functions: readonly MeasuredFunction[]): string[] {
  return functions.flatMap(({ place, lines, isComponent }) => {
    const limit = isComponent ? maxComponentLines : maxLines
    return lines > limit ? [`${place} has ${lines} lines, ${limit} are allowed`] : []
  })
}

function tooManyParameters(functions: readonly MeasuredFunction[]): string[] {
  return functions.flatMap(({ place, parameters }) =>
    parameters > maxParameters ? [`${place} has ${parameters} parameters, ${maxParameters} are allowed`] : [],
  )
}

describe('a function of the product', () => {
  const functions = measureFunctions(readSources(['server', 'agents', 'protocol/src', 'app'], /\.(tsx?|mjs)$/))

  it(`has at most ${maxLines} lines, a React component ${maxComponentLines}`, () => {
    expect(functions.length).toBeGreaterThan(5_000)
    expect(tooLong(functions)).toEqual([])
  })

  it(`has at most ${maxParameters} parameters`, () => {
    expect(tooManyParameters(functions)).toEqual([])
  })
})

describe('measureFunctions', () => {
  const body = (lines: number) => `{\n${Array.from({ length: lines }, (_, index) => `use(${index})`).join('\n')}\n}`
  const noise = '\n\n// a reason\n/* another\n * reason\n */\n'
  const functions = measureFunctions(
    new Map([
      ['kinds.ts', `function declared() ${body(59)}\nconst arrow = () => ${body(59)}\nconst expression = function () ${body(59)}`],
      ['class.ts', `class Kind {\nmethod() ${body(59)}\nshort() ${body(58)}\n}`],
      ['nested.ts', `function outer() {\nconst inner = () => ${body(40)}\nreturn ${body(20)}\n}`],
      ['noise.ts', `function quiet() {\n${noise}use(1)\nuse(2)\n${noise}}`],
      ['panel.tsx', `function Fitting() ${body(78)}\nfunction Long() ${body(79)}\nfunction readPanel() ${body(78)}`],
      [
        'parameters.ts',
        'function five(a, b, c, d, e) {}\nconst arrow = (a, b, c, d, e = 1) => a\nconst named = ({ a, b, c, d, e }, f) => a',
      ],
    ]),
  )
  const of = (file: string) => functions.filter(({ place }) => place.startsWith(`${file}:`))
  const namesOf = (faults: readonly string[]) => faults.map((fault) => fault.split(' ')[1])

  it('finds long functions of every kind', () => {
    expect(namesOf(tooLong(of('kinds.ts')))).toEqual(['declared', 'arrow', 'expression'])
    expect(namesOf(tooLong(of('class.ts')))).toEqual(['method'])
  })

  it('counts nested functions as lines of the outer one', () => {
    expect(namesOf(tooLong(of('nested.ts')))).toEqual(['outer'])
  })

  it('counts neither blank lines nor comments', () => {
    expect(of('noise.ts')).toMatchObject([{ lines: 4 }])
  })

  it('allows a component more lines, but not the other functions of its file', () => {
    expect(namesOf(tooLong(of('panel.tsx')))).toEqual(['Long', 'readPanel'])
  })

  it('finds functions with many parameters', () => {
    expect(namesOf(tooManyParameters(of('parameters.ts')))).toEqual(['five', 'arrow'])
  })
})
