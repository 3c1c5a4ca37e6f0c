// Every text of the pages stands in the catalogue, and every message of the catalogue is on a page.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { contentTags, conversationStates, rulePoints, speechActs } from '@parley/protocol'
import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { sorts } from '../../app/_agents/agent-search-url-mapping.ts'
import { rankParts } from '../../app/_agents/listing-figure-format.ts'
import { messages } from '../../app/_messages/en/index.ts'
import { locales, pickLocale } from '../../app/_messages/locales.ts'
import { stepStatuses } from '../../app/goals/[id]/_run/steps/step-status.ts'

const root = path.join(import.meta.dirname, '../..')
type Tree = { readonly [key: string]: string | Tree }
type Node = { readonly type: string; readonly [field: string]: unknown }
type Source = { readonly file: string; readonly text: string; readonly nodes: readonly Node[]; readonly tree: Node }

/** Groups whose keys are values of another list: a component asks for the message of a value. */
const keyedByValue: { readonly [group: string]: readonly string[] } = {
  'views.speechAct': speechActs,
  'views.conversationState': conversationStates,
  'views.stepStatus': stepStatuses,
  'agents.sort': sorts,
  'admin.policyPoint': rulePoints,
  'admin.tag': contentTags,
  'agents.rankPart': rankParts,
  'agents.wordMatch': ['exact', 'typo', 'prefix', 'related'],
  'problems.retry': ['never', 'later', 'after_change'],
}
/** Properties of our components and elements that a reader or a screen reader gets. */
const textAttributes = new Set(
  'acts alt aria-label aside caption description empty eyebrow hint label lead money placeholder reason submitLabel title yes'.split(' '),
)

function walk(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  )
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const allOf = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(allOf)]
const nodeAt = (node: Node | undefined, field: string): Node | undefined => {
  const value = node?.[field]
  return isNode(value) ? value : undefined
}
const nodesAt = (node: Node | undefined, field: string): Node[] => {
  const value = node?.[field]
  return Array.isArray(value) ? value.filter(isNode) : []
}

function parse(file: string, text: string): Source {
  const tree = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }) as unknown as Node
  return { file, text, tree, nodes: allOf(tree) }
}

const sources = walk('app')
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => parse(file, readFileSync(path.join(root, file), 'utf8')))

/** A text, or the parts of a template between its values. */
function wordsOf(node: Node | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return null
  return nodesAt(node, 'quasis')
    .map((quasi) => (quasi.value as { cooked?: string }).cooked ?? '')
    .join('\0')
}
const isText = (words: string | null): boolean => words !== null && /\p{L}/u.test(words)

/** The texts that an expression can be, through conditions, lists and joins of them. */
function textsIn(node: Node | undefined): string[] {
  if (!node) return []
  const words = wordsOf(node)
  const own = isText(words) ? [words ?? ''] : []
  const inner = (...fields: string[]) => fields.flatMap((field) => textsIn(nodeAt(node, field)))
  switch (node.type) {
    case 'TemplateLiteral':
      return [...own, ...nodesAt(node, 'expressions').flatMap(textsIn)]
    case 'ConditionalExpression':
      return inner('consequent', 'alternate')
    case 'LogicalExpression':
      return inner('left', 'right')
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'SpreadElement':
      return inner('expression', 'argument')
    case 'ArrayExpression':
      return nodesAt(node, 'elements').flatMap(textsIn)
    case 'BinaryExpression':
      return node.operator === '+' ? inner('left', 'right') : []
    case 'CallExpression': {
      const callee = nodeAt(node, 'callee')
      return nodeAt(callee, 'property')?.name === 'join' ? textsIn(nodeAt(callee, 'object')) : []
    }
    default:
      return own
  }
}

/** What a reader would see of a page without its being in the catalogue. */
function textsOutside({ nodes }: Pick<Source, 'nodes'>): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'JSXText') return isText(String(node.value)) ? [String(node.value).trim()] : []
    if (node.type === 'JSXAttribute') {
      const name = nodeAt(node, 'name')?.name
      if (typeof name !== 'string' || !textAttributes.has(name)) return []
      const value = nodeAt(node, 'value')
      return textsIn(value?.type === 'JSXExpressionContainer' ? nodeAt(value, 'expression') : value)
    }
    if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return []
    return nodesAt(node, 'children').flatMap((child) =>
      child.type === 'JSXExpressionContainer' ? textsIn(nodeAt(child, 'expression')) : [],
    )
  })
}

