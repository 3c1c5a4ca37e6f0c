import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../../server/embedded/processes/run-script.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { readOne } from '../edge/read-pages-and-lists.ts'
import { ask, type Request } from '../ground/http.ts'
import { replaceAt, type Tree, type Value } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { jsonInUrl, type Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, pause, run } from './request-helpers.ts'

type Kind = { readonly kind: string; readonly fields: readonly string[] }

/** A reader that expects another shape fails on one of these. */
const shapes: readonly Value[] = [null, 'text', 5, true, {}, [], [null], [[]], [5], { a: null }]
/** An object that is no text, though each of its methods for one is there. */
const noText: Tree = { toString: 'x', valueOf: 'x', toJSON: 'x', length: 1e9 }
const partsPerMessage = 12
const maxTries = 20

/** The kinds of messages by SPEC.md, with the fields that readers look for. */
export function kindsInSpec(): Kind[] {
  const spec = readFileSync(path.join(root, 'protocol', 'SPEC.md'), 'utf8')
  const section = spec.slice(spec.indexOf('## Messages with a kind')).split('\n## ')[0] ?? ''
  return section.split('\n').flatMap((row) => {
    const [, where = '', kinds = '', , fields = ''] = row.split('|').map((cell) => cell.trim())
    if (!/^(room|inbox|any)$/.test(where)) return []
    const names = [...fields.matchAll(/`([^`]+)`/g)]
      .flatMap(([, list]) => (list ?? '').split(/[,\s]+/))
      .map((name) => name.replace('?', ''))
    return [...kinds.matchAll(/`([\w.]+)`/g)].map(([, kind]) => ({ kind: kind ?? '', fields: names.filter((name) => /^\w+$/.test(name)) }))
  })
}

/** An agent posts data of each kind with other shapes than SPEC.md gives. Each reader of the room shows it or leaves it out. */
async function postKinds(place: Place): Promise<Fault[]> {
  const { id, roomId } = place.scene.goals.work
  const kinds = kindsInSpec()
  const inner = Object.fromEntries([...new Set(['text', 'name', ...kinds.flatMap(({ fields }) => fields)])].map((field) => [field, noText]))
  const parts = kinds.flatMap(({ kind, fields }) =>
    [...shapes, noText, [noText], inner, [inner]].map(
      (shape): Tree => ({ data: { ...Object.fromEntries(fields.map((field) => [field, shape])), kind } }),
    ),
  )
  if (parts.length === 0) return [fault('kinds of messages', 'protocol/SPEC.md', 'its table of kinds was not found')]
  for (let at = 0; at < parts.length; at += partsPerMessage) await post(place, roomId, parts.slice(at, at + partsPerMessage))
  const list = jsonInUrl({ json: { room_id: roomId, limit: 500 } })
  const paths = ['', '/transcript', '/transcript.csv', '/transcript.jsonl', '/payouts', '/invoice', `/rooms/${roomId}`]
  const reads = [
    ...paths.map((end) => ({ name: `page:/goals/[id]${end.replace(roomId, '[room]')}`, path: `/goals/${id}${end}` })),
    { name: 'trpc:conversations.list', path: `/api/trpc/conversations.list?input=${list}` },
    { name: 'page:/rooms', path: '/rooms' },
  ]
  const faults: Fault[] = []
  for (const read of reads) faults.push(...(await readOne(place, { ...read, role: 'client' })).faults)
  return [...faults, ...(await followAll(place))]
}

/** Long enough for all messages of the room. */
const streamMs = 1_500

/** Each stream from its beginning: every event is JSON, and none is an error. */
async function followAll(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const operation of (await plainOperations(place.installation)).filter(
    ({ isStream, roles }) => isStream && roles.includes('client'),
  )) {
    const base = await Promise.resolve(operation.base(place, 'client')).catch((): Value => null)
    const input = positionsOf(base, operation.schema).reduce<Value>(
      (value, { path: at }) => (at.at(-1) === 'after' ? replaceAt(value, at, () => 0) : value),
      base,
    )
    const request = operation.request(place, 'client', input) as Request
    const headers = { ...request.headers, ...(request.url.includes('/v1/a2a') && { 'last-event-id': '0' }) }
    const answer = await ask({ ...request, headers }, { isStream: true, streamMs })
    faults.push(...answerFaults(operation.name, answer))
    const events = answer.text.split(/\r?\n\r?\n/).slice(0, -1)
    const broken = events.find((event) => !isEvent(event))
    if (broken !== undefined) faults.push(fault('streams stay readable', operation.name, broken.slice(0, 300)))
  }
  return faults
}

/** Lines of a name and a value; the data is empty or JSON. */
function isEvent(event: string): boolean {
  const lines = event.split(/\r?\n/)
  if (!lines.every((line) => line === '' || /^(:|(data|id|event|retry)(:|$))/.test(line))) return false
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : [])).join('\n')
  try {
    return data.trim() === '' || JSON.parse(data) !== undefined
  } catch {
    return false
  }
}

/** Waits if the sender has posted too much. What is refused together, for its size or for one part, is sent in halves. */
async function post(place: Place, roomId: string, parts: readonly Tree[]): Promise<void> {
  const command = { type: 'message.post', room_id: roomId, act: 'discussion', parts: [{ text: 'Data.' }, ...parts] }
  for (let tries = 0; tries < maxTries; tries++) {
    const answer = await run(place, 'helper', command)
    if (isTaken(answer)) return
    if (answer.status !== 429) break
    await pause(1_000)
  }
  if (parts.length < 2) return
  const middle = Math.ceil(parts.length / 2)
  await post(place, roomId, parts.slice(0, middle))
  await post(place, roomId, parts.slice(middle))
}

export const messageKinds: Attack = { name: 'kinds of messages', run: postKinds }
