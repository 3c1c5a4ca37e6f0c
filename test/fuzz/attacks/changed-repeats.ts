import { setTimeout as wait } from 'node:timers/promises'
import { textUpload } from '../../support/goal-fixture.ts'
import { closeLines, deliver } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import type { Answer } from '../ground/http.ts'
import { createScene } from '../ground/scene.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { isTree, replaceAt, type Tree, type Value, valueAt } from '../inputs/json-text.ts'
import { type Path, type Position, placeName, positionsOf } from '../inputs/mutations.ts'
import { allOperations } from '../operations/all.ts'
import { isDestructive, type Operation, type Place, plainName } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault } from './request-helpers.ts'

/** What is sent several times. `key`: the place whose value the caller chooses for the request. */
type Sent = {
  readonly operation: Operation
  readonly role: Role
  readonly base: Value
  readonly key: Path
  readonly positions: readonly Position[]
}

/** Stripe's webhooks, and messages to a task by A2A: each counts as often as it is sent. */
const spoken = /^(stripe:|a2a:SendMessage$)/
/** What keeps a value, so that the next one is no repeat; messages that are new each time; and logins, which work once. */
const isUpdate = (operation: Operation) =>
  /^frame:|memory\.|rule|policy\.|revise|publish|POST \/v1\/agents|payout|rotate|extend|pool|peer|propose|message\.post|conversations\.post|post_message|claim|progress|proxy|feedback|reputation|quote|Account|identity\.|markdown|notifications\.|\/v1\/tokens/i.test(
    plainName(operation),
  )

/** One key is one request: unchanged it has one effect and one answer, and with any other content it is a conflict. */
async function repeatAll({ installation }: Place): Promise<Fault[]> {
  // What it ends is its own.
  const scene = await createScene(installation.world, installation.hub.url)
  const place: Place = { installation, scene, lines: {}, privateIds: [] }
  const faults: Fault[] = []
  const all = await allOperations(installation)
  const writes = all.filter((one) => !one.isReading && !one.isStream && !one.isClosed && !spoken.test(one.name))
  try {
    for (const operation of [...writes.filter((one) => !isDestructive(one)), ...writes.filter(isDestructive)])
      faults.push(...(await repeatOperation(place, operation)))
  } finally {
    closeLines(place)
  }
  return faults
}

/** As the first role that may do it. */
async function repeatOperation(place: Place, operation: Operation): Promise<Fault[]> {
  for (const role of operation.roles.filter((one) => one !== 'anonymous')) {
    const found: (Fault[] | null)[] = []
    for (const sent of await keyedRequests(place, operation, role)) found.push(await repeatOne(place, sent))
    if (found.some((one) => one !== null)) return found.flatMap((one) => one ?? [])
  }
  return []
}

/**
 * An input for each key that the operation has, with that key alone. Where the caller chooses none, what the operation is about is its key.
 */
async function keyedRequests(place: Place, operation: Operation, role: Role): Promise<Sent[]> {
  const make = () => Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const one = await make()
  const other = isDestructive(operation) ? one : await make()
  const keys = positionsOf(one, operation.schema).filter(({ value, path }) =>
    isKey(value, path.length === 0 ? undefined : valueAt(other, path)),
  )
  if (keys.length === 0 && isUpdate(operation)) return []
  const asked = (base: Value, key: Path): Sent => ({ operation, role, base, key, positions: positionsOf(base, operation.schema) })
  if (keys.length === 0) return [asked(one, [])]
  return keys.map(({ path: key }) => {
    const others = keys.filter(({ path }) => placeName(path) !== placeName(key)).map(({ path }) => path)
    return asked(others.reduce(without, one), key)
  })
}

/** The caller chooses another one each time. */
const isKey = (value: Value, next: Value | undefined) =>
  typeof value === 'string' && typeof next === 'string' && value !== next && kindOf(value) !== null && kindOf(value) === kindOf(next)

function without(value: Value, path: Path): Value {
  const last = path.at(-1)
  return replaceAt(value, path.slice(0, -1), (tree) =>
    isTree(tree) ? Object.fromEntries(Object.entries(tree).filter(([name]) => name !== last)) : tree,
  )
}

