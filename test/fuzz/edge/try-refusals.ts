/**
 * What the schema forbids has to be refused. It is sent many at a time: nothing is stored, so there is nothing to read after each, and no
 * case depends on another.
 */
import type { Answer } from '../ground/http.ts'
import { ask, shownBy } from '../ground/http.ts'
import { writeJson } from '../inputs/json-text.ts'
import { describeRequest, type Place } from '../operations/operations.ts'
import { type Case, nameOf, requestOf } from './cases.ts'
import { answerFaults, authorityFaults, leakFaults, limits, lookAt, processFaults } from './oracles.ts'
import { isOver, note, type Run } from './state.ts'
import { tryCase } from './try-case.ts'

/** Requests at a time. */
const width = 12

/** Costs so much that it has to be measured alone, or changes the message in ways that are no matter of its content. */
const isHeavy = ({ name, group }: Case['mutation']) =>
  group === 'huge' || /^wire/.test(group) || /nested-|20000|400000|megabyte|ten-thousand/.test(name)

/** `false`: it is sent in the usual way. Frames of a socket are answered in turn, so they are not sent together. */
export function isRefusal({ operation, mutation, place }: Case): boolean {
  if (operation.isStream || isHeavy(mutation) || mutation.parts || place.startsWith('(') || operation.name.startsWith('socket:'))
    return false
  if (operation.name.startsWith('frame:') || operation.name.startsWith('page:')) return false
  return !mutation.isWithin
}

/** Sends them, a dozen at a time, until they are done or the time is up. */
export async function tryRefusals(run: Run, place: Place, cases: readonly Case[], until: number): Promise<void> {
  const waiting = cases.filter((one) => !run.refused.has(nameOf(one)))
  for (let at = 0; at < waiting.length && Date.now() < until && !isOver(run) && !run.isPoisoned; at += width)
    await together(run, place, waiting.slice(at, at + width))
}

async function together(run: Run, place: Place, cases: readonly Case[]): Promise<void> {
  const before = await lookAt(run.installation)
  const answers = await Promise.all(cases.map((one) => send(place, one).catch(() => null)))
  const { faults } = await processFaults(run.installation, `${cases.length} requests at a time`, before)
  const again: Case[] = []
  for (const [index, sent] of answers.entries()) {
    const one = cases[index]
    if (!one || !sent) continue
    run.refused.add(nameOf(one))
    run.coverage.note(one, sent.answer.status)
    const found = faultsOf(one, place, sent)
    for (const fault of found) note(run, fault, nameOf(one), sent.text)
    if (found.length === 0 && isAccepted(sent.answer.status) && !one.operation.isReading) again.push(one)
  }
  // Which of them it was, and what becomes of what was accepted, shows only alone.
  const isBroken =
    faults.some(({ oracle }) => !oracle.startsWith('bounded work')) || faults.some(({ detail }) => msOf(detail) > limits.workMs)
  const alone = isBroken ? cases : again
  const known = run.findings.size
  run.looks = null
  for (const one of alone) await tryAlone(run, place, one)
  const logged = faults.filter(({ oracle }) => !oracle.startsWith('bounded work'))
  if (run.findings.size === known) for (const fault of logged) note(run, fault, cases.map(nameOf).join('; '), '')
}

const msOf = (detail: string) => Number(/^(\d+) ms/.exec(detail)?.[1] ?? 0)
const isAccepted = (status: number) => status >= 200 && status < 300

type Sent = { readonly answer: Answer; readonly text: string; readonly input: string }
async function send(place: Place, one: Case): Promise<Sent | null> {
  const { request, input } = await requestOf(one, place)
  if ('frame' in request) return null
  return { answer: await ask(request), text: describeRequest(request), input: JSON.stringify(input) ?? '' }
}

function faultsOf(one: Case, place: Place, { answer, input }: Sent) {
  const { operation, role } = one
  return [
    ...answerFaults(operation.name, answer),
    ...leakFaults(operation.name, place, role, input, shownBy(answer)),
    ...authorityFaults(operation, role, answer.status),
  ]
}

/** The product's own schema is the promise: what it forbids is refused, whatever else is right about the request. */
async function tryAlone(run: Run, place: Place, one: Case): Promise<void> {
  const { status } = await tryCase(run, place, one)
  if (!isAccepted(status) || !one.mutation.isForbidden || one.operation.isReading || !/^(command|trpc|hub):/.test(one.operation.name))
    return
  const base = await one.operation.base(place, one.role)
  // The place may be missing this time, so that nothing was changed.
  if (writeJson(one.mutation.apply(base)) === writeJson(base)) return
  const { request } = await requestOf(one, place)
  const detail = `${one.place} | ${one.mutation.name} is accepted (${status})`
  note(run, { oracle: 'what the schema forbids is refused', subject: one.operation.name, detail }, nameOf(one), describeRequest(request))
}