/** `values`: the names of the values that are given; null where they are no list of names. */
type Use = { readonly groups: readonly string[]; readonly keys: readonly Node[]; readonly values: readonly string[] | null }

/** The names of translators in a file, with the groups that they may translate. */
function translatorsOf({ nodes, text }: Pick<Source, 'nodes' | 'text'>): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>()
  const add = (name: unknown, group: unknown) => {
    if (typeof name === 'string' && typeof group === 'string') groups.set(name, (groups.get(name) ?? new Set()).add(group))
  }
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator') continue
    const init = nodeAt(node, 'init')
    const call = init?.type === 'AwaitExpression' ? nodeAt(init, 'argument') : init
    const maker = String(nodeAt(call, 'callee')?.name)
    if (maker === 'useTranslations' || maker === 'getTranslations') add(nodeAt(node, 'id')?.name, wordsOf(nodesAt(call, 'arguments')[0]))
  }
  const types = new Map([...text.matchAll(/type (\w+) = Translate<'([\w.-]+)'>/g)].map(([, type, group]) => [type, group]))
  for (const [, name, group] of text.matchAll(/(\w+): Translate<'([\w.-]+)'>/g)) add(name, group)
  for (const [, name, type] of text.matchAll(/(\w+): (\w+)\b/g)) add(name, types.get(type ?? ''))
  return groups
}

/** The calls of translators: which groups a call can ask, with which key and which values. */
function usesOf(source: Pick<Source, 'nodes' | 'text'>): Use[] {
  const translators = translatorsOf(source)
  return source.nodes.flatMap((node): Use[] => {
    if (node.type !== 'CallExpression') return []
    const callee = nodeAt(node, 'callee')
    const asked = nodeAt(callee, 'property')?.name === 'rich' ? nodeAt(callee, 'object') : callee
    const groups = translators.get(String(asked?.name))
    const [key, given] = nodesAt(node, 'arguments')
    if (!groups || !key) return []
    const names = nodesAt(given, 'properties').map((property) => nodeAt(property, 'key')?.name)
    const isListed = given === undefined || (given.type === 'ObjectExpression' && names.every((name) => typeof name === 'string'))
    return [{ groups: [...groups], keys: branches(key), values: isListed ? names.map(String) : null }]
  })
}

function branches(key: Node): Node[] {
  if (key.type === 'ConditionalExpression') return ['consequent', 'alternate'].flatMap((field) => branches(nodeAt(key, field) ?? key))
  return [key]
}

/** The groups that a file takes messages from: by a hook, by a request, or by a translator that it is given. */
const groupsOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/(?:useTranslations\(|getTranslations\(|Translate<)'([\w.-]+)'/g)].map(([, group = '']) => group))

function leavesOf(tree: Tree, at = ''): { readonly key: string; readonly message: string }[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const key = at ? `${at}.${name}` : name
    return typeof value === 'string' ? [{ key, message: value }] : leavesOf(value, key)
  })
}
const english = leavesOf(messages)

/** Keys that a page asks for and the catalogue does not have. */
function missingKeys(files: readonly Source[], known: ReadonlySet<string>): string[] {
  return files.flatMap((source) =>
    usesOf(source).flatMap(({ groups, keys }) =>
      keys
        .flatMap((key) => (key.type === 'Literal' ? [String(key.value)] : []))
        .filter((key) => !groups.some((group) => known.has(`${group}.${key}`)))
        .map((key) => `${source.file}: ${groups.join(' or ')}.${key}`),
    ),
  )
}

/** Calls that give a message other values than it has places for: it could not be made. */
function wrongValues(files: readonly Source[], known: ReadonlyMap<string, string>): string[] {
  return files.flatMap((source) =>
    usesOf(source).flatMap(({ groups, keys, values }) => {
      const asked = keys.flatMap((key) => (key.type === 'Literal' ? groups.map((group) => `${group}.${key.value}`) : []))
      const places = asked.flatMap((key) => (known.has(key) ? [placesOf(known.get(key) ?? '').map((place) => place.slice(1))] : []))
      if (values === null || places.length === 0 || asked.length < keys.length) return []
      const isGiven = places.every((names) => names.every((name) => values.includes(name)))
      const isUsed = values.every((name) => places.some((names) => names.includes(name)))
      return isGiven && isUsed
        ? []
        : [`${source.file}: ${asked.join(' or ')} takes ${places.flat().join(', ')}, is given ${values.join(', ')}`]
    }),
  )
}

