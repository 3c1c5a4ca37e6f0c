import { setTimeout as wait } from 'node:timers/promises'
import { deliver, lineOf } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask } from '../ground/http.ts'
import { isTree, replaceAt, type Tree, type Value, valueAt } from '../inputs/json-text.ts'
import type { Path } from '../inputs/mutations.ts'
import { resolved, type Schema } from '../inputs/schema.ts'
import { plainOperations } from '../operations/all.ts'
import type { Operation, Place } from '../operations/operations.ts'
import { webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

const sizes = [1, 2, 3]
/** Pages from the start of a list; its end is read separately. */
const maxPages = 6
const maxVariants = 14
/** Walks of a list that changes while it is read. */
const maxWalks = 6

/** Where an operation takes the size of a page, and where the next one begins. */
type Listing = {
  readonly operation: Operation
  readonly at: Path
  readonly schema: Schema
  readonly hasLimit: boolean
  readonly hasAfter: boolean
}
type Page = { readonly items: readonly string[]; readonly next: Value | null; readonly isLast: boolean }
type Walk = { readonly place: Place; readonly listing: Listing; readonly role: Role; readonly input: Value; readonly what: string }

/** A list read by small pages is the list: no item twice, none missing, in one order, and its last page names no next one. */
async function readByPages(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const operation of await plainOperations(place.installation)) {
    // `ack` says what is unread, not `after`.
    const isList = operation.isReading && !operation.isStream && operation.name !== 'hub:GET /v1/messages'
    const listing = isList ? listingOf(operation) : null
    if (!listing) continue
    const roles = operation.roles.filter((role) => role === 'anonymous' || role === 'client' || role === 'helper' || role === 'worker')
    for (const role of roles.slice(0, 3)) faults.push(...(await readList(place, listing, role)))
  }
  return [...faults, ...(await readBoard(place))]
}

/** The object of the input in which a page is asked for. */
function listingOf(operation: Operation): Listing | null {
  const find = (given: Schema, path: Path): Listing | null => {
    const schema = resolved(given, operation.schema)
    const properties = schema.properties ?? {}
    const [hasLimit, hasAfter] = ['limit' in properties, 'after' in properties]
    if (hasLimit || hasAfter) return { operation, at: path, schema, hasLimit, hasAfter }
    if (path.length > 5) return null
    for (const [name, inner] of Object.entries(properties)) {
      const found = find(inner, [...path, name])
      if (found) return found
    }
    return null
  }
  return find(operation.schema, [])
}

const setIn = (input: Value, path: Path, changes: { readonly [name: string]: Value | undefined }): Value =>
  replaceAt(input, path, (tree) => {
    const merged = { ...(isTree(tree) ? tree : {}), ...changes }
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Tree
  })

async function readList(place: Place, listing: Listing, role: Role): Promise<Fault[]> {
  const { operation, at, schema } = listing
  const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const known = valueAt(base, at)
  if (!isTree(known)) return []
  // Optional filters are tried one at a time.
  const required = Object.fromEntries(Object.entries(known).filter(([name]) => schema.required?.includes(name) && name !== 'after'))
  const plain = replaceAt(base, at, () => required)
  const variants = filtersOf(place, schema, role).slice(0, maxVariants)
  const faults: Fault[] = []
  for (const [what, filter] of [['all', {}], ...variants] as const) {
    const walk: Walk = { place, listing, role, input: setIn(plain, at, filter), what }
    faults.push(...(await walkStableList(walk)))
  }
  return faults
}

/** A fault counts if the list is the same before and after the walk. Messages can arrive in a room while its list is read. */
async function walkStableList(walk: Walk): Promise<Fault[]> {
  for (let tries = 1; ; tries++) {
    const before = await readWhole(walk)
    const found = await walkList(walk)
    if (found.length === 0) return []
    const after = await readWhole(walk)
    if (tries === maxWalks || before?.items.join() === after?.items.join()) return found.slice(0, 1)
    await wait(1_000)
  }
}

const readWhole = (walk: Walk) => readPage(walk, { limit: walk.listing.hasLimit ? (limitOf(walk.listing.schema) ?? 100) : undefined })

