// What others build on is documented: the protocol, the client library and the contracts.
import { problems } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { exportsIn, parseSources, readSources, type SourceExport } from './support/parse-sources.ts'

/** `type X = z.infer<typeof X>`, `(typeof xs)[number]`, `ReturnType<typeof f>`: the docstring of the named export documents the type, too. */
const derivedType = /\btypeof (\w+)|\b(\w+)\['\w+'\]/

/** Exports without a docstring, or whose docstring only repeats the name or leaves out a unit or an error. */
function docstringFaults(exports: readonly SourceExport[]): string[] {
  const documented = new Set(exports.filter(({ docstring }) => docstring !== '').map(({ file, name }) => `${file} ${name}`))
  const isDocumentedElsewhere = ({ file, name, kind, text }: SourceExport) => {
    if (kind !== 'type') return false
    const [, value, indexed] = derivedType.exec(text) ?? []
    return [name, value, indexed].some((one) => documented.has(`${file} ${one}`))
  }
  return exports.flatMap((one) => {
    const { file, line, name, text, docstring } = one
    const place = `${file}:${line} ${name}`
    if (docstring === '') return isDocumentedElsewhere(one) ? [] : [`${place} has no docstring`]
    if (newWords(docstring, name).length < 2) return [`${place}: the docstring repeats the name`]
    if (/^export (async )?function/.test(text) && /^ {2,4}(if \(.*\) )?throw /m.test(text) && !/@throws|throws?\b/i.test(docstring))
      return [`${place}: the docstring names no error`]
    const unknown = errorCodesIn(docstring).filter((code) => !Object.hasOwn(problems, code) && !code.startsWith('session.'))
    if (unknown.length > 0) return [`${place}: no problem has the code ${unknown.join(', ')}`]
    if (isNumber(text) && !hasUnit(docstring)) return [`${place}: the docstring names no unit`]
    return []
  })
}

const fillers = new Set('a an the of for to in is it its and or with that this by from type types value object'.split(' '))
const stem = (word: string) => word.toLowerCase().replace(/(es|s|d|ed|ing)$/, '')

/** The words of a docstring that its name does not contain. */
function newWords(docstring: string, name: string): string[] {
  const own = new Set(name.split(/(?=[A-Z])|_/).map(stem))
  return docstring.split(/[^A-Za-z0-9`']+/).filter((word) => word !== '' && !fillers.has(word.toLowerCase()) && !own.has(stem(word)))
}

/** The problem codes after `@throws`. */
const errorCodesIn = (docstring: string) => (/@throws (.*)$/.exec(docstring)?.[1] ?? '').match(/\b[a-z-]+\.[a-z_]+\b/g) ?? []

const isNumber = (text: string) => /^export const \w+(: number)? = [\d_. *+-]+n?$/.test(text)
const hasUnit = (docstring: string) =>
  /\b(milliseconds?|ms|seconds?|minutes?|hours?|days?|bytes?|characters?|code points|KiB|MiB|base units|basis points|hundredths|number of|count|levels?|deep|versions?|messages?|members?|steps?|rooms?|entries|percent|notes|keys|values)\b/i.test(
    docstring,
  )

describe('an export of the protocol or the client library', () => {
  const exports = parseSources(readSources(['protocol/src', 'agents/src'], /\.ts$/), exportsIn).filter(
    ({ file }) => !file.endsWith('/index.ts'),
  )

  it('has a docstring with its meaning, its unit and its errors', () => {
    expect(exports.length).toBeGreaterThan(600)
    expect(docstringFaults(exports)).toEqual([])
  })
})

/** External and public functions, events and errors of a contract without NatSpec above them. */
function natSpecFaults(file: string, source: string): string[] {
  const lines = source.split('\n')
  return lines.flatMap((line, index) => {
    const [, kind, name] = /^\s*(event|error|function) (\w+)/.exec(line) ?? []
    const declaration = lines.slice(index).join(' ').split(/[;{]/)[0] ?? ''
    if (kind === undefined || (kind === 'function' && !/\b(external|public)\b/.test(declaration))) return []
    return /^\s*(\/\/\/|\*\/)/.test(lines[index - 1] ?? '') ? [] : [`${file}:${index + 1} ${name} has no NatSpec`]
  })
}

describe('the contracts', () => {
  const sources = [...readSources(['contracts'], /\.sol$/)].filter(([file]) => !file.startsWith('contracts/mocks/'))

  it('document their functions, events and errors', () => {
    expect(sources.length).toBeGreaterThan(15)
    expect(sources.flatMap(([file, source]) => natSpecFaults(file, source))).toEqual([])
  })

  it('are read with declarations of several lines', () => {
    const source = ['event A();', '/// @notice Why.', 'error B();', 'function c(', '  uint256 d', ') external;', 'function e() internal {']
    expect(natSpecFaults('a.sol', source.join('\n'))).toEqual(['a.sol:1 A has no NatSpec', 'a.sol:4 c has no NatSpec'])
  })
})

describe('docstringFaults', () => {
  const faultsIn = (text: string) =>
    docstringFaults(parseSources(new Map([['a.ts', text]]), exportsIn)).map((fault) => fault.replace('a.ts:', ''))

  it('finds exports of every kind without a docstring', () => {
    const text = 'export function a() {}\n// Words, but not a docstring.\nexport const b = 1\nexport type c = 1\nconst d = 1'
    expect(faultsIn(text)).toEqual(['1 a has no docstring', '3 b has no docstring', '4 c has no docstring'])
  })

  it('finds a docstring that only repeats the name', () => {
    expect(faultsIn('/** The type of a room task. */\nexport type RoomTask = string')).toEqual([
      '2 RoomTask: the docstring repeats the name',
    ])
  })

  it('finds a number without a unit, and an error that is not named', () => {
    const number = '/** How long a lease lasts at most. */\nexport const leaseLength = 60_000'
    expect(faultsIn(number)).toEqual(['2 leaseLength: the docstring names no unit'])
    expect(faultsIn(number.replace('most.', 'most, milliseconds.'))).toEqual([])
    const thrower = "/** Reads the whole file of a goal. */\nexport function read() {\n  throw new Error('no')\n}"
    expect(faultsIn(thrower)).toEqual(['2 read: the docstring names no error'])
    expect(faultsIn(thrower.replace('. */', '. @throws artifact.not_found */'))).toEqual([])
    expect(faultsIn(thrower.replace('. */', '. @throws artifact.no_such_code */'))).toHaveLength(1)
  })

  it('takes the docstring of a schema for the type that is derived from it', () => {
    const text = '/** An amount in base units. */\nexport const Pay = z.string()\nexport type Pay = z.infer<typeof Pay>'
    expect(faultsIn(text)).toEqual([])
    expect(faultsIn(text.replace(/\/\*.*\n/, ''))).toHaveLength(2)
  })
})
