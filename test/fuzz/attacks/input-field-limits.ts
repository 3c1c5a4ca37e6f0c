import { closeLines, deliver, lineOf } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { completion } from '../inputs/add-optional-fields.ts'
import { isTree, raw, replaceAt, type Value } from '../inputs/json-text.ts'
import { type Position, placeName, positionsOf } from '../inputs/mutations.ts'
import { allOperations } from '../operations/all.ts'
import { frameOperations } from '../operations/commands.ts'
import { addressOf, type Operation, type Place } from '../operations/operations.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/** Longer than the longest text that protocol/SPEC.md allows outside a file, and below the limit of a whole command. */
const maxLetters = 100_000
/** Longer than most, where no such length is stated. */
const manyLetters = 40_000
/** More than any list without a stated limit may have, so few that they fit into each request. */
const items = 200
/** More entries than one page of any list has. */
const page = 1_001
const maxUrl = 12_000
const workers = 8

/** What no place of this kind takes. `isOpen`: a place whose schema says nothing takes any JSON. */
type Wrong = { readonly what: string; readonly value: Value }

/** Also in the form of a valid value, so that a pattern without a length takes it. */
function longTexts(value: string, hasForm: boolean, stated: number): Wrong[] {
  const last = value.at(-1) ?? 'x'
  const middle = Math.floor(value.length / 2)
  const lengths = [manyLetters, maxLetters].filter((length) => length > stated)
  if (!hasForm) return lengths.map((letters) => ({ what: `${letters} letters`, value: 'x'.repeat(letters) }))
  const inside = value.slice(0, middle) + (value[middle] ?? 'x').repeat(manyLetters) + value.slice(middle)
  return [
    { what: `${manyLetters} last letters`, value: value + last.repeat(manyLetters) },
    { what: `${manyLetters} letters inside`, value: inside },
  ]
}

const noIntegers: readonly Wrong[] = Object.entries({
  half: 0.5,
  'one and a half': 1.5,
  'a little more': raw('1.0000001'),
  infinite: raw('1e999'),
  'least double': raw('-1.7e308'),
  'many digits': raw('9'.repeat(400)),
  'above int53': raw('9007199254740993.5'),
  'a word': 'NaN',
  'a text': '1',
  empty: '',
  list: [1],
  tree: { valueOf: 1 },
  truth: true,
}).map(([what, value]) => ({ what, value }))

/** None is an amount in base units. */
const noAmounts: readonly Wrong[] = [
  ...['-1', '1.5', '1e3', '0x10', ' 1', '1 ', '+1', '1,000', '1_000', '\u0663', '1n', '', 'NaN', 'Infinity', '1'.repeat(60), '1\n'],
  ...['9223372036854775808', '18446744073709551616', '99999999999999999999'],
].map((value) => ({ what: JSON.stringify(value.slice(0, 24)), value }))
/** PostgreSQL has no such amount: refused, or below the limit of something else. */
const isHuge = ({ value }: Wrong) => typeof value === 'string' && /^\d{19,}$/.test(value)

const noDates: readonly Wrong[] = [
  ...['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01', '2026-01-01T25:00:00Z', 'tomorrow', '0', '1893456000000', ''],
  ...['+275760-09-13T00:00:00.001Z', '+999999-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', 'Invalid Date', '2026-01-01T00:00:00'],
].map((value) => ({ what: JSON.stringify(value), value }))

const isAmount = ({ value, path }: Position) =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) && /(amount|budget|price|deposit|total|max|claimable)/.test(String(path.at(-1)))
const isDate = (value: Value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)

const many = (value: Value, length: number): Wrong => ({ what: `${length} items`, value: Array.from({ length }, () => value) })

function wrongFor(position: Position): Wrong[] {
  const { value, schema, path } = position
  if (Array.isArray(value) && schema.type === 'array' && value.length > 0)
    return [many(value[0] as Value, schema.maxItems === undefined ? items : schema.maxItems + 1)]
  if (typeof value === 'number' && schema.type === 'integer')
    return [
      ...noIntegers,
      ...(/^(limit|count|take|historyLength|page_size)$/.test(String(path.at(-1))) ? [{ what: 'a page without end', value: page }] : []),
    ]
  // The bytes of a file.
  if (typeof value !== 'string' || path.at(-1) === 'content' || schema.const !== undefined) return []
  const hasForm = schema.pattern !== undefined || schema.format !== undefined || !/\s/.test(value)
  // An example of a skill is bounded by its listing.
  const stated = schema.maxLength ?? (path.includes('samples') ? manyLetters : 0)
  return [...longTexts(value, hasForm, stated), ...(isAmount(position) ? noAmounts : []), ...(isDate(value) ? noDates : [])]
}