/** Messages that no page asks for: by their key, by a template that makes it, or as the message of a value. */
function unusedKeys(files: readonly Source[], keys: readonly string[]): string[] {
  const literals = new Map(files.map((source) => [source, new Set(source.nodes.map(wordsOf).filter((words) => words !== null))]))
  const readers = Map.groupBy(
    files.flatMap((source) => [...groupsOf(source.text)].map((group) => ({ group, source }))),
    ({ group }) => group,
  )
  /** Groups that are asked with a key from a table: the table may stand in another file. */
  const byTable = new Set(
    files.flatMap((source) =>
      usesOf(source).flatMap(({ groups, keys: asked }) => (asked.some((key) => wordsOf(key) === null) ? groups : [])),
    ),
  )
  const isUsed = (group: string, key: string): boolean => {
    if (keyedByValue[group]) return keyedByValue[group].includes(key)
    const own = (readers.get(group) ?? []).flatMap(({ source }) => [...(literals.get(source) ?? [])])
    const all = byTable.has(group) ? [...literals.values()].flatMap((words) => [...words]) : own
    const fits = (words: string) =>
      words.includes('\0') && new RegExp(`^${words.split('\0').map(RegExp.escape).join('.+')}$`).test(key) && /[\w.]/.test(words)
    return all.includes(key) || own.some(fits)
  }
  return keys.filter((whole) => {
    const parts = whole.split('.')
    return !parts.some((_, end) => end >= 2 && isUsed(parts.slice(0, end).join('.'), parts.slice(end).join('.')))
  })
}

describe('texts', () => {
  it('of the pages stand in the catalogue', () => {
    const outside = sources.flatMap((source) => textsOutside(source).map((text) => `${source.file}: ${text.replaceAll('\0', '…')}`))
    expect(outside).toEqual([])
  })

  it('outside the catalogue are found in elements, in attributes and in expressions', () => {
    const page = `const Page = ({ isNew, n }) => (
      <Section title="New goal" aside={isNew ? 'first' : \`\${n} of them\`} className="grid gap-4">
        Post it <b>{t('post')}</b> {isNew && 'now'} {[t('or'), 'later'].join(' · ')}
      </Section>
    )`
    expect(textsOutside(parse('page.tsx', page)).sort()).toEqual(['Post it', '\0 of them', 'New goal', 'first', 'later', 'now'].sort())
  })
})

describe('the catalogue', () => {
  const keys = english.map(({ key }) => key)

  it('has every message that a page asks for', () => {
    expect(missingKeys(sources, new Set(keys))).toEqual([])
    const asks = parse('page.tsx', "const t = useTranslations('goals.goalLists'); t(isNew ? 'gone' : 'all.label')")
    expect(missingKeys([asks], new Set(keys))).toEqual(['page.tsx: goals.goalLists.gone'])
  })

  it('has a place for each value that a message is given, and a value for each place', () => {
    const known = new Map(english.map(({ key, message }) => [key, message]))
    expect(wrongValues(sources, known)).toEqual([])
    const gives = parse('page.tsx', "const t = useTranslations('post.duration'); t('hours', { hour: 1 })")
    expect(wrongValues([gives], known)).toEqual(['page.tsx: post.duration.hours takes count, is given hour'])
  })

  it('has no message that no page asks for', () => {
    expect(unusedKeys(sources, keys)).toEqual([])
    expect(unusedKeys(sources, ['goals.goalLists.all.label', 'goals.goalLists.gone', 'views.speechAct.sing'])).toEqual([
      'goals.goalLists.gone',
      'views.speechAct.sing',
    ])
  })

  it('has a message for every value that a page may ask for', () => {
    const known = new Set(keys)
    const asked = Object.entries(keyedByValue).flatMap(([group, values]) => values.map((value) => `${group}.${value}`))
    expect(asked.filter((key) => !known.has(key))).toEqual([])
  })

  it('has no message with white space at its ends, which a translator loses', () => {
    expect(english.filter(({ message }) => message.trim() !== message || message === '').map(({ key }) => key)).toEqual([])
  })

  it('has values and tags, of which a text in a branch is none', () => {
    expect(
      placesOf('<b>{n, plural, =0 {none} one {a <i>{name}</i>} other {{n}, of {all}}}</b> {who, select, client {you} other {}}, {date}'),
    ).toEqual(['<b', '<i', '{all', '{date', '{n', '{name', '{who'])
  })

  it.each(locales)('in %s has each message of the English one, with the same values, and each can be made', async (locale) => {
    const { messages: own } = (await import(`../../app/_messages/${locale}/index.ts`)) as { messages: Tree }
    const translated = new Map(leavesOf(own).map(({ key, message }) => [key, message]))
    expect([...translated.keys()].sort()).toEqual(keys.toSorted())
    const onError = (error: Error) => {
      throw error
    }
    const t = createTranslator({ locale, messages: own, onError }) as unknown as { rich(key: string, values: object): unknown }
    for (const { key, message } of english) {
      expect(placesOf(translated.get(key) ?? ''), key).toEqual(placesOf(message))
      const values = placesOf(message).map((place) =>
        place.startsWith('<') ? [place.slice(1), (chunks: unknown) => chunks] : [place.slice(1), 2],
      )
      expect(() => t.rich(key, Object.fromEntries(values)), key).not.toThrow()
    }
  })
})

