import type { Fault } from '../edge/oracles.ts'
import { newCallId, type Role } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { patience } from '../ground/slowness.ts'
import { connectAgent, openLine } from '../ground/socket.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { addressOf, hubRequest, type Operation, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { unknownLike } from './private-objects.ts'
import { newAddress } from './refused-bodies.ts'
import { fault, pause } from './request-helpers.ts'

/** SECURITY.md: at most 100 live streams of one address or person. More than that fail, one way after the other. */
const failures = 105
const atOnce = 21
/** More than wait for one address, and fewer than it may ask for. */
const maxQuotes = 39
/** The rate limit refills meanwhile; a slot that was not given back does not. */
const maxWaits = 12

type Kind = { readonly name: string; good(): Request; readonly bad: { readonly [what: string]: () => Request } }

const withHeaders = (request: Request, headers: Readonly<Record<string, string>>): Request => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

/** Streams and waiting calls, and the ways in which they fail after they have begun. */
async function kindsOf(place: Place): Promise<Kind[]> {
  const kinds: Kind[] = []
  for (const operation of (await plainOperations(place.installation)).filter(({ isStream }) => isStream)) {
    const role: Role | undefined = operation.roles.find((one) => one === 'client') ?? operation.roles[0]
    if (role === undefined) continue
    const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
    // Slots count for a person, whose requests come from many addresses, and for the address of who is not signed in.
    const own = newAddress()
    const make =
      (input: Value, as: Role = role) =>
      () => ({ ...(operation.request(place, as, input) as Request), from: as === 'anonymous' ? own : addressOf('anonymous') })
    const ids = positionsOf(base, operation.schema).filter(
      ({ value }) => typeof value === 'string' && kindOf(value) !== null && kindOf(value) !== 'uuid',
    )
    const put = (id: (old: string) => string) =>
      ids.reduce((input, { path, value }) => replaceAt(input, path, () => id(String(value))), base)
    const hidden = (old: string) =>
      old.startsWith('rom_') ? place.scene.goals.hidden.roomId : old.startsWith('gol_') ? place.scene.goals.hidden.id : old
    const bad: { [what: string]: () => Request } = {
      'an unknown id': make(put(unknownLike)),
      'what another may not see': make(put(hidden), operation.roles.includes('stranger') ? 'stranger' : role),
      'a resume that is none': () => withHeaders(make(base)(), { 'last-event-id': 'x' }),
      'a resume beyond the end': () => withHeaders(make(base)(), { 'last-event-id': '999999' }),
      'a number beyond the end': make(beyond(base, operation)),
      'one answer instead of a stream': () => withHeaders(make(put(unknownLike))(), { accept: 'application/json' }),
    }
    kinds.push({ name: operation.name, good: make(base), bad })
  }
  const poll = (query: string) => () => hubRequest(place, 'helper', 'GET', `/v1/messages?${query}`)
  const quotedFrom = newAddress()
  const quote = (body: object) => () => ({
    ...hubRequest(place, 'anonymous', 'POST', '/v1/quotes', JSON.stringify(body)),
    from: quotedFrom,
  })
  const quotes: Kind = {
    name: 'POST /v1/quotes',
    good: quote({ text: 'Write one short text about the sea.' }),
    bad: {
      'a text that no agent can do': quote({ text: 'zqzq zqzq zqzq' }),
      'a budget that is too small': quote({ text: 'Write one short text about the sea.', budget: '1' }),
    },
  }
  return [
    ...kinds,
    quotes,
    {
      name: 'GET /v1/messages',
      good: poll('wait=1'),
      bad: { 'an ack that is none': poll('wait=1&ack=AAAA'), 'an ack of another': poll('wait=1&ack=e30') },
    },
  ]
}

const beyond = (base: Value, { schema }: Operation): Value =>
  positionsOf(base, schema).reduce<Value>(
    (input, { path, value }) =>
      /^(after|from|since)$/i.test(String(path.at(-1))) && typeof value === 'number' ? replaceAt(input, path, () => 999_999) : input,
    base,
  )

const isFull = ({ status, text }: Answer) => status === 429 || text.includes('rate.exceeded')

/** Whatever a stream fails by, the next one of the same sender is served. */
async function failAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { name, good, bad } of await kindsOf(place)) {
    if (isFull(await ask(good(), { isStream: true }))) continue
    for (const [what, make] of Object.entries(bad)) {
      const count = name.includes('quotes') ? maxQuotes : failures
      for (let sent = 0; sent < count; sent += atOnce)
        await Promise.all(Array.from({ length: atOnce }, () => ask(make(), { isStream: true })))
      let after = await ask(good(), { isStream: true })
      for (let waits = 0; waits < maxWaits && isFull(after); waits++) {
        await pause(1_000)
        after = await ask(good(), { isStream: true })
      }
      if (isFull(after)) {
        faults.push(
          fault('failed streams leave nothing', name, `${after.status} after ${count} times ${what}: ${after.text.slice(0, 160)}`),
        )
        break
      }
    }
  }
  return [...faults, ...(await failFrames(place)), ...(await leaveConnections(place))]
}

/** More frames than the hub works on at a time for one connection. */
const frames = 160

/** Frames that are refused, of each kind: the connection still answers. */
async function failFrames(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const room = place.scene.goals.hidden.roomId
  const bad: { readonly [what: string]: (n: number) => string } = {
    'an unknown command': (n) => `{"type":"command","id":"x${n}","command":{"type":"nothing.there"}}`,
    'a command without its fields': (n) => `{"type":"command","id":"x${n}","command":{"type":"task.complete"}}`,
    'a message in the room of others': (n) =>
      `{"type":"command","id":"x${n}","command":{"type":"message.post","room_id":"${room}","parts":[{"text":"a"}]}}`,
    'a command about nothing': (n) =>
      `{"type":"command","id":"x${n}","command":{"type":"call.decline","call_id":"${newCallId()}","reason":"No."}}`,
    'an ack beyond the end': () => `{"type":"ack","room_id":"${place.scene.agents.planner.inboxId}","seq":999999}`,
    'a room of others': () => `{"type":"subscribe","room_id":"${room}","after":0}`,
    'an unknown frame': () => '{"type":"nothing"}',
  }
  for (const [what, make] of Object.entries(bad)) {
    const line = await connectAgent(place.installation.hub.url, place.scene.agents.planner)
    for (let n = 0; n < frames && line.isOpen(); n++) line.send(make(n))
    line.send('{"type":"command","id":"last","command":{"type":"memory.read"}}')
    const answer = line.isOpen() ? await line.next(({ id }) => id === 'last', patience(10_000)) : null
    if (answer === null && line.isOpen())
      faults.push(fault('failed streams leave nothing', 'socket', `no answer after ${frames} times ${what}`))
    line.close()
  }
  return faults
}

const connections = 260

/** Connections that end without a word: the next one of the same address is welcome. */
async function leaveConnections(place: Place): Promise<Fault[]> {
  const from = newAddress()
  const { url } = place.installation.hub
  for (let sent = 0; sent < connections; sent += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const line = await openLine(url, from).catch(() => null)
        line?.close()
      }),
    )
  const line = await connectAgent(url, place.scene.agents.planner, from).catch((error: unknown) => String(error))
  if (typeof line === 'string')
    return [fault('failed streams leave nothing', 'socket', `no welcome after ${connections} connections: ${line.slice(0, 160)}`)]
  line.close()
  return []
}

export const failedStreams: Attack = { name: 'failed streams', run: failAll }