/** Null where it is refused. */
async function repeatOne(place: Place, sent: Sent): Promise<Fault[] | null> {
  const { operation, base, key } = sent
  const first = await send(place, sent, base)
  if (!isTaken(first)) return null
  const subject = `${operation.name} ${placeName(key)}`
  const counted = await countRows(place)
  const again = await send(place, sent, base)
  const faults: Fault[] = []
  if (again.status !== 429) {
    const [before, after] = [JSON.stringify(counted), JSON.stringify(await countRows(place))]
    if (!isTaken(again)) faults.push(fault('a repeat repeats the answer', subject, `answered ${again.status}: ${again.text.slice(0, 200)}`))
    else if (idsIn(again.text).some((id) => !idsIn(first.text).includes(id)))
      faults.push(
        fault('a repeat repeats the answer', subject, `answered ${again.text.slice(0, 200)}, at first ${first.text.slice(0, 200)}`),
      )
    else if (before !== after) faults.push(fault('a repeat has no second effect', subject, `rows before ${before}, after ${after}`))
  }
  faults.push(...(await repeatAsAnother(place, sent, first)))
  // What differs for another key is no repeat.
  if (faults.length > 0) return faults
  for (const { at, input } of changesOf(sent)) {
    const other = await send(place, sent, input)
    if (isTaken(other))
      faults.push(
        fault(
          'a key for something else is a conflict',
          `${subject}: another ${at}`,
          `answered ${other.status}: ${other.text.slice(0, 200)}`,
        ),
      )
  }
  return faults
}

/** A key is its sender's: the same bytes of another person are not answered with what the first one has. */
async function repeatAsAnother(place: Place, sent: Sent, first: Answer): Promise<Fault[]> {
  const { operation, role, base, key } = sent
  const own = idsIn(first.text).filter((id) => !JSON.stringify(base).includes(id))
  if (role !== 'client' || key.length === 0 || own.length === 0) return []
  const other = await send(place, { ...sent, role: 'stranger' }, base)
  return idsIn(other.text).some((id) => own.includes(id))
    ? [fault('a key is its sender’s own', `${operation.name} ${placeName(key)}`, `another person was answered ${other.text.slice(0, 200)}`)]
    : []
}