/** Each value of each filter that something here fits. */
function filtersOf({ scene }: Place, schema: Schema, role: Role): (readonly [string, Tree])[] {
  const words = ['text', 'discussion', 'task_assignment', 'goal', scene.agents.helper.handle, scene.agents.helper.did]
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const one = resolved(given, schema)
    const item = typeof one.items === 'object' ? resolved(one.items, schema) : null
    const set = (value: Value) => [`${name} ${JSON.stringify(value)}`, { [name]: value }] as const
    if (/^(limit|after)$/.test(name) || schema.required?.includes(name)) return []
    if (one.type === 'boolean') return [set(true)]
    if (role === 'client') return []
    if (one.enum) return one.enum.map(set)
    if (item?.enum) return item.enum.map((word) => set([word]))
    return one.type === 'string' && !one.pattern && !one.format ? words.map(set) : []
  })
}

async function walkList(walk: Walk): Promise<Fault[]> {
  const { listing, role, what } = walk
  const whole = await readWhole(walk)
  if (!whole || whole.items.length < 2) return []
  const wrong = (detail: string) => fault('pages are the list', `${listing.operation.name} ${what}`, `${role}: ${detail}`)
  if (new Set(whole.items).size !== whole.items.length) return [wrong('one page has an item twice')]
  if (!listing.hasLimit) return whole.isLast ? goOnWithoutLimit(walk, whole, wrong) : []
  for (const size of sizes) {
    const first = await readPage(walk, { limit: size })
    if (first && first.items.join() !== whole.items.slice(0, size).join()) return [wrong(`a page of ${size} does not begin as a large one`)]
    if (!listing.hasAfter || !first) continue
    const walked = await goOn(walk, size, first, maxPages)
    const expected = whole.items.slice(0, walked.items.length)
    if (walked.items.join() !== expected.join()) return [wrong(`pages of ${size}: ${firstDifference(walked.items, expected)}`)]
    if (walked.isLast && walked.items.length < whole.items.length)
      return [wrong(`pages of ${size} end after ${walked.items.length} of ${whole.items.length}`)]
  }
  return listing.hasAfter && whole.isLast ? readEnd(walk, whole, wrong) : []
}

const limitOf = ({ properties = {} }: Schema) => properties.limit?.maximum

const firstDifference = (one: readonly string[], other: readonly string[]) => {
  const at = one.findIndex((item, index) => item !== other[index])
  return `item ${at + 1} is ${one[at]?.slice(0, 80)}, in one page ${other[at]?.slice(0, 80)}`
}

/** The last items, and that nothing is said to come after them. */
async function readEnd(walk: Walk, whole: Page, wrong: (detail: string) => Fault): Promise<Fault[]> {
  const before = whole.items.length - 3
  if (before < 1) return []
  const first = await readPage(walk, { limit: before })
  if (!first || first.items.length !== before) return []
  const walked = await goOn(walk, 2, first, 4)
  const [found, expected] = [walked.items.slice(before), whole.items.slice(before)]
  if (found.join() !== expected.join())
    return [wrong(`its end, by pages of 2: ${firstDifference(found, expected)} (${found.length} items, not ${expected.length})`)]
  return walked.isLast ? [] : [wrong('its last page names a next one')]
}

/** Going on after each item gives what comes after it. */
async function goOnWithoutLimit(walk: Walk, whole: Page, wrong: (detail: string) => Fault): Promise<Fault[]> {
  const from = Math.max(0, whole.items.length - 4)
  for (let at = from; at < whole.items.length - 1; at++) {
    const after = cursorIn(whole.items[at] ?? '')
    const page = after === null ? null : await readPage(walk, { after })
    if (page && page.items.join() !== whole.items.slice(at + 1).join())
      return [wrong(`after ${after}: ${firstDifference(page.items, whole.items.slice(at + 1))}`)]
  }
  return []
}

const cursorIn = (item: string): Value | null => {
  const [, seq] = /"?(?:seq|revision)"?:(\d+)/.exec(item) ?? []
  return seq === undefined ? null : Number(seq)
}

async function goOn(walk: Walk, limit: number, first: Page, pages: number): Promise<Page> {
  const items = [...first.items]
  let { next, isLast } = first
  for (let read = 1; read < pages && next !== null && !isLast; read++) {
    const page: Page | null = await readPage(walk, { limit, after: next })
    if (!page) break
    items.push(...page.items)
    next = page.next
    isLast = page.isLast
  }
  return { items, next, isLast }
}