const isTaken = ({ status, text }: Answer) => status >= 200 && status < 300 && !/"error":\{|"isError":true/.test(text)

/** Every place of every input has a limit, whole numbers are whole, amounts are decimal texts, and dates exist. */
async function exceedAll(place: Place): Promise<Fault[]> {
  const operations = (await allOperations(place.installation)).filter(
    ({ name, isStream, isClosed }) => /^(trpc|command|hub|mcp|a2a):/.test(name) && !isStream && !isClosed,
  )
  const faults = new Map<string, Fault>()
  const work = async () => {
    for (let one = operations.shift(); one; one = operations.shift())
      for (const found of await exceedOne(place, one)) faults.set(`${found.oracle} ${found.subject}`, found)
  }
  await Promise.all(Array.from({ length: workers }, work))
  return [...faults.values(), ...(await exceedFrames(place))]
}

/** Whole numbers in frames of a socket, which are answered in turn. */
async function exceedFrames(place: Place): Promise<Fault[]> {
  const own: Place = { ...place, lines: {} }
  const faults: Fault[] = []
  for (const operation of frameOperations()) {
    const base = await operation.base(own, 'planner')
    for (const { path, schema, value } of positionsOf(base, operation.schema)) {
      if (typeof value !== 'number' || schema.type !== 'integer') continue
      for (const wrong of noIntegers) {
        const request = operation.request(
          own,
          'planner',
          replaceAt(base, path, () => wrong.value),
        )
        await lineOf(own, 'planner')
        const answer = await deliver(own, operation, request)
        const subject = `${operation.name} ${placeName(path)}`
        // The ping that followed it is answered, too.
        if (!isTaken(answer)) await own.lines.planner?.next(({ type }) => type === 'pong', 1_000)
        faults.push(...answerFaults(subject, answer))
        if (isTaken(answer)) faults.push(fault('places have limits', subject, `${wrong.what} was taken`))
      }
    }
  }
  closeLines(own)
  return faults
}

/** One valid input serves all: none of the changed ones is taken. */
async function exceedOne(place: Place, operation: Operation): Promise<Fault[]> {
  const as = entitledOf(operation)?.as
  const open = operation.name.startsWith('hub:') && operation.roles.includes('anonymous') ? 'anonymous' : operation.roles[0]
  const role: Role | undefined = as !== undefined && operation.roles.includes(as) ? as : open
  if (role === undefined) return []
  const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const seen = new Set<string>()
  const faults: Fault[] = []
  // Optional places are added one by one, so that none of them spoils the others.
  const parts = completion(base, operation.schema, place.scene.known)?.parts ?? []
  for (const input of [base, ...parts.map(({ one }) => one.apply(base))])
    faults.push(...(await exceedInput(operation, { place, role, input, seen })))
  return faults
}

type Tried = { readonly place: Place; readonly role: Role; readonly input: Value; readonly seen: Set<string> }

/** Each place that was not tried before. */
async function exceedInput(operation: Operation, { place, role, input, seen }: Tried): Promise<Fault[]> {
  const faults: Fault[] = []
  const positions = positionsOf(input, operation.schema)
  const open = positions.filter(({ schema, value }) => isTree(value) && schema.properties === undefined).map(({ path }) => placeName(path))
  for (const position of positions) {
    const at = placeName(position.path)
    // A place that the schema does not describe takes any JSON, within the limit of the whole.
    if (position.schema.type === undefined || open.some((name) => at.startsWith(`${name}.`))) continue
    // What is around the parameters of a tool is of another protocol.
    if (seen.has(at) || /_meta|^(jsonrpc|id)$|^params\.message\.(metadata|role)/.test(at)) continue
    seen.add(at)
    for (const wrong of wrongFor(position)) {
      const request = operation.request(
        place,
        role,
        replaceAt(input, position.path, () => wrong.value),
      ) as Request
      // No server reads such an address, and a name of it that a route does not know is ignored.
      if (request.url.length > maxUrl || (request.body === null && operation.name.startsWith('hub:'))) continue
      const answer = await send(request)
      const subject = `${operation.name} ${at}`
      faults.push(...answerFaults(subject, answer))
      if (isTaken(answer) && !isHuge(wrong) && !isCut(operation, at))
        faults.push(fault('places have limits', subject, `${wrong.what} was taken (${answer.status})`))
    }
  }
  return faults
}

/** A search ignores what it cannot use, and a text that is only looked for is cut. */
const isCut = ({ name, isReading }: Operation, at: string) => isReading && /^(a2a):/.test(name) && /parts|messageId/.test(at)

/** From another address each time; the sender's own limits refill. */
async function send(request: Request): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask({ ...request, from: addressOf('anonymous') })
    if (answer.status !== 429 || tries >= 3) return answer
    await pause(1_000)
  }
}

export const placeLimits: Attack = { name: 'limits of places', run: exceedAll }
