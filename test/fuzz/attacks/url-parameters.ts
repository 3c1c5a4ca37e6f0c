import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../../server/embedded/processes/run-script.ts'
import { answerFaults, type Fault, leakFaults } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { ask, type Request, shownBy } from '../ground/http.ts'
import { isTree, raw, replaceAt, type Value } from '../inputs/json-text.ts'
import { placeName, positionsOf } from '../inputs/mutations.ts'
import { hubRoutes } from '../operations/hub-and-webhook-operations.ts'
import { hubRequest, type Operation, type Place, webRequest } from '../operations/operations.ts'
import { pageOperations } from '../operations/pages.ts'
import { procedureOperations } from '../operations/procedures.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** What stands for one name of an address, already encoded. `&` and `[` begin other forms of the name. */
const values: { readonly [what: string]: (name: string) => string } = {
  repeated: (name) => `${name}=a&${name}=b`,
  'repeated often': (name) => Array.from({ length: 60 }, (_, n) => `${name}=${n}`).join('&'),
  list: (name) => `${name}%5B%5D=a&${name}[]=b`,
  tree: (name) => `${name}%5Ba%5D=1&${name}.a=1`,
  empty: (name) => `${name}=&${name}`,
  negative: (name) => `${name}=-1`,
  fractional: (name) => `${name}=0.5`,
  infinite: (name) => `${name}=1e999`,
  'no number': (name) => `${name}=NaN`,
  huge: (name) => `${name}=${'9'.repeat(400)}`,
  NUL: (name) => `${name}=a%00b`,
  surrogate: (name) => `${name}=%ED%A0%80`,
  'no UTF-8': (name) => `${name}=%C3%28`,
  'half an escape': (name) => `${name}=%E5%A0&x=%zz%`,
  long: (name) => `${name}=${'x'.repeat(6_000)}`,
  'many spaces': (name) => `${name}=a${'%20'.repeat(1_500)}b`,
  prototype: (name) => `${name}=constructor`,
  'own prototype': (name) => `${name}=__proto__`,
  text: (name) => `${name}=toString`,
  'above int31': (name) => `${name}=2147483648`,
  'above int63': (name) => `${name}=9223372036854775808`,
  'a large page': (name) => `${name}=4503599627370497`,
  'a date that is none': (name) => `${name}=2026-02-30T25:61:00Z`,
  'a date too far': (name) => `${name}=%2B275760-09-13T00:00:00.001Z`,
  'search operators': (name) => `${name}=a%27%20%7C%20!(b%20%26%20)%20%3A*%20%3C-%3E%20%5C`,
  'an address elsewhere': (name) => `${name}=%2F%2Fother.example%2Fx`,
  'a script': (name) => `${name}=javascript%3Aalert(1)`,
  pattern: (name) => `${name}=%25_%5C%27%22%28*%5B`,
}
const inPath = ['-1', '1e999', 'constructor', '__proto__', 'a%00b', '%ED%A0%80', '%C3%28', '%zz', 'x'.repeat(6_000), '%2e%2e%2f', '%5B%5D']
const atOnce = 6

type Visit = { readonly subject: string; readonly role: Role; readonly request: Request }

