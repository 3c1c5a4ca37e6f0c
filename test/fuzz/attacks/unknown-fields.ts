import { limits as protocolLimits, signEnvelope } from '@parley/protocol'
import { buildMessage } from '../../../agents/src/messages/build-message.ts'
import { deliver, lineOf } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import type { Answer } from '../ground/http.ts'
import { isTree, replaceAt, type Tree, type Value } from '../inputs/json-text.ts'
import { type Path, placeName, positionsOf } from '../inputs/mutations.ts'
import { resolved } from '../inputs/schema.ts'
import { plainOperations } from '../operations/all.ts'
import type { Operation, Place } from '../operations/operations.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** What a field with a text is called in this product and in others. */
const synonyms = [
  ...['content', 'contents', 'body', 'text', 'message', 'data', 'parts', 'raw', 'html', 'url', 'uri', 'src', 'payload', 'bytes', 'blob'],
  ...['file', 'files', 'attachment', 'attachments', 'artifact', 'artifacts', 'image', 'base64', 'value', 'note', 'notes', 'comment'],
  ...['description', 'summary', 'readme', 'title', 'name', 'label', 'meta', 'metadata', '_meta', 'extra', 'ext', 'details', 'reason'],
  ...['signature', 'sig', 'envelope', 'quote', 'schema', 'sample', 'charter', 'policy', 'traceparent', 'id', 'type', 'kind', 'more'],
]
/** With a little more than all of them may have together, each must count: without any one of them, they would fit. */
const atOnce = 10
const excess = 1.05
/** protocol/src/limits.ts and protocol/SPEC.md: bytes of a command without its files, of a goal, and of a listing. */
const max = { command: protocolLimits.commandBytes, goal: protocolLimits.goalBytes, listing: 65_536, unknown: protocolLimits.unknownBytes }
const maxObjects = 5

