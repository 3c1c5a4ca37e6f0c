import type { Fault } from '../edge/oracles.ts'
import { agentIn, newCallId, newId, openSession, personIn } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { connectAgent } from '../ground/socket.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { sample } from '../inputs/schema.ts'
import { plainOperations } from '../operations/all.ts'
import { addressOf, hubRequest, jsonInUrl, type Operation, type Place, webRequest } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { newAddress } from './refused-bodies.ts'
import { fault, pause } from './request-helpers.ts'

/** `perSecond`, `burst`: the limit, kept here and not read from the product. `counts`: how many requests one of them counts as. */
type Drain = { readonly name: string; readonly burst: number; readonly counts?: number; make(): Request }
/** One sender with two logins: one uses up the budgets, the other tries each operation. */
type Sender = {
  readonly name: string
  readonly drains: readonly Drain[]
  readonly tries: readonly Operation[]
  request(one: Operation, input: Value): Request
}

/** Their budgets are too large to use up, or they belong to the address, or what they do may not be kept from anyone. */
const others =
  /message\.post|conversations\.post|channels\.ask|post_message|a2a:(SendMessage|message\/)|identity\.|:ping|unsubscribe|page:|hub:(GET|DELETE|POST \/v1\/(nonces|tokens|agents))/
const drainMs = 15_000
const loops = 3

const isLimited = ({ status, text }: Answer) => status === 429 || text.includes('rate.exceeded')
const unknown = (prefix: string) => `${prefix}_${newId().replaceAll('-', '')}`

/** Requests about what does not exist: each counts, and none changes anything. */
const commands: readonly { readonly name: string; readonly burst: number; readonly perSecond: number; make(): object }[] = [
  { name: 'reads', burst: 600, perSecond: 60, make: () => ({ type: 'call.get', call_id: newCallId() }) },
  { name: 'searches', burst: 100, perSecond: 10, make: () => ({ type: 'listing.discover', query: { limit: 1 } }) },
  { name: 'writes', burst: 120, perSecond: 5, make: () => ({ type: 'demand.withdraw', demand_id: unknown('dmd') }) },
  {
    name: 'uploads',
    burst: 60,
    perSecond: 2,
    make: () => ({ type: 'skill.test', call_id: newCallId(), agent_id: unknown('agt'), skill_id: 'text.first' }),
  },
  { name: 'listings', burst: 60, perSecond: 0.1, make: () => ({ type: 'listing.withdraw', agent_id: unknown('agt') }) },
  { name: 'calls', burst: 200, perSecond: 20, make: () => ({ type: 'call.decline', call_id: newCallId(), reason: 'There is no time.' }) },
  { name: 'money', burst: 20, perSecond: 0.5, make: () => ({ type: 'goal.cancel', goal_id: unknown('gol'), reason: 'It is not needed.' }) },
]

const procedures: readonly { readonly name: string; readonly procedure: string; readonly burst: number; make(): Value }[] = [
  { name: 'writes', procedure: 'goals.withdrawDemand', burst: 120, make: () => ({ demand_id: unknown('dmd') }) },
  {
    name: 'uploads',
    procedure: 'skillTests.start',
    burst: 60,
    make: () => ({ call_id: newCallId(), agent_id: unknown('agt'), skill_id: 'text.first' }),
  },
  { name: 'listings', procedure: 'registry.withdraw', burst: 60, make: () => ({ agent_id: unknown('agt') }) },
  {
    ...{ name: 'money', procedure: 'settlement.openPayoutAccount', burst: 20 },
    make: () => ({ deadline: Math.floor(Date.now() / 1_000) + 600, signature: `0x${'1b'.repeat(65)}` }),
  },
  { name: 'notices', procedure: 'notifications.confirmEmail', burst: 20, make: () => ({ code: '000000' }) },
  { name: 'texts', procedure: 'markdown.format', burst: 1_000, make: () => ({ text: newId() }) },
]

/** Budgets that come back too fast stay used up on no busy machine. Those are of reading, which counts for addresses, too. */
const slow = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  all.filter(({ name }) => !/^(reads|texts)$/.test(name))

/** A sender that has used up its budgets gets nothing more, by any operation, from any address and with any of its logins. */
async function overspend(place: Place): Promise<Fault[]> {
  const all = (await plainOperations(place.installation)).filter(
    ({ name, isStream, isClosed }) => !others.test(name) && !isStream && !isClosed,
  )
  const faults: Fault[] = []
  for (const sender of [await personAtHub(place, all), await agentAtHub(place, all), await personAtWeb(place, all)])
    faults.push(...(await overspendAs(place, sender)))
  return [...faults, ...(await overspendBySocket(place)), ...(await askForUnknown(place))]
}