/** The values (`{count`) and the tags (`<link`) of a message in ICU syntax, each once. */
function placesOf(message: string): string[] {
  const places = new Set<string>()
  let at = 0
  const take = (pattern: RegExp): string => {
    const [found = ''] = pattern.exec(message.slice(at)) ?? []
    at += found.length
    return found
  }
  const readValue = () => {
    take(/^\{\s*/)
    places.add(`{${take(/^\w+/)}`)
    // A plural or a choice has branches: each a word, and a text in braces.
    take(/^\s*,\s*\w+\s*,?\s*/)
    while (take(/^=?\w+\s*\{/) !== '') {
      readText()
      take(/^\}\s*/)
    }
    take(/^\s*\}/)
  }
  const readText = () => {
    while (at < message.length && message[at] !== '}') {
      const tag = /^<\w+(?=>)/.exec(message.slice(at))
      if (tag) places.add(tag[0])
      if (message[at] === '{') readValue()
      else at++
    }
  }
  readText()
  return [...places].sort()
}

describe('messages for the browser', () => {
  const byFile = new Map(sources.map((source) => [source.file, source]))
  const imported = ({ file, text }: Source): Source[] =>
    [...text.matchAll(/(?:from\s*|import\(\s*)'([^']+)'/g)].flatMap(([, spec = '']) => {
      const to = spec.startsWith('.') ? path.posix.join(path.posix.dirname(file), spec) : spec.startsWith('@/') ? spec.slice(2) : ''
      const found = byFile.get(to)
      return found ? [found] : []
    })

  /** The areas that the browser's components of a page take messages from. */
  function neededBy(page: Source): Set<string> {
    const needed = new Set<string>()
    const seen = new Set<string>()
    const visit = (source: Source, isAbove: boolean) => {
      const isClient = isAbove || source.text.startsWith("'use client'")
      const mark = `${source.file} ${isClient}`
      if (seen.has(mark)) return
      seen.add(mark)
      if (isClient) for (const [, area = ''] of source.text.matchAll(/useTranslations\('(\w+)/g)) needed.add(area)
      for (const next of imported(source)) visit(next, isClient)
    }
    visit(page, false)
    return needed
  }

  /** The areas that the layouts around a page send, and the page itself. */
  function sentTo({ file }: Source): Set<string> {
    const folders = file.split('/').slice(0, -1)
    const around = folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/layout.tsx`)
    const texts = [...around, file].map((one) => byFile.get(one)?.text ?? '')
    const lists = texts.flatMap((text) =>
      [...text.matchAll(/(?:areas=\{|pickAreas\(await getMessages\(\), )\[([^\]]*)\]/g)].map(([, list = '']) => list),
    )
    return new Set(lists.flatMap((list) => [...list.matchAll(/'(\w+)'/g)].map(([, area = '']) => area)))
  }

  it('are sent with each page: all that its components need', () => {
    const pages = sources.filter(({ file }) => /\/(page|layout|error|not-found)\.tsx$/.test(file))
    expect(pages.length).toBeGreaterThan(20)
    const short = pages.flatMap((page) =>
      [...neededBy(page)].filter((area) => !sentTo(page).has(area)).map((area) => `${page.file}: ${area}`),
    )
    expect(short).toEqual([])
  })
})

describe('pickLocale', () => {
  it.each([
    [undefined, null, 'en'],
    [undefined, 'xx, en-GB;q=0.5', 'en'],
    ['xx', 'en', 'en'],
    [undefined, ';;q=,,*;q=0', 'en'],
  ])('of the choice %s and the languages %s is %s', (chosen, accepted, locale) => {
    expect(pickLocale(chosen, accepted)).toBe(locale)
  })
})
