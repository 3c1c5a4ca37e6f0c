import { randomBytes } from 'node:crypto'
import type { Fault } from '../edge/oracles.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { isTree, replaceAt, type Value, writeJson } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { hubRoutes } from '../operations/hub-and-webhook-operations.ts'
import { hubRequest, type Operation, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** More than any limit on failed logins allows at once, and what comes back while they are sent. */
const guesses = 260
const atOnce = 20
let addresses = 0
const newAddress = () => `127.7.${Math.floor(++addresses / 200)}.${(addresses % 200) + 1}`

type Guess = { readonly name: string; make(): Request }

const wrongTokens: { readonly [what: string]: () => string } = {
  "an agent's token": () => `Bearer parley_${randomBytes(24).toString('base64url')}`,
  'a login': () => `Bearer ${randomBytes(32).toString('base64url')}`,
}

/** Each route of the hub, with each form of a token, and a body that is valid for everyone. */
function guessesAtHub(place: Place): Guess[] {
  const body = writeJson({ jsonrpc: '2.0', id: 'a', method: 'ping', params: {} })
  return hubRoutes().flatMap(({ method, path }) =>
    Object.entries(wrongTokens).map(
      ([what, token]): Guess => ({
        name: `${method} ${path} with ${what}`,
        make: () => {
          const request = hubRequest(place, 'anonymous', method, path, method === 'POST' ? body : null)
          const headers = { ...request.headers, accept: 'application/json, text/event-stream', authorization: token() }
          return { ...request, headers: method === 'GET' ? { ...headers, 'last-event-id': `${Date.now()}-1` } : headers }
        },
      }),
    ),
  )
}

const secret = /^(signature|code|token|secret|password)$/

/** Each operation that anyone may send with a signature or a code: each time another one. */
async function guessesInBodies(place: Place): Promise<Guess[]> {
  const made: Guess[] = []
  const operations = (await plainOperations(place.installation)).filter(({ name, isStream }) => /^(trpc|hub):/.test(name) && !isStream)
  for (const operation of operations) {
    const base = await Promise.resolve(operation.base(place, 'anonymous')).catch((): Value => null)
    const found = positionsOf(base, operation.schema).find(
      ({ path, value }) => secret.test(String(path.at(-1))) && typeof value === 'string',
    )
    if (!isTree(base) || !found || !(await isOpen(place, operation, base))) continue
    const guess = (old: Value) => `${String(old).slice(0, -12)}${randomBytes(6).toString('hex')}`
    made.push({
      name: `${operation.name} with another ${String(found.path.at(-1))}`,
      make: () => operation.request(place, 'anonymous', replaceAt(base, found.path, guess)) as Request,
    })
  }
  return made
}

/** An endpoint that requires a login first does not reveal whether the guess was right. */
async function isOpen(place: Place, operation: Operation, base: Value): Promise<boolean> {
  const { text } = await ask(operation.request(place, 'anonymous', base) as Request)
  return !/auth\.required|UNAUTHORIZED/.test(text)
}

/** One address that guesses credentials is stopped, at each entry point that takes them. */
async function guessAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const one of [...guessesAtHub(place), ...(await guessesInBodies(place))]) {
    const from = newAddress()
    const first = await ask({ ...one.make(), from })
    // A route that reads no credentials answers as always.
    if (!/^40[013]$/.test(String(first.status)) || (first.status !== 401 && !/with another/.test(one.name))) continue
    const answers: Answer[] = []
    while (answers.length < guesses && !answers.some(isLimited))
      answers.push(...(await Promise.all(Array.from({ length: atOnce }, () => ask({ ...one.make(), from })))))
    if (!answers.some(isLimited))
      faults.push(fault('credentials cannot be guessed', one.name, `${answers.length} wrong ones were answered ${answers.at(-1)?.status}`))
  }
  return faults
}

const isLimited = ({ status, text }: Answer) => status === 429 || text.includes('rate.exceeded')

export const guessing: Attack = { name: 'guessed credentials', run: guessAll }