const reads = { burst: 600, perSecond: 60 }
const idsAtOnce = 24

/** Changes of what does not exist reach no command. They count all the same: each costs a query. */
async function askForUnknown(place: Place): Promise<Fault[]> {
  const person = await personIn(place.installation.world, 0n)
  const own: Place = { ...place, scene: { ...place.scene, people: { ...place.scene.people, stranger: person } } }
  const from = newAddress()
  const faults: Fault[] = []
  for (const role of ['stranger', 'anonymous'] as const) {
    const begun = Date.now()
    const make = () => {
      const body = writeJson({ json: { goal_id: unknown('gol'), reason: 'It is not needed.' } })
      return { ...webRequest(own, role, 'POST', '/api/trpc/goals.cancel', body), ...(role === 'anonymous' && { from }) }
    }
    let sent = 0
    let isOver = false
    const allowed = () => (reads.burst + (reads.perSecond * (Date.now() - begun)) / 1_000) * excess + 100
    while (!isOver && sent <= allowed() && Date.now() - begun < drainMs) {
      const answers = await Promise.all(Array.from({ length: idsAtOnce }, () => ask(make())))
      sent += answers.length
      isOver = answers.some(isLimited)
    }
    if (!isOver && sent > allowed()) faults.push(fault('budgets of senders', `ids of others as ${role}`, `${sent} requests were answered`))
  }
  return faults
}

/** What comes back within the time of one attack, with some patience for a busy machine. */
const excess = 1.5

/** An agent at its socket: frames of each class, more than its budget. */
async function overspendBySocket(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const line = await connectAgent(place.installation.hub.url, place.scene.agents.planner)
  for (const { name, burst, perSecond, make } of commands) {
    const begun = Date.now()
    let [passed, limited, id] = [0, 0, 0]
    const allowed = () => (burst + (perSecond * (Date.now() - begun)) / 1_000) * excess + 40
    while (limited < 5 && passed <= allowed() && line.isOpen() && Date.now() - begun < drainMs) {
      const ids = Array.from({ length: 20 }, () => `${name}${++id}`)
      const answers = await Promise.all(
        ids.map((one) => {
          line.send(JSON.stringify({ type: 'command', id: one, command: make() }))
          return line.next((frame) => frame.id === one, 8_000)
        }),
      )
      for (const answer of answers)
        if (JSON.stringify(answer).includes('rate.exceeded')) limited++
        else passed++
    }
    if (limited === 0 && passed > allowed())
      faults.push(
        fault('budgets of senders', `an agent at its socket: ${name}`, `${passed} requests were answered, ${burst} are allowed at once`),
      )
  }
  line.close()
  return faults
}

async function overspendAs(place: Place, { name, drains, tries, request }: Sender): Promise<Fault[]> {
  const told = drains.map((): boolean[] => [])
  let isOver = false
  const sent = drains.map(() => 0)
  const begun = Date.now()
  const use = async ({ make, counts = 1 }: Drain, at: number) => {
    while (!isOver) {
      const answers = await Promise.all(
        Array.from({ length: told[at]?.at(-1) ? 1 : 8 }, () => ask({ ...make(), from: addressOf('anonymous') })),
      )
      sent[at] = (sent[at] ?? 0) + answers.length * counts
      told[at]?.push(...answers.map(isLimited))
      if (told[at]?.at(-1)) await pause(5)
    }
  }
  const running = drains.flatMap((drain, at) => Array.from({ length: loops }, () => use(drain, at)))
  const isEmpty = (all: readonly boolean[]) => all.slice(-4).filter((one) => one).length >= 3
  while (!told.every(isEmpty) && Date.now() - begun < drainMs) await pause(20)
  const faults: Fault[] = []
  for (const [at, { name: what, burst }] of drains.entries())
    if (!isEmpty(told[at] ?? []) && (sent[at] ?? 0) > burst * 3 + 100)
      faults.push(fault('budgets of senders', `${name}: ${what}`, `${sent[at]} requests were answered, ${burst} are allowed at once`))
  if (faults.length === 0 && told.every(isEmpty)) {
    for (const one of tries) {
      const passed = await passesAlways(() => passes(place, one, request))
      if (passed !== null && told.every(isEmpty)) faults.push(fault('budgets of senders', `${name}: ${one.name}`, passed))
    }
  }
  isOver = true
  await Promise.all(running)
  return faults
}

