import { answerFaults, type Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { isTree, raw, replaceAt, type Value } from '../inputs/json-text.ts'
import { placeName, positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { addressOf, type Operation, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, isTaken } from './request-helpers.ts'

const atOnce = 6
const nested = (depth: number) => raw(`${'['.repeat(depth)}1${']'.repeat(depth)}`)
const nestedTree = (depth: number) => raw(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const keys = (count: number) => raw(`{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(',')}}`)

/**
 * SECURITY.md: every request is limited in depth and width, at every endpoint. `isAllowed`: within the limits of protocol/src/limits.ts,
 * so that only an error counts.
 */
const bodies: readonly { readonly what: string; readonly isAllowed?: boolean; readonly value: Value }[] = [
  ...[13, 30].map((depth) => ({ what: `${depth} lists`, isAllowed: true, value: nested(depth) })),
  ...[50, 200, 1_000, 3_000, 5_000].map((depth) => ({ what: `${depth} lists`, value: nested(depth) })),
  ...[50, 1_000, 2_500].map((depth) => ({ what: `${depth} objects`, value: nestedTree(depth) })),
  { what: '1,500 keys', value: keys(1_500) },
  { what: '10,000 keys', value: keys(10_000) },
  { what: 'a key twice', value: raw('{"a":1,"a":2}') },
  { what: 'a key twice, escaped', value: raw('{"a":1,"\\u0061":2}') },
  { what: 'a reserved key', value: raw('{"__proto__":1}') },
]

/** `add`: puts a value into this list or object. */
type Spot = { readonly name: string; add(value: Value): Value }

/** Into each list and object as one more entry, and in place of each value that the schema leaves open. */
function spotsOf(base: Value, operation: Operation): Spot[] {
  return positionsOf(base, operation.schema).flatMap(({ path, value, schema }) => {
    const at = (name: string, change: (old: Value, value: Value) => Value): Spot => ({
      name: `${placeName(path)} ${name}`,
      add: (one) => replaceAt(base, path, (old) => change(old, one)),
    })
    const isOpen = schema.type === undefined && path.length > 0
    const instead = isOpen ? [at('replaced', (_, one) => one)] : []
    if (Array.isArray(value))
      return [
        at('first', (old, one) => [one, ...(old as readonly Value[])]),
        at('last', (old, one) => [...(old as readonly Value[]), one]),
        ...instead,
      ]
    if (isTree(value)) return [at('', (old, one) => ({ ...(old as object), zz: one })), ...instead]
    return instead
  })
}

/** One path of one process: what parses its bodies is the same for all operations there. */
const entranceOf = ({ url }: Request) => url.replace(/\?.*/, '').replace(/^http:\/\/[^/]+/, '')

/** Each place of each entrance with every body, and each operation with some of them. */
async function nestAll(place: Place): Promise<Fault[]> {
  const faults = new Map<string, Fault>()
  const waiting: (() => Promise<void>)[] = []
  const seen = new Map<string, number>()
  for (const operation of (await plainOperations(place.installation)).filter((one) => !/^(socket|frame):/.test(one.name))) {
    const role: Role = operation.roles.includes('client')
      ? 'client'
      : operation.name.startsWith('command:')
        ? 'helper'
        : (operation.roles[0] as Role)
    const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
    const first = operation.request(place, role, base)
    if ('frame' in first || first.body === null || operation.isStream) continue
    // Its sender is Stripe, as the signature proves: only an error counts.
    const isSigned = operation.name.startsWith('stripe:')
    const turn = seen.get(entranceOf(first)) ?? 0
    seen.set(entranceOf(first), turn + 1)
    for (const [at, spot] of spotsOf(base, operation).entries())
      for (const [nth, { what, isAllowed, value }] of bodies.entries()) {
        // The first operations of an entrance get all of them.
        const isSampled = (at + nth + turn) % 7 === 0
        const isWhole = /^(page|hub):/.test(operation.name) || /replaced|data|note|schema/.test(spot.name)
        if (!isSampled && !isWhole) continue
        waiting.push(async () => {
          const answer = await send(place, operation, role, spot.add(value))
          const subject = `${operation.name} ${spot.name}`
          for (const one of answerFaults(subject, answer)) faults.set(`${one.oracle} ${subject}`, one)
          if (isAllowed !== true && !isSigned && isTaken(answer) && !isRefusedInside(answer))
            faults.set(subject, fault('every body is bounded', subject, `${what} was taken: ${answer.text.slice(0, 120)}`))
        })
      }
  }
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await one()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return [...faults.values()]
}

/** JSON-RPC and MCP may refuse in an answer of 200. An error of the node behind the product is none: it was passed on. */
const isRefusedInside = ({ text }: Answer) =>
  (/"error":\{"code":-32(600|601|602|700)/.test(text) && !/invalid (type|length)|expected|Invalid params/i.test(text)) ||
  /"isError":true/.test(text)

/** From another address each time, so that no limit refuses it before it is read. */
function send(place: Place, operation: Operation, role: Role, input: Value): Promise<Answer> {
  const request = operation.request(place, role, input) as Request
  return ask({ ...request, from: addressOf('anonymous') })
}

export const nesting: Attack = { name: 'bodies without bounds', run: nestAll }
