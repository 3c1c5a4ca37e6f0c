/** Reads what everybody reads, after something was written: pages, lists, and what the written thing appears in. */

import type { Role } from '../ground/cast.ts'
import { type Answer, ask, shownBy } from '../ground/http.ts'
import { slowness } from '../ground/slowness.ts'
import { jsonInUrl, type Operation, type Place, webRequest } from '../operations/operations.ts'
import { plainVisits } from '../operations/pages.ts'
import { deliver } from './deliver.ts'
import { answerFaults, type Fault, leakFaults, limits, lookAt } from './oracles.ts'
import { readFiles } from './read-files.ts'

export type Read = { readonly name: string; readonly role: Role; readonly path: string }

const query = (procedure: string, input: object) => `/api/trpc/${procedure}?input=${jsonInUrl({ json: input as never })}`

/** Where things of these ids are shown, to who wrote them. `ids`: found in a request and its answer. */
export function readsOf(ids: readonly string[], turn: number, role: Role): Read[] {
  const reads = ids.flatMap((id): Omit<Read, 'role'>[] => {
    if (id.startsWith('gol_'))
      return [
        { name: 'page:/goals/[id]', path: `/goals/${id}` },
        { name: 'trpc:goals.getPage', path: query('goals.getPage', { goal_id: id }) },
      ]
    if (id.startsWith('rom_')) return [{ name: 'trpc:conversations.list', path: query('conversations.list', { room_id: id, limit: 500 }) }]
    if (id.startsWith('agt_'))
      return [
        { name: 'trpc:registry.get', path: query('registry.get', { agent: id }) },
        { name: 'page:/agents/[handle]', path: `/agents/${id}` },
      ]
    return []
  })
  const lists = [
    { name: 'trpc:goals.list', path: query('goals.list', { limit: 100 }) },
    { name: 'trpc:registry.discover', path: query('registry.discover', { limit: 100 }) },
    { name: 'page:/goals', path: '/goals' },
    { name: 'page:/agents', path: '/agents' },
    { name: 'trpc:memory.read', path: query('memory.read', {}).replace(/\?.*/, '') },
    { name: 'page:/', path: '/' },
    { name: 'trpc:market.getOverview', path: '/api/trpc/market.getOverview' },
  ]
  const list = lists[turn % lists.length]
  return [...reads, ...(list ? [list] : [])].map((one) => ({ ...one, role }))
}

/** The files of a goal that an answer names. */
export function filesIn({ role, path }: Read, text: string): Read[] {
  const goalId = /gol_[0-9a-f]{32}/.exec(path)?.[0]
  if (!goalId) return []
  const hashes = new Set([...text.matchAll(/sha256\\?":\\?"([0-9a-f]{64})/g)].map(([, hash]) => String(hash)))
  return [...hashes].slice(0, 2).map((hash) => ({ name: 'page:/api/artifacts', role, path: `/api/artifacts/${goalId}/${hash}` }))
}

export function idsIn(text: string): string[] {
  return [...new Set(text.match(/\b(gol|rom|agt)_[0-9a-f]{32}\b/g) ?? [])].slice(0, 4)
}

/** Its client looks at the private goal, so that whatever a process keeps of that is there when others ask. */
export async function readHidden(place: Place): Promise<void> {
  const { id, roomId } = place.scene.goals.hidden
  const paths = [
    `/goals/${id}`,
    query('goals.get', { goal_id: id }),
    query('goals.getPage', { goal_id: id }),
    query('goals.list', { mine: true, limit: 100 }),
    query('conversations.list', { room_id: roomId, limit: 100 }),
  ]
  for (const path of paths) await ask(webRequest(place, 'client', 'GET', path))
}

/** Reads once more where it took too long: other work of the machine is no fault. */
export async function readOne(place: Place, read: Read, forLonger = 2): Promise<{ answer: Answer; faults: Fault[] }> {
  const { installation } = place
  const before = await lookAt(installation)
  const answer = await ask(webRequest(place, read.role, 'GET', read.path))
  const after = await lookAt(installation)
  const worked = after.web.workedMs - before.web.workedMs
  const faults = [...answerFaults(read.name, answer), ...leakFaults(read.name, place, read.role, read.path, shownBy(answer))]
  const isSlow = answer.ms > limits.pageMs * slowness() || worked > limits.workMs
  if (isSlow && forLonger > 0) return readOne(place, read, forLonger - 1)
  if (isSlow)
    faults.push({
      oracle: 'pages within a second',
      subject: read.name,
      detail: `${Math.round(answer.ms)} ms, ${Math.round(worked)} ms of them work`,
    })
  return { answer, faults: faults.map((fault) => ({ ...fault, isLasting: true })) }
}

/** Every page and every list as each role; `only` some of the roles, where time is short. */
export async function sweep(
  place: Place,
  operations: readonly Operation[],
  roles: readonly Role[],
  product?: string,
): Promise<{ faults: (Fault & { read: Read })[]; reads: number }> {
  const faults: (Fault & { read: Read })[] = []
  let reads = 0
  for (const role of roles) {
    const visits = plainVisits(product, place).map(({ name, path }): Read => ({ name: `page:${name}`, role, path }))
    for (const visit of visits) {
      reads++
      for (const fault of (await readOne(place, visit)).faults) faults.push({ ...fault, read: visit })
    }
    for (const operation of operations) {
      if (!operation.isReading || operation.isStream || operation.variant || !/^(trpc|hub):/.test(operation.name)) continue
      if (!operation.roles.includes(role)) continue
      reads++
      const input = await operation.base(place, role)
      const request = operation.request(place, role, input)
      const answer = await deliver(place, operation, request)
      const sent = JSON.stringify(input)
      const found = [...answerFaults(operation.name, answer), ...leakFaults(operation.name, place, role, sent, shownBy(answer))]
      const read: Read = { name: operation.name, role, path: operation.name }
      for (const fault of found) faults.push({ ...fault, isLasting: true, read })
    }
  }
  const files = await readFiles(place, operations, roles)
  faults.push(...files.faults.map(({ role, ...fault }) => ({ ...fault, read: { name: fault.subject, role, path: fault.subject } })))
  return { faults, reads: reads + files.reads }
}