/** Null where it is refused. */
async function readPage(walk: Walk, asked: { limit?: number | undefined; after?: Value }): Promise<Page | null> {
  const { place, listing, role, input } = walk
  const asText = listing.operation.name.startsWith('hub:')
  const changes = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, asText && typeof value === 'number' ? String(value) : value]),
  )
  const request = () => listing.operation.request(place, role, setIn(input, listing.at, changes))
  for (let tries = 0; tries < 4; tries++) {
    const sent = request()
    if ('frame' in sent) await lineOf(place, sent.role)
    const answer = await deliver(place, listing.operation, sent)
    if (answer.status !== 429) return answer.status === 200 ? pageIn(answer, asked) : null
    await wait(600)
  }
  return null
}

/** The items of an answer, whatever its door wraps around them. */
function pageIn({ text }: Pick<Answer, 'text'>, { limit }: { limit?: number | undefined }): Page | null {
  const tree = text.startsWith('{') || text.startsWith('[') ? findList(JSON.parse(text) as Value, 0) : null
  if (!tree) return null
  const list = Object.values(tree).find(isListOfTrees) ?? []
  const items = list.map(nameOfItem)
  const last = list.at(-1)
  const seq = isTree(last) ? (last.seq ?? null) : null
  // Such as facets: nothing comes after them.
  if (tree.next === undefined && seq === null && !items.some((item) => item.startsWith('"seq"'))) return null
  const more = tree.isMore ?? tree.is_more ?? tree.more
  const named = tree.next === undefined ? seq : tree.next
  const isLast =
    tree.next === null ||
    more === false ||
    (tree.next === undefined && more === undefined && items.length < (limit ?? Number.POSITIVE_INFINITY))
  return { items, next: named, isLast }
}

const isListOfTrees = (value: Value | undefined): value is readonly Tree[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isTree(one))

function findList(value: Value, depth: number): Tree | null {
  if (depth > 8) return null
  if (Array.isArray(value))
    return isListOfTrees(value) && 'seq' in (value[0] ?? {})
      ? { list: value }
      : (value.map((one) => findList(one, depth + 1)).find((one) => one !== null) ?? null)
  if (!isTree(value)) return null
  if (Object.values(value).some(isListOfTrees) && !('jsonrpc' in value)) {
    const inner = Object.entries(value).find(([name]) => name === 'structuredContent')?.[1]
    return inner === undefined ? value : findList(inner, depth + 1)
  }
  return (
    Object.values(value)
      .map((one) => findList(one, depth + 1))
      .find((one) => one !== null) ?? null
  )
}

/** What stays the same of an item while it changes. */
function nameOfItem(item: Tree): string {
  const seq = item.seq ?? item.revision
  if (typeof seq === 'number') return `"seq":${seq}`
  const known = ['id', 'goalId', 'goal_id', 'agentId', 'agent_id', 'handle', 'roomId']
    .map((name) => item[name])
    .find((one) => typeof one === 'string')
  return typeof known === 'string' ? known : JSON.stringify(item)
}

/** The page of goals goes on after any goal as the list does. */
async function readBoard(place: Place): Promise<Fault[]> {
  const look = async (query: string) => (await ask(webRequest(place, 'anonymous', 'GET', `/goals${query}`))).text
  const shown = (text: string) => [...new Set([...text.matchAll(/href="\/goals\/(gol_[0-9a-f]{32})"/g)].map(([, id = '']) => id))]
  const all = shown(await look(''))
  const faults: Fault[] = []
  for (let at = 0; at < Math.min(3, all.length - 1); at++) {
    const rest = shown(await look(`?after=${all[at]}`))
    const expected = all.slice(at + 1)
    if (rest.slice(0, expected.length).join() !== expected.join() && shown(await look('')).join() === all.join())
      faults.push(
        fault(
          'pages are the list',
          'page:/goals',
          `after its goal ${at + 1}: ${firstDifference(rest.slice(0, expected.length), expected)}`,
        ),
      )
  }
  return faults.slice(0, 1)
}

export const paging: Attack = { name: 'lists by pages', run: readByPages }
