import { answerFaults, type Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { isTree, raw, replaceAt, type Value, writeJson } from '../inputs/json-text.ts'
import { type Path, placeName, positionsOf } from '../inputs/mutations.ts'
import { resolved } from '../inputs/schema.ts'
import { plainOperations } from '../operations/all.ts'
import { hubRoutes } from '../operations/hub-and-webhook-operations.ts'
import { hubRequest, inUrl, type Operation, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, isTaken } from './request-helpers.ts'
import { hubNames } from './url-parameters.ts'

/** A place that carries an encoded value: a field, a name of an address, or a header. */
type Carrier = { readonly name: string; readonly role: Role; send(value: string): Promise<Answer> }
/** A value that the product has given out, and a place that takes it and refuses another word. */
type Found = { readonly carrier: Carrier; readonly value: string }
/** Another value. `isNoNumber`: a whole number in it became none. `isForged`: its signature no longer fits. */
type Change = { readonly what: string; readonly value: string; readonly isNoNumber?: boolean; readonly isForged?: boolean }

const readerRoles: readonly Role[] = ['client', 'helper', 'anonymous']
const resumes = ['last-event-id', 'if-none-match', 'cursor', 'after']
const workers = 8

/** What the product encodes, decoded, changed at each place inside, and encoded again. */
async function decodeAll(place: Place): Promise<Fault[]> {
  const operations = (await plainOperations(place.installation)).filter(({ name }) => /^(trpc|command|hub|mcp|a2a):/.test(name))
  const given = await collect(place, operations)
  const carriers = await carriersOf(place, operations)
  const found = [...(await match(carriers, given)), ...(await signedPlaces(place, operations))]
  if (found.length === 0) return [fault('encoded values', 'the attack', 'no place takes an encoded value')]
  const faults = new Map<string, Fault>()
  const waiting = found.flatMap(({ carrier, value }) => changesOf(value).map((change) => ({ carrier, change })))
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { carrier, change } = one
      const answer = await carrier.send(change.value)
      const subject = `${carrier.name} (${change.what})`
      for (const each of answerFaults(subject, answer)) faults.set(`${each.oracle} ${carrier.name}`, each)
      const isWrong = (change.isNoNumber || change.isForged) && isTaken(answer) && !/"error":\{|"isError":true/.test(answer.text)
      if (isWrong) faults.set(`${carrier.name}`, fault('encoded values', subject, `was taken: ${answer.text.slice(0, 120)}`))
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return [...faults.values()]
}

/** Texts in answers and events that hide something: JSON or bytes in base64url. */
async function collect(place: Place, operations: readonly Operation[]): Promise<string[]> {
  const found = new Map<string, string>()
  const look = ({ text, headers }: Answer) => {
    const all = [...`${text} ${JSON.stringify(headers)}`.matchAll(/(?:"|^id: ?|\\")([A-Za-z0-9_-]{10,600})(?="|\\"|$)/gm)]
    for (const [, word = ''] of all) {
      const kind = formOf(word)
      if (kind !== null && !found.has(kind)) found.set(kind, word)
    }
  }
  for (const role of readerRoles)
    for (const operation of operations.filter(({ isReading, roles }) => isReading && roles.includes(role))) {
      const input = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
      for (const one of [input, shortPage(input)]) {
        const request = operation.request(place, role, one)
        if (!('frame' in request)) look(await ask(request, { isStream: operation.isStream }))
      }
    }
  return [...found.values()]
}

/** A page of one entry has a next one. */
const shortPage = (input: Value): Value =>
  isTree(input) && 'limit' in input ? { ...Object.fromEntries(Object.entries(input).filter(([key]) => key !== 'after')), limit: 1 } : input

/** Null for what is no encoded value; else what all values of its kind have in common. */
function formOf(word: string): string | null {
  const bytes = Buffer.from(word, 'base64url')
  if (bytes.toString('base64url') !== word || /^[0-9a-f]+$/.test(word) || /^[a-z_]+$/i.test(word) || bytes.length < 8) return null
  const json = jsonIn(bytes)
  if (json !== undefined && typeof json === 'object' && json !== null)
    return `json ${Object.keys(json)
      .join()
      .replace(/[0-9a-f]{32}/g, '')}`
  // What is binary begins with its version. A signature or a secret has none, and no place takes it.
  return bytes.length <= 400 && bytes.length !== 64 && bytes.length !== 32 ? `bytes ${bytes[0]} ${bytes.length}` : null
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Names of the hub's addresses, resuming headers, and each text of an input whose form the schema leaves open. */
async function carriersOf(place: Place, operations: readonly Operation[]): Promise<Carrier[]> {
  const carriers: Carrier[] = []
  for (const { path } of hubRoutes().filter(({ method }) => method === 'GET'))
    for (const name of hubNames())
      carriers.push({
        name: `GET ${path} ${name}`,
        role: 'helper',
        send: (value) => ask(hubRequest(place, 'helper', 'GET', `${path}?wait=0&${name}=${inUrl(value)}`), { timeoutMs: 4_000 }),
      })
  for (const operation of operations.filter(({ isReading }) => isReading))
    for (const role of operation.roles.filter((one) => one === 'client' || one === 'helper').slice(0, 1)) {
      const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
      const send = (input: Value, headers: Readonly<Record<string, string>> = {}) => {
        const request = operation.request(place, role, input) as Request
        return ask({ ...request, headers: { ...request.headers, ...headers } }, { isStream: operation.isStream })
      }
      for (const path of openPaths(operation, base))
        carriers.push({ name: `${operation.name} ${placeName(path)}`, role, send: (value) => send(put(base, path, value)) })
      if (operation.isStream)
        for (const header of resumes)
          carriers.push({ name: `${operation.name} ${header}`, role, send: (value) => send(base, { [header]: value }) })
    }
  const resume = (value: string) => {
    const request = hubRequest(place, 'client', 'GET', '/v1/mcp')
    return ask({ ...request, headers: { ...request.headers, accept: 'text/event-stream', 'last-event-id': value } }, { isStream: true })
  }
  return [...carriers, { name: 'GET /v1/mcp last-event-id', role: 'client', send: resume }]
}

const cursor = /^(after|before|cursor|next|page|from|ack|token|continue|position|lastEventId|last_event_id|since|until)$/i

/** Also the optional ones that the input leaves out. */
function openPaths({ schema }: Operation, base: Value): Path[] {
  return positionsOf(base, schema).flatMap(({ path, schema: at, value }) => {
    if (!isTree(value)) return []
    const names = Object.entries(at.properties ?? {}).filter(([name, one]) => cursor.test(name) && resolved(one, schema).type === 'string')
    return names.map(([name]) => [...path, name])
  })
}

const put = (base: Value, path: Path, value: Value): Value =>
  replaceAt(base, path.slice(0, -1), (old) => ({ ...(isTree(old) ? old : {}), [String(path.at(-1))]: value }))

/** Which place takes which value: the value is taken, and a word that is none is refused. */
async function match(carriers: readonly Carrier[], given: readonly string[]): Promise<Found[]> {
  const found: Found[] = []
  const waiting = [...carriers]
  const work = async () => {
    for (let carrier = waiting.shift(); carrier; carrier = waiting.shift()) {
      const word = await carrier.send('AAAA')
      if (isTaken(word) && !/"error":\{|"isError":true/.test(word.text)) continue
      for (const value of given) if (isTaken(await carrier.send(value))) found.push({ carrier, value })
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return found
}

/** Values of several parts in valid inputs, of which one signs the others. */
async function signedPlaces(place: Place, operations: readonly Operation[]): Promise<Found[]> {
  const found: Found[] = []
  for (const operation of operations.filter(({ name }) => /^(trpc|command|hub):/.test(name)))
    for (const role of operation.roles.slice(0, 1)) {
      const make = () => Promise.resolve(operation.base(place, role)).catch((): Value => null)
      const isSigned = (value: Value) =>
        typeof value === 'string' && /^[\w-]{10,}\.[\w-]{10,}(\.[\w-]+)?$/.test(value) && !/^[a-z.]+$/.test(value)
      const at = positionsOf(await make(), operation.schema).find(({ value }) => isSigned(value))
      if (!at) continue
      const send = async (value: string) =>
        ask(
          operation.request(
            place,
            role,
            replaceAt(await make(), at.path, () => value),
          ) as Request,
        )
      found.push({ carrier: { name: `${operation.name} ${placeName(at.path)}`, role, send }, value: String(at.value) })
    }
  return found
}

function changesOf(value: string): Change[] {
  if (value.includes('.')) return signedChanges(value)
  const json = jsonIn(Buffer.from(value, 'base64url'))
  const inside = json === undefined ? byteChanges(Buffer.from(value, 'base64url')) : jsonChanges(json as Value)
  return [...inside, ...textChanges(value)]
}

const encode = (value: Value) => Buffer.from(writeJson(value)).toString('base64url')

const numbers: { readonly [what: string]: Value } = {
  half: 0.5,
  'one and a half': 1.5,
  tiny: 1e-9,
  'many digits': raw('1.0000001'),
  minus: -1,
  'minus half': -0.5,
  infinite: raw('1e999'),
  'a text': '1',
  'an empty text': '',
  truth: true,
  list: [1],
  tree: { a: 1 },
  null: null,
}
const large: { readonly [what: string]: Value } = {
  'above int31': 2 ** 31,
  'above int53': raw('9007199254740993'),
  int63: raw('9223372036854775807'),
  'above int63': raw('9223372036854775808'),
  uint64: raw('18446744073709551616'),
  exponent: raw('1e21'),
  zero: 0,
  'minus zero': raw('-0'),
}
const others: { readonly [what: string]: Value } = {
  ...{
    empty: '',
    letter: 'x',
    NUL: 'a\0b',
    surrogate: raw('"\\ud800"'),
    long: 'x'.repeat(3_000),
    prototype: '__proto__',
    exponent: '1e999',
  },
  ...{ half: '0.5', minus: '-1', digits: '9'.repeat(400), quote: `'";--`, number: 5, null: null, list: [], tree: {}, truth: true },
}

/** Each place inside with other values, without it, and with more beside it. */
function jsonChanges(json: Value): Change[] {
  const change = (path: Path, what: string, to: Value, isNoNumber = false): Change => ({
    what: `${placeName(path)} ${what}`,
    value: encode(replaceAt(json, path, () => to)),
    isNoNumber,
  })
  const leaves = positionsOf(json, {}).flatMap(({ path, value }) => {
    if (typeof value === 'number')
      return [
        ...Object.entries(numbers).map(([what, to]) => change(path, what, to, true)),
        ...Object.entries(large).map(([what, to]) => change(path, what, to)),
      ]
    if (typeof value === 'string') return Object.entries(others).map(([what, to]) => change(path, what, to))
    if (isTree(value))
      return [
        ...Object.keys(value).map((key) =>
          change(path, `without ${key.slice(0, 8)}`, Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))),
        ),
        change(path, 'own prototype', raw(`{"__proto__":{"a":1},${writeJson(value).slice(1)}`)),
        change(path, 'constructor', { ...value, constructor: 1 }),
        change(path, 'many', {
          ...value,
          ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`rom_${String(n).padStart(32, '0')}`, 1])),
        }),
        change(path, 'nothing', {}),
        change(path, 'null', null),
        change(path, 'list', [value]),
      ]
    return [change(path, 'empty list', []), change(path, 'tree', {}), change(path, 'twice', [value, value]), change(path, 'null', null)]
  })
  const whole = [null, 5, '', 'x', [], true, raw('1e999'), raw('['.repeat(5_000)), raw('')]
  return [...leaves, ...whole.map((one, at) => ({ what: `whole ${at}`, value: encode(one) }))]
}

/** Each byte with its extremes, and other lengths. */
function byteChanges(bytes: Buffer): Change[] {
  const changes: Change[] = []
  for (let at = 0; at < Math.min(bytes.length, 80); at++)
    for (const to of [0, 0xff]) {
      const other = Buffer.from(bytes)
      other[at] = to
      changes.push({ what: `byte ${at} ${to}`, value: other.toString('base64url') })
    }
  // Numbers of several bytes.
  for (let at = 0; at + 8 <= Math.min(bytes.length, 80); at += 2) {
    const [ones, nan] = [Buffer.from(bytes).fill(0xff, at, at + 8), Buffer.from(bytes)]
    nan.writeDoubleBE(Number.NEGATIVE_INFINITY, at)
    changes.push(
      { what: `bytes ${at} ones`, value: ones.toString('base64url') },
      { what: `bytes ${at} infinite`, value: nan.toString('base64url') },
    )
  }
  const lengths = [0, 1, bytes.length - 1, Math.floor(bytes.length / 2)].map((length) => bytes.subarray(0, length))
  return [
    ...changes,
    ...[...lengths, Buffer.concat([bytes, bytes]), Buffer.concat([bytes, Buffer.alloc(2_000)])].map((one, at) => ({
      what: `length ${at}`,
      value: one.toString('base64url'),
    })),
  ]
}

/** The same bytes, written in another way, and what is none. */
function textChanges(value: string): Change[] {
  const bytes = Buffer.from(value, 'base64url')
  return [
    { what: 'as base64', value: bytes.toString('base64') },
    { what: 'as hex', value: bytes.toString('hex') },
    { what: 'twice encoded', value: Buffer.from(value).toString('base64url') },
    { what: 'with a blank', value: ` ${value}` },
    { what: 'with padding', value: `${value}==` },
    { what: 'with letters that are none', value: `${value}\u00e9%` },
    { what: 'not encoded', value: bytes.toString('latin1').replace(/[^\x20-\x7e]/g, '?') },
    { what: 'long', value: value.repeat(20).slice(0, 6_000) },
  ]
}

/** Each part with another letter, another part, nothing, or its bytes changed. */
function signedChanges(value: string): Change[] {
  const parts = value.split('.')
  const other = (text: string, at: number) => `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  const changes: Change[] = parts.flatMap((part, which) => {
    const put = (what: string, text: string): Change => ({
      what: `part ${which} ${what}`,
      value: parts.map((one, at) => (at === which ? text : one)).join('.'),
      isForged: true,
    })
    return [
      ...[0, 5, Math.floor(part.length / 2), part.length - 3].map((at) => put(`letter ${at}`, other(part, at))),
      ...[
        put('empty', ''),
        put('reversed', [...part].reverse().join('')),
        put('cut', part.slice(0, -4)),
        put('A', 'A'.repeat(part.length)),
      ],
      put('of another part', parts[(which + 1) % parts.length] ?? ''),
    ]
  })
  return [...changes, { what: 'one part', value: parts[0] ?? '', isForged: true }, { what: 'no parts', value: '.', isForged: true }]
}

export const encodedValues: Attack = { name: 'encoded values', run: decodeAll }