/** JSON-RPC answers errors with 200, too. */
const isTaken = ({ status, text }: Answer) => status >= 200 && status < 300 && !/"error":\{|"isError":true/.test(text)
const idsIn = (text: string) => [...new Set(text.match(/\b(gol|rom|cal|tsk|dsp|ofr|agt)_[0-9a-f]{32}\b|\b0x[0-9a-f]{64}\b/g) ?? [])]

/** Waits where the sender has sent too much. */
async function send(place: Place, { operation, role }: Sent, input: Value): Promise<Answer> {
  const once = () => deliver(place, operation, operation.request(place, role, input))
  for (let tries = 0; ; tries++) {
    const answer = await once()
    if (!(answer.status === 429 || /rate\.exceeded/.test(answer.text)) || tries >= 3) return answer
    await wait(1_000)
  }
}

/** What requests bring about; messages and audit rows also come of jobs. */
async function countRows({ installation }: Place): Promise<number[]> {
  const { db } = installation.world.system
  return Promise.all([db.goal.count(), db.artifact.count(), db.task.count(), db.call.count(), db.channel.count(), db.listing.count()])
}

/** Each single place but the key with another valid value, and each list and record that was left out with something in it. */
function changesOf({ operation, positions, key, base }: Sent): { at: string; input: Value }[] {
  const isAbout = ({ path, value }: Position) =>
    key.length === 0 && (kindOf(String(value)) !== null || /_id$|_ids|^(seq|version|steps?|handle)\b/.test(placeName(path)))
  const inner = positions.filter(
    (one) =>
      one.path.length > 0 &&
      placeName(one.path) !== placeName(key) &&
      !isFixed(one.path) &&
      !isAbout(one) &&
      !isUncompared(operation, one.path),
  )
  const added = positions
    .flatMap(({ path, value, schema }) => addedTo(path, value, schema))
    .filter(({ path }) => !isFixed(path) && !isUncompared(operation, path))
  const seen = new Set<string>()
  const changed = inner.flatMap(({ path, value, schema }) => {
    const at = placeName(path)
    if (seen.has(at)) return []
    seen.add(at)
    return otherValues(at, value, schema).map((other) => ({ at, input: replaceAt(base, path, () => other) }))
  })
  const more = added.map(({ path, value }) => ({ at: `added ${placeName(path)}`, input: withAdded(base, path, value) }))
  return [...changed, ...more]
}

/** What the schema of a tree allows and the tree has not. Other kinds of values may equal their default. */
function addedTo(path: Path, tree: Value, { properties = {} }: Position['schema']): { path: Path; value: Value }[] {
  if (!isTree(tree)) return []
  const added = (name: string, { type, additionalProperties, properties: inner }: Position['schema']): Value | null => {
    if (/(attachments|artifacts)$/.test(name) && type === 'array') return [textUpload('One more file.')]
    return type === 'object' && inner === undefined && additionalProperties !== undefined ? { more: 'x' } : null
  }
  return Object.entries(properties).flatMap(([name, schema]) => {
    const value = Object.hasOwn(tree, name) ? null : added(name, schema)
    return value === null ? [] : [{ path: [...path, name], value }]
  })
}

const withAdded = (base: Value, path: Path, value: Value): Value =>
  replaceAt(base, path.slice(0, -1), (tree) => (isTree(tree) ? { ...tree, [String(path.at(-1))]: value } : tree))

/** By SPEC.md, a message is compared without its signature; of the envelope of another command only the parts are compared. */
function isUncompared(operation: Operation, path: Path): boolean {
  const place = placeName(path)
  if (/(^|\.)envelope\.sig\b/.test(place)) return true
  return !/message\.post$/.test(plainName(operation)) && /(^|\.)envelope(?!\.parts)/.test(place)
}

/** They are of the message around it, or prove that its sender wants it now. */
const isFixed = (path: Path) =>
  /^(jsonrpc|id|method|params|params\.(name|arguments|_meta.*|message)|params\.message\.(role|parts))$|^type$|_meta|\.kind$|parts\[\]\.data$|(^|\.)(signature|valid_before)$/.test(
    placeName(path),
  )

function otherValues(at: string, value: Value, schema: Position['schema']): Value[] {
  if (schema.const !== undefined) return []
  if (schema.enum) return schema.enum.filter((word) => word !== value).slice(0, 1)
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1 <= (schema.maximum ?? Number.POSITIVE_INFINITY) ? value + 1 : value - 1]
  if (typeof value === 'string') return otherText(value, schema)
  if (Array.isArray(value)) return otherLists(at, value)
  return isTree(value) && Object.keys(value).length > 0 && Object.hasOwn(schema, 'additionalProperties')
    ? [{ ...value, more: 'x' } as Tree]
    : []
}

function otherText(value: string, schema: Position['schema']): Value[] {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return [new Date(Date.parse(value) + 3_600_000).toISOString()]
  if (/^[1-9]\d*$/.test(value)) return [String(BigInt(value) * 2n), String(BigInt(value) + 1n)]
  // Base64 of a file.
  if (/^[A-Za-z0-9+/]{8,}={0,2}$/.test(value) && value.length % 4 === 0) return [Buffer.from('Other bytes.').toString('base64')]
  if (/[0-9a-f]{32}$/.test(value)) return [value.replace(/[0-9a-f]$/, (last) => (last === '0' ? '1' : '0'))]
  return schema.pattern === undefined && schema.format === undefined ? [`${value} More.`] : [`${value}x`]
}

function otherLists(at: string, value: readonly Value[]): Value[] {
  const isOfFiles = /(attachments|artifacts)$/.test(at)
  const first = value[0]
  return [
    ...(value.length > 0 ? [[]] : []),
    ...(isOfFiles ? [[...value, textUpload('One more file.')]] : first === undefined ? [] : [[...value, first]]),
  ]
}

export const changedRepeats: Attack = { name: 'repeats with one part changed', run: repeatAll }
