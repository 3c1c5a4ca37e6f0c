import { closeLines, deliver } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { agentRoles, personRoles, type Role } from '../ground/cast.ts'
import type { Answer } from '../ground/http.ts'
import { createScene } from '../ground/scene.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { allOperations } from '../operations/all.ts'
import { type Entitled, isDestructive, isPerson, type Operation, type Place } from '../operations/operations.ts'
import { entitledOf, operatorReads } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

const everyone: readonly Role[] = ['anonymous', ...personRoles, ...agentRoles]

/** A valid input of a role that may send it is refused to each role that may not. Afterwards the first role sends the same bytes. */
async function exchange({ installation }: Place): Promise<Fault[]> {
  // What it ends is its own.
  const scene = await createScene(installation.world, installation.hub.url)
  const place: Place = { installation, scene, lines: {}, privateIds: [] }
  const all = (await allOperations(installation)).filter((one) => /^(trpc|command):/.test(one.name) && !one.isStream)
  const writes = all.filter(({ isReading }) => !isReading)
  const reads = all.filter(({ name }) => operatorReads.includes(name))
  const faults: Fault[] = []
  const taken: boolean[] = []
  const unproven: string[] = []
  const tryOne = async (operation: Operation, entitled: Entitled) => {
    const tried = await tryRoles(place, operation, entitled)
    faults.push(...tried.faults)
    taken.push(tried.isTaken)
    if (operation.variant && !tried.isTaken) unproven.push(`${operation.name} (${tried.last})`)
  }
  try {
    for (const operation of reads) await tryOne(operation, { as: 'operator' })
    for (const operation of all.filter(({ isReading }) => isReading))
      if (operation.variant) await tryOne(operation, operation.variant.entitled)
    for (const operation of [...writes.filter((one) => !isDestructive(one)), ...writes.filter(isDestructive)]) {
      const entitled = entitledOf(operation)
      if (entitled) await tryOne(operation, entitled)
      else faults.push(fault('who may', operation.name, 'test/fuzz/attacks/entitled-roles.ts does not say who may send it'))
    }
  } finally {
    closeLines(place)
  }
  const proven = taken.filter((one) => one).length
  // A refusal of what is refused to all roles proves nothing.
  if (proven < taken.length / 2) faults.push(fault('who may', 'the attack', `only ${proven} of ${taken.length} inputs were valid`))
  if (unproven.length > maxUnproven) faults.push(fault('who may', 'the variants', `not valid: ${unproven.join(', ')}`))
  return faults
}

/** Some objects are limited in number, so that a few variants may find none left. */
const maxUnproven = 3

/** The input stays valid while it is refused, so that one serves all roles. */
async function tryRoles(place: Place, operation: Operation, { as, others = [], isRefused = false }: Entitled): Promise<Tried> {
  const { input, reason } = await baseOf(place, operation, as)
  const faults: Fault[] = []
  if (operation.variant && input === null) return { faults, isTaken: false, last: reason }
  for (const role of everyone.filter((one) => isRefused || (one !== as && !others.includes(one)))) {
    // Pages know no agents.
    if (operation.name.startsWith('trpc:') && !isPerson(role) && role !== 'anonymous') continue
    const answer = await send(place, operation, role, input)
    faults.push(...answerFaults(operation.name, answer))
    if (isTaken(answer))
      faults.push(fault('who may', operation.name, `taken from ${role}, not only from ${as}: ${answer.text.slice(0, 200)}`))
    // Afterwards the input may be used up.
    if (faults.length > 0) return { faults, isTaken: true, last: '' }
  }
  if (isRefused) return { faults, ...(await provenRefusal(place, operation, as, input)) }
  for (const { what, input: forged } of forgeriesOf(operation, input)) {
    const answer = await send(place, operation, as, forged)
    faults.push(...answerFaults(operation.name, answer))
    if (isTaken(answer))
      return {
        faults: [...faults, fault('who may', operation.name, `${what} was taken: ${answer.text.slice(0, 200)}`)],
        isTaken: true,
        last: '',
      }
  }
  const answer = await send(place, operation, as, input)
  return { faults, isTaken: isTaken(answer), last: `${answer.status} ${codeOf(answer)}` }
}

/** A refusal for the form of the input says nothing about its object. */
async function provenRefusal(place: Place, operation: Operation, as: Role, input: Value): Promise<Omit<Tried, 'faults'>> {
  const code = codeOf(await send(place, operation, as, input))
  return { isTaken: code !== 'request.malformed', last: code }
}

const codeOf = ({ text }: Answer) => /"code":"([a-z_]+\.[a-z_.]+)"/.exec(text)?.[1] ?? ''

/** `last`: why it was not taken. */
type Tried = { readonly faults: Fault[]; readonly isTaken: boolean; readonly last: string }

async function baseOf(place: Place, operation: Operation, as: Role): Promise<{ input: Value; reason: string }> {
  try {
    return { input: await operation.base(place, as), reason: '' }
  } catch (error) {
    return { input: null, reason: String(error).slice(0, 160) }
  }
}

type Forgery = { readonly what: string; readonly input: Value }
/** What a wallet signs besides ids. */
const signed = /^(deadline|valid_before|payee_bps|amount|deposit|max_claimable_amount|payout|to|authorizer|salt)$/
const isSignature = (value: Value) => typeof value === 'string' && /^0x[0-9a-f]{130}$/i.test(value)

/** The same with another signature, and with the same signature under other content. */
function forgeriesOf({ schema }: Operation, input: Value): Forgery[] {
  const positions = positionsOf(input, schema)
  const signatures = positions.filter(({ value }) => isSignature(value))
  if (signatures.length === 0) return []
  const flipped = (text: string) => `${text.slice(0, 20)}${text[20] === 'a' ? 'b' : 'a'}${text.slice(21)}`
  const others = positions.flatMap(({ path, value }): Forgery[] => {
    const name = String(path.at(-1))
    if (path.length !== 1 || !signed.test(name)) return []
    const other = typeof value === 'number' ? value - 1 : typeof value === 'string' ? anotherText(value) : null
    return other === null ? [] : [{ what: `another ${name} under the same signature`, input: replaceAt(input, path, () => other) }]
  })
  return [
    ...signatures.map(({ path, value }) => ({ what: `another signature`, input: replaceAt(input, path, () => flipped(String(value))) })),
    ...others,
  ]
}

/** An amount or an address beside it. */
function anotherText(value: string): string | null {
  if (/^\d+$/.test(value)) return String(BigInt(value) + 1n)
  return /^0x[0-9a-f]{40,}$/i.test(value) ? `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}` : null
}

const isTaken = ({ status }: Answer) => status >= 200 && status < 300

/** Waits where the role has sent too much: a refusal for that proves nothing. */
async function send(place: Place, operation: Operation, role: Role, input: Value): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await deliver(place, operation, operation.request(place, role, input))
    if (answer.status !== 429 || tries >= 5) return answer
    await pause(1_000)
  }
}

export const rolesAttack: Attack = { name: 'who may', run: exchange }
