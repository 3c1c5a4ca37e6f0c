/** One case, from the request to all that has to hold of it and after it. */
import { type Request, shownBy } from '../ground/http.ts'
import { narrowed } from '../inputs/mutations.ts'
import { describeRequest, type FrameRequest, isPerson, type Place } from '../operations/operations.ts'
import { type Case, nameOf, requestOf } from './cases.ts'
import { deliver } from './deliver.ts'
import {
  answerFaults,
  authorityFaults,
  boundFaults,
  leakFaults,
  limits,
  lookAt,
  overheardFaults,
  processFaults,
  sizeFaults,
} from './oracles.ts'
import { filesIn, idsIn, readOne, readsOf } from './read-pages-and-lists.ts'
import { note, type Run } from './state.ts'

/** So often a change of several places is sent, with fewer of them each time that it is refused. */
const maxNarrowed = 10

/**
 * As `tryCase`; what is refused at one place of several is sent again without it, so that the others get as far as they can. Resolves to
 * the last status.
 */
export async function tryNarrowed(run: Run, place: Place, one: Case): Promise<number> {
  const waiting = [one.mutation]
  let last = 0
  for (let tries = 0; tries < maxNarrowed && !run.isPoisoned; tries++) {
    const mutation = waiting.shift()
    if (!mutation) break
    const tried = await tryCase(run, place, { ...one, mutation })
    last = tried.status
    if (/^(400|409|413|422)$/.test(String(last)) && !one.operation.isReading) waiting.push(...narrowed(mutation, tried.fields))
  }
  return last
}

/** `fields`: the places that the problem names. */
export type Tried = { readonly status: number; readonly fields: readonly string[] }

/** Sends it, and looks at everything that has to hold. */
export async function tryCase(run: Run, place: Place, one: Case): Promise<Tried> {
  const { installation } = place
  const name = nameOf(one)
  const { request, input } = await requestOf(one, place)
  const text = describeRequest(request)
  const before = run.looks ?? (await lookAt(installation))
  run.looks = null
  const times = one.mutation.name === 'filled' && !one.operation.isReading ? 6 : 1
  const answer = await deliver(place, one.operation, request)
  run.coverage.note(one, answer.status)
  const { faults: inProcesses, after } = await processFaults(installation, one.operation.name, before)
  const slow = inProcesses.filter(({ oracle }) => oracle.startsWith('bounded work'))
  // Other work of the processes may have fallen into it: only what is slow again was its own.
  const isSlow = slow.length > 0 && (await isSlowAgain(place, one))
  const sent = 'frame' in request ? request.frame : `${request.url} ${request.body?.toString('utf8') ?? ''}`
  const faults = [
    ...answerFaults(one.operation.name, answer),
    ...(isSafe(request) ? [] : authorityFaults(one.operation, one.role, answer.status)),
    ...leakFaults(one.operation.name, place, one.role, sent, shownBy(answer)),
    ...overheardFaults(place, answer, sent),
    ...sizeFaults(answer),
    ...boundFaults(one.operation, one.place, one.mutation.name, answer.text.includes('"isError":true') ? 0 : answer.status),
    ...inProcesses.filter((fault) => isSlow || !slow.includes(fault)),
  ]
  for (const fault of faults) note(run, fault, name, text)
  const tried = { status: answer.status, fields: fieldsIn(answer.text) }
  if (answer.status < 200 || answer.status >= 300 || one.operation.isReading || one.mutation.group === 'none') {
    run.looks = slow.length > 0 ? null : after
    return tried
  }
  for (let again = 1; again < times; again++) await deliver(place, one.operation, (await requestOf(one, place)).request)
  await readBack(run, place, one, {
    text,
    ids: idsIn(`${answer.text} ${typeof input === 'object' ? JSON.stringify(input).slice(0, 4_000) : ''}`),
  })
  return tried
}

const fieldsIn = (text: string): string[] =>
  [...text.matchAll(/"field":"([^"\\]{1,200})"|→ at ([\w.[\]]{1,200})/g)].flatMap(([, field, at]) => field ?? at ?? [])

/** By the meaning of its method it changes nothing, whatever is at the address. */
const isSafe = (request: Request | FrameRequest) => 'method' in request && /^(HEAD|OPTIONS)$/.test(request.method)

async function isSlowAgain(place: Place, one: Case): Promise<boolean> {
  const before = await lookAt(place.installation)
  await deliver(place, one.operation, (await requestOf(one, place)).request)
  const after = await lookAt(place.installation)
  return (['web', 'hub'] as const).some((name) => after[name].workedMs - before[name].workedMs > limits.workMs)
}

/** Whatever was taken has to be readable wherever it is shown, files included. */
async function readBack(run: Run, place: Place, one: Case, { text, ids }: { text: string; ids: readonly string[] }): Promise<void> {
  const waiting = readsOf(ids, run.reads, isPerson(one.role) ? one.role : 'client')
  const seen = new Set<string>()
  for (let read = waiting.shift(); read; read = waiting.shift()) {
    if (seen.has(read.path)) continue
    seen.add(read.path)
    run.reads++
    const { answer, faults } = await readOne(place, read)
    waiting.push(...filesIn(read, answer.text))
    for (const fault of faults) {
      note(run, { ...fault, subject: `${fault.subject} after ${one.operation.name}` }, nameOf(one), text)
      run.isPoisoned = true
    }
  }
}
