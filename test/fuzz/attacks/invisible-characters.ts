import { randomBytes } from 'node:crypto'
import { deliver } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import type { Role } from '../ground/cast.ts'
import { type Answer, ask, shownBy } from '../ground/http.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { type Path, placeName, positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { isDestructive, type Operation, type Place, webRequest } from '../operations/operations.ts'
import { plainVisits } from '../operations/pages.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, isTaken } from './request-helpers.ts'

/** One of each kind that is not seen: ignorable letters and marks, selectors, formatting, directions, tags, blanks, private use. */
const unseen = [
  ...['\u034f', '\u115f', '\u17b4', '\u180b', '\ufe00', '\u{e0100}', '\u3164', '\u2800'],
  ...['\u200b', '\u00ad', '\u2060', '\u202e', '\u2066', '\u{e0041}', '\ue000', '\u{f0000}'],
]
const named = /^(name|title|label|handle|nickname|alias|(user|display|full)_?name|user_?agent)$/i
const atOnce = 4

type Sent = { readonly where: string; readonly mark: string; readonly letters: readonly string[] }

/** A name whose words stand nowhere else, with each letter between two of them. */
const nameWith = (mark: string, letters: readonly string[]) =>
  letters.reduce((text, letter, at) => `${text}${letter}${at}${mark}`, `n${mark}`)

/** Every name at every entrance: refused, or without what is not seen wherever it is shown later. */
async function hideAll(place: Place): Promise<Fault[]> {
  const operations = await plainOperations(place.installation)
  const sent: Sent[] = []
  const waiting = operations.filter((one) => /^(trpc|command|hub|mcp|a2a):/.test(one.name) && !one.isStream && !isDestructive(one))
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) sent.push(...(await nameAll(place, one)))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (sent.length === 0) return [fault('names show what they are', 'the attack', 'no name was taken anywhere')]
  return shownFaults(place, operations, sent)
}

/** What was taken of the names of one operation; also of the name that the client's program has. */
async function nameAll(place: Place, operation: Operation): Promise<Sent[]> {
  const role = entitledOf(operation)?.as ?? operation.roles[0]
  if (role === undefined || !operation.roles.includes(role)) return []
  const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const paths = positionsOf(base, operation.schema).flatMap(({ path, value }) =>
    typeof value === 'string' && named.test(String(path.at(-1))) ? [path] : [],
  )
  const isLogin = /signIn|\/tokens/.test(operation.name)
  const all: (Path | null)[] = isLogin ? [...paths, null] : paths
  const sent: Sent[] = []
  for (const path of all) {
    const together = await nameOne(place, operation, role, path, unseen)
    sent.push(...together)
    // One that is refused refuses all of them.
    if (together.length === 0) for (const letter of unseen) sent.push(...(await nameOne(place, operation, role, path, [letter])))
  }
  return sent
}

async function nameOne(place: Place, operation: Operation, role: Role, path: Path | null, letters: readonly string[]): Promise<Sent[]> {
  const mark = randomBytes(3).toString('hex')
  const text = nameWith(mark, letters)
  const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const request = operation.request(place, role, path === null ? base : replaceAt(base, path, () => text))
  if ('frame' in request) return []
  const bytes = Buffer.from(text).toString('latin1')
  const answer = await ask(path === null ? { ...request, headers: { ...request.headers, 'user-agent': bytes } } : request)
  return isTaken(answer) ? [{ where: `${operation.name} ${path === null ? 'user-agent' : placeName(path)}`, mark, letters }] : []
}

const readers: readonly Role[] = ['client', 'publisher', 'stranger', 'operator', 'helper', 'worker', 'anonymous']

/** Reads each list and page as each role. */
async function shownFaults(place: Place, operations: readonly Operation[], sent: readonly Sent[]): Promise<Fault[]> {
  const faults = new Map<string, Fault>()
  const look = (subject: string, answer: Answer) => {
    const text = shownBy(answer).replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    for (const { where, mark, letters } of sent.filter((one) => text.includes(one.mark)))
      for (const letter of letters.filter((one) => text.includes(`${mark}${one}`))) {
        const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase()
        if (!faults.has(where)) faults.set(where, fault('names show what they are', where, `U+${code} is shown by ${subject}`))
      }
  }
  const own: Place = { ...place, lines: {} }
  for (const role of readers) {
    for (const operation of operations.filter((one) => one.isReading && !one.isStream && one.roles.includes(role))) {
      if (/^(socket|frame|page):/.test(operation.name)) continue
      const input = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
      look(operation.name, await deliver(own, operation, operation.request(place, role, input)))
    }
    for (const { name, path } of plainVisits(undefined, place)) look(name, await ask(webRequest(place, role, 'GET', path)))
  }
  return [...faults.values()]
}

export const hiddenNames: Attack = { name: 'names at every entrance', run: hideAll }