/** Every page and route with each value at each name that it reads: an answer, and no error. */
async function visitAll(place: Place): Promise<Fault[]> {
  const waiting = [...pageOperations().flatMap((one) => (one.schema.properties ? [one] : []))]
  const visits: Visit[] = []
  for (const operation of waiting) visits.push(...(await visitsOf(place, operation)))
  const faults = new Map<string, Fault>()
  const work = async () => {
    for (let one = visits.shift(); one; one = visits.shift()) {
      const { subject, role, request } = one
      const answer = await ask(request)
      const found = [...answerFaults(subject, answer), ...leakFaults(subject, place, role, request.url, shownBy(answer))]
      for (const each of found) faults.set(`${each.oracle} ${each.subject}`, each)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return [...faults.values(), ...(await numberFaults(place)), ...(await queryFaults(place))]
}

async function visitsOf(place: Place, operation: Operation): Promise<Visit[]> {
  const base = await operation.base(place, 'client')
  const input = isTree(base) ? base : {}
  const request = (role: Role) => operation.request(place, role, input) as Request
  const [at = ''] = request('client').url.split('?')
  const names = Object.keys(input).flatMap((key) => (key.startsWith('?') ? [key.slice(1)] : []))
  const places = Object.entries(input).filter(([key]) => !key.startsWith('?'))
  const visit = (what: string, url: string, role: Role): Visit => ({
    subject: `${operation.name} ${what}`,
    role,
    request: { ...request(role), url },
  })
  const roleAt = (turn: number): Role => (turn % 4 === 0 ? 'anonymous' : turn % 4 === 1 ? 'operator' : 'client')
  return [
    ...Object.entries(values).flatMap(([what, make], turn) => [
      visit(`?* ${what}`, `${at}?${names.map(make).join('&')}`, roleAt(turn)),
      ...names
        .filter((_, n) => turn < 2 || (n + turn) % 4 === 0)
        .map((name) => visit(`?${name} ${what}`, `${at}?${make(name)}`, roleAt(turn))),
    ]),
    ...places.flatMap(([name, value]) =>
      [...inPath, ...nearTo(String(value))].map((other, turn) =>
        visit(
          `${name} ${other.slice(0, 12)}`,
          at.replace(String(value), () => other),
          roleAt(turn),
        ),
      ),
    ),
  ]
}

/** Nearly the right form: another case, length, prefix or end. */
const nearTo = (value: string): string[] => [
  ...[
    value.toUpperCase(),
    value.replace(/[a-f]/, (letter) => letter.toUpperCase()),
    value.replace(/^0x/, '0X'),
    value.slice(0, -1),
    `${value}0`,
  ],
  ...[
    `${value}%0A`,
    `${value}%20`,
    `${value}%00`,
    `${value}.`,
    `${value}%2F..`,
    `%2F%2Fother.example`,
    '%5C%5Cother.example',
    value.replace(/^[a-z]{3}_/, 'gol_'),
  ],
]

/** None is a whole number from 0. */
const noNumbers = [
  '-1',
  '-0.5',
  '0.5',
  '1e999',
  '-1e999',
  'NaN',
  'Infinity',
  '1e0',
  '0x1',
  '',
  '%20',
  '+1',
  '1,0',
  '%D9%A1',
  '9'.repeat(30),
  'constructor',
]

/** Names that the source of the hub reads from an address. */
export function hubNames(): string[] {
  const folder = path.join(root, 'server/hub')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const found = sources.flatMap((name) => [...readFileSync(path.join(folder, name), 'utf8').matchAll(/searchParams\.get\('(\w+)'\)/g)])
  return [...new Set(found.map(([, name = '']) => name))]
}

/** A name of the hub that takes 0 and refuses a word is a number: nothing else than a number is taken there, or an error. */
async function numberFaults(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const gets = hubRoutes().filter(({ method }) => method === 'GET')
  for (const { path: at } of gets)
    for (const name of hubNames()) {
      const send = (value: string) => ask(hubRequest(place, 'helper', 'GET', `${at}?${name}=${value}`))
      const [number, word] = [await send('0'), await send('word')]
      const isNumber = number.status < 300 && word.status === 400
      for (const value of noNumbers) {
        const answer = await send(value)
        faults.push(...answerFaults(`hub:GET ${at} ${name}`, answer))
        if (isNumber && answer.status !== 400)
          faults.push(fault('a number is a number', `GET ${at} ${name}`, `${value || 'an empty value'} was answered ${answer.status}`))
      }
    }
  return faults
}

/** What no place for a whole number takes. */
const wrongNumbers: { readonly [what: string]: Value } = {
  half: 0.5,
  infinite: raw('1e999'),
  'least double': raw('-1.7e308'),
  'many digits': raw('9'.repeat(400)),
  'a word': 'NaN',
  'a text': '1',
  empty: '',
  list: [1],
}

/** Whole numbers that a database or a loop may not take. */
const largeNumbers: { readonly [what: string]: Value } = {
  ...{ 'above int31': 2 ** 31, 'above int32': 2 ** 32, 'largest integer': 2 ** 53 - 1, 'minus one': -1, 'least int': -(2 ** 53) + 1 },
  ...{ 'above int63': raw('9223372036854775808'), 'minus zero': raw('-0'), zero: 0 },
}

/** Each whole number of each procedure's input. */
async function queryFaults(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const operation of procedureOperations().filter((one) => one.isReading && !one.isStream)) {
    const base = await Promise.resolve(operation.base(place, 'client')).catch((): Value => null)
    const numbers = positionsOf(base, operation.schema).filter(
      ({ schema, value }) => schema.type === 'integer' && typeof value === 'number',
    )
    for (const { path: at } of numbers)
      for (const [what, value] of Object.entries({ ...wrongNumbers, ...largeNumbers })) {
        const request = operation.request(
          place,
          'client',
          replaceAt(base, at, () => value),
        ) as Request
        const answer = await ask({ ...request, from: webRequest(place, 'anonymous', 'GET', '/').from ?? '127.0.0.1' })
        const subject = `${operation.name} ${placeName(at)}`
        faults.push(...answerFaults(subject, answer))
        if (answer.status < 300 && Object.hasOwn(wrongNumbers, what))
          faults.push(fault('a number is a number', subject, `${what} was taken`))
      }
  }
  return faults
}

export const addresses: Attack = { name: 'values in addresses', run: visitAll }