const trials = 5

/** A budget refills, so that a request may pass while the others, which use it up, wait for a busy processor. */
async function passesAlways(attempt: () => Promise<string | null>): Promise<string | null> {
  let last: string | null = null
  for (let trial = 0; trial < trials; trial++) {
    if (trial > 0) await pause(200)
    last = await attempt()
    if (last === null) return null
  }
  return last
}

/** Null once it has to wait, or where it is refused before it counts. */
async function passes(place: Place, operation: Operation, request: Sender['request']): Promise<string | null> {
  const makers = [() => sample(operation.schema, place.scene.known), () => operation.base(place, 'stranger')]
  let last = ''
  for (const make of makers) {
    const input = await Promise.resolve()
      .then(make)
      .catch((): Value => null)
    const answers: Answer[] = []
    for (let tries = 0; tries < 3; tries++) {
      const answer = await ask({ ...request(operation, input), from: addressOf('anonymous') })
      if (isLimited(answer)) return null
      answers.push(answer)
    }
    const [first] = answers
    // Malformed or too much for its sort of sender: nothing was looked at.
    if (first && /request\.(malformed|too_large|unknown_command)|BAD_REQUEST|"code":-326\d\d|"isError":true/.test(first.text)) continue
    // What is hidden counts as a read, whose budget is not used up here.
    if (first && /(goal|task|room|dispute|settlement_offer)\.not_found/.test(first.text)) return null
    last = `${first?.status} ${first?.text.slice(0, 160)}`
    return last
  }
  return null
}

async function personAtHub(place: Place, all: readonly Operation[]): Promise<Sender> {
  const person = await personIn(place.installation.world, 0n)
  const second = await openSession(place.installation.world, person)
  const as = (session: string): Place => ({
    ...place,
    scene: { ...place.scene, people: { ...place.scene.people, stranger: { ...person, session } } },
  })
  return {
    name: 'a person at the hub',
    drains: slow(commands).map(({ name, burst, make }) => ({
      ...{ name, burst },
      make: () => hubRequest(as(person.session), 'stranger', 'POST', '/v1/commands', writeJson(make() as Value)),
    })),
    tries: all.filter(({ name, isReading }) => /^(command|mcp|a2a|hub):/.test(name) && !isReading),
    request: (one, input) => one.request(as(second), 'stranger', input) as Request,
  }
}

async function agentAtHub(place: Place, all: readonly Operation[]): Promise<Sender> {
  const agent = await agentIn(place.installation.world, place.scene.people.stranger, `sb${Date.now().toString(36)}`, ['goal.plan'])
  const own: Place = { ...place, scene: { ...place.scene, agents: { ...place.scene.agents, outsider: agent } } }
  return {
    name: 'an agent at the hub',
    drains: slow(commands).map(({ name, burst, make }) => ({
      ...{ name, burst },
      make: () => hubRequest(own, 'outsider', 'POST', '/v1/commands', writeJson(make() as Value)),
    })),
    tries: all.filter(({ name, isReading }) => /^(command|mcp|a2a):/.test(name) && !isReading),
    request: (one, input) => one.request(own, 'outsider', input) as Request,
  }
}

async function personAtWeb(place: Place, all: readonly Operation[]): Promise<Sender> {
  const person = await personIn(place.installation.world, 0n)
  const second = await openSession(place.installation.world, person)
  const as = (session: string): Place => ({
    ...place,
    scene: { ...place.scene, people: { ...place.scene.people, stranger: { ...person, session } } },
  })
  const first = as(person.session)
  const search = () => webRequest(first, 'stranger', 'GET', `/api/trpc/registry.discover?input=${jsonInUrl({ json: { limit: 1 } })}`)
  return {
    name: 'a person at the web',
    drains: [
      { name: 'searches', burst: 100, make: search },
      ...slow(procedures).map(({ name, burst, procedure, make }) => ({
        ...{ name, burst },
        make: () => webRequest(first, 'stranger', 'POST', `/api/trpc/${procedure}`, writeJson({ json: make() })),
      })),
    ],
    tries: all.filter(({ name, isReading }) => name.startsWith('trpc:') && !isReading),
    request: (one, input) => one.request(as(second), 'stranger', input) as Request,
  }
}

export const senderBudgets: Attack = { name: 'budgets of senders', run: overspend }