/** A value of about so many bytes, of each form that a size could be counted wrong for. */
const forms: { readonly [form: string]: (bytes: number) => Value } = {
  'a text': (bytes) => 'x'.repeat(bytes),
  'letters of three bytes': (bytes) => '\u6f22'.repeat(bytes / 3),
  quotes: (bytes) => '"'.repeat(bytes / 2),
  'a list of texts': (bytes) => Array.from({ length: bytes / 103 }, () => 'x'.repeat(100)),
  'a list of numbers': (bytes) =>
    Array.from({ length: 40 }, () => Array.from({ length: Math.min(bytes / 40 / 17, 1_500) }, () => 1_234_567_890_123_456)),
  'objects in objects': (bytes) => Array.from({ length: 20 }).reduce<Value>((inner) => ({ a: inner }), 'x'.repeat(bytes)),
  'long names': (bytes) => Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`.padEnd(bytes / 100, 'k'), 1])),
}

type Target = { readonly path: Path; readonly own: readonly string[] }

/** Objects of the input that take unknown fields. A file's own bytes have another limit. */
function targetsOf(operation: Operation, base: Value): Target[] {
  const seen = new Set<string>()
  return positionsOf(base, operation.schema).flatMap(({ path, schema, value }) => {
    const name = placeName(path)
    const at = resolved(schema, operation.schema, value)
    if (!isTree(value) || at.additionalProperties === false || at.properties === undefined || seen.has(name)) return []
    seen.add(name)
    const isFile = Object.hasOwn(at.properties, 'media_type')
    // A procedure names the type of the command that it sends.
    const named = operation.name.startsWith('trpc:') ? ['type'] : []
    return [{ path, own: [...Object.keys(at.properties), ...Object.keys(value), ...(isFile ? ['content'] : []), ...named] }]
  })
}

const add = (base: Value, path: Path, fields: Tree) => replaceAt(base, path, (old) => ({ ...(isTree(old) ? old : {}), ...fields }))

/** Names that the objects do not have, spread over them, each with its share of `bytes`. */
function spread(base: Value, targets: readonly Target[], names: readonly string[], bytes: number): Value {
  return names.reduce<Value>((input, name, at) => {
    const fitting = targets.filter(({ own }) => !own.includes(name))
    return add(input, fitting[at % fitting.length]?.path ?? [], { [name]: 'x'.repeat(bytes / names.length) })
  }, base)
}

/** Groups of names that at least one of the objects does not have. */
function groupsOf(targets: readonly Target[]): string[][] {
  const names = [...new Set([...synonyms, ...targets.flatMap(({ own }) => own)])]
  const fitting = names.filter((name) => targets.some(({ own }) => !own.includes(name)))
  return Array.from({ length: Math.ceil(fitting.length / atOnce) }, (_, at) => fitting.slice(at * atOnce, (at + 1) * atOnce))
}

type Attempt = { readonly what: string; readonly input: Value }

function attemptsOf(operation: Operation, base: Value): Attempt[] {
  const targets = targetsOf(operation, base).slice(0, maxObjects)
  const inGoal = targets.filter(({ path }) => path[0] === 'goal')
  const inListing = targets.filter(({ path }) => path[0] === 'listing')
  const named = (objects: readonly Target[], bytes: number) =>
    groupsOf(objects).map((group) => ({ what: group.join(', '), input: spread(base, objects, group, bytes * excess) }))
  const formed = (objects: readonly Target[], bytes: number) =>
    Object.entries(forms).flatMap(([form, make]) =>
      objects
        .slice(0, 2)
        .map(({ path }) => ({ what: `${form} at ${placeName(path)}`, input: add(base, path, { more: make(bytes * excess) }) })),
    )
  return [
    ...named(targets, max.command),
    // The same names in other objects.
    ...(targets.length > 1 ? named([...targets.slice(1), ...targets.slice(0, 1)], max.command) : []),
    ...formed(targets, max.command),
    ...named(inGoal, max.goal),
    ...formed(inGoal.slice(0, 1), max.goal),
    ...named(inListing, max.listing),
    ...formed(inListing.slice(0, 1), max.listing),
  ]
}

const isTaken = ({ status, text }: Answer) => status >= 200 && status < 300 && !/"error":\{|"isError":true|"type":"problem"/.test(text)
const workers = 4

/** Whatever the name of an unknown field is, and in which object it stands: it counts. */
async function enlarge(place: Place): Promise<Fault[]> {
  const own: Place = { ...place, lines: {} }
  const all = (await plainOperations(place.installation)).filter(
    ({ name, isReading, isClosed }) => /^(trpc|command):/.test(name) && !isReading && !isClosed,
  )
  const faults: Fault[] = []
  const work = async () => {
    for (let one = all.shift(); one; one = all.shift()) faults.push(...(await enlargeOne(own, one)))
  }
  await Promise.all(Array.from({ length: workers }, work))
  return [...faults, ...(await enlargeEnvelope(own))]
}

async function enlargeOne(place: Place, operation: Operation): Promise<Fault[]> {
  const as = entitledOf(operation)?.as
  const role: Role | undefined = as !== undefined && operation.roles.includes(as) ? as : operation.roles[0]
  if (role === undefined) return []
  const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  for (const { what, input } of attemptsOf(operation, base)) {
    const answer = await deliver(place, operation, operation.request(place, role, input))
    const [broken] = answerFaults(operation.name, answer)
    if (broken) return [broken]
    if (isTaken(answer)) return [fault('unknown fields count', operation.name, `more bytes than a command has were taken in ${what}`)]
  }
  return []
}

/** protocol/SPEC.md, Envelope: 8,192 bytes of unknown fields in canonical form. Its sender signs them. */
async function enlargeEnvelope(place: Place): Promise<Fault[]> {
  const { scene } = place
  const { signer, did } = scene.agents.worker
  const room_id = scene.goals.work.roomId
  await lineOf(place, 'worker')
  const faults: Fault[] = []
  const names = synonyms.filter((name) => !/^(id|type|parts|sig|ext|policy|traceparent)$/.test(name))
  for (let at = 0; at < names.length; at += atOnce) {
    const body = { type: 'message.post' as const, room_id, act: 'discussion', parts: [{ text: `Word ${at}.` }] }
    const context = {
      did,
      room_id,
      state: 'discussion',
      charter: async () => null,
      signCharter: async () => undefined,
      traceparent: undefined,
    }
    const message = await buildMessage(body as never, context as never)
    const group = names.slice(at, at + atOnce)
    const fields = Object.fromEntries(group.map((name) => [name, 'x'.repeat((max.unknown * excess) / group.length)]))
    const envelope = await signEnvelope(signer, { ...message, ...fields } as never)
    const id = `u${at}`
    const frame = JSON.stringify({ type: 'command', id, command: { type: 'message.post', room_id, envelope } })
    const answer = await deliver(place, { isStream: false }, { frame, role: 'worker', id })
    if (isTaken(answer))
      faults.push(fault('unknown fields count', 'envelope', `more than ${max.unknown} bytes were taken in ${group.join(', ')}`))
  }
  place.lines.worker?.close()
  return faults
}

export const unknownFields: Attack = { name: 'unknown fields', run: enlarge }
