import { createHash, randomBytes } from 'node:crypto'
import { deliver, lineOf } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { openSession, personIn, type Role } from '../ground/cast.ts'
import { type Answer, ask, type Request } from '../ground/http.ts'
import { isTree, replaceAt, type Tree, type Value } from '../inputs/json-text.ts'
import { type Path, positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import { isAgent, isPerson, type Operation, type Place, webRequest } from '../operations/operations.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

/** What a response header cannot hold, or reads as its own syntax. */
const letters: readonly string[] = [
  ...['€', '報', '😀', 'é', '\u0080', '\u00a0', '\u2028', '\ufeff', '\u202e', '\ud800'],
  ...['\r\nx-injected: 1', '\n', '\r', '\t', '\0', '\u001f', '\u007f'],
  ...['"', "'", '\\', ';', ',', '%', '%0d%0a', '=', ' ', '<', '(', '/'],
]
/** Where in a text of each kind the letter stands. */
const shapes: { readonly [field: string]: readonly ((letter: string) => string)[] } = {
  media_type: [
    (letter) => `text/plain; a="${letter}"`,
    (letter) => `text/plain; a="b${letter}c"; charset=utf-8`,
    (letter) => `text/plain;${letter}a=b`,
    (letter) => `text/plain; a=${letter}`,
    (letter) => `text/plain; ${letter}=a`,
    (letter) => `text/pl${letter}ain`,
    (letter) => `te${letter}xt/plain`,
    (letter) => `text/plain${letter}`,
    (letter) => `image/png; name=${letter.repeat(40)}`,
  ],
  name: [(letter) => `na${letter}me.txt`, (letter) => `${letter}.txt`, (letter) => `"${letter}`, (letter) => letter.repeat(30)],
  artifact_type: [(letter) => `text.${letter}`, (letter) => letter.repeat(20)],
}
/** Whole texts. */
const odd: { readonly [field: string]: readonly string[] } = {
  media_type: [
    ...['', ' ', 'text', '/', 'text/', '/plain', '*/*', 'text/plain;', 'text/plain; charset="', 'text/plain, text/html', 'TEXT/PLAIN'],
    ...['text/plain; charset=utf-8; charset=x', 'text/plain; charset=\u00fcnicode', `x/${'y'.repeat(118)}`, `x/${'報'.repeat(118)}`],
    ...['multipart/mixed; boundary="a b"', 'text/html; a=</script>', 'text/plain; ; ;', 'text/plain;a', 'text/plain; a=b; A=c'],
  ],
  name: [
    '.',
    '..',
    'a/../b',
    'a\\b',
    `${'報'.repeat(119)}`,
    `${'a'.repeat(120)}`,
    "UTF-8''x",
    'x; filename=y',
    '%',
    '%zz.txt',
    '=?utf-8?q?x?=',
  ],
  artifact_type: ['', `${'報'.repeat(80)}`],
}

/** An upload of one operation: where its file stands. */
type Entrance = { readonly operation: Operation; readonly role: Role; readonly file: Path }
/** `reader`: who may read the file. */
type Sent = { readonly answer: Answer; readonly sha256: string; readonly place: Place; readonly reader: Role }

async function entrancesOf(place: Place): Promise<Entrance[]> {
  const found: Entrance[] = []
  for (const operation of await plainOperations(place.installation)) {
    if (operation.isReading || operation.isClosed || !/^(trpc|command|socket):/.test(operation.name)) continue
    const as = entitledOf(operation)?.as
    const role = as !== undefined && operation.roles.includes(as) ? as : operation.roles[0]
    if (role === undefined) continue
    const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
    const file = positionsOf(base, operation.schema).find(({ value }) => isTree(value) && 'media_type' in value && 'content' in value)
    if (file) found.push({ operation, role, file: file.path })
  }
  return found
}

/** Enough for an entrance after the first: one of each kind that breaks. */
const few = new Set(['€', '\u2028', '\ufeff', '\r\nx-injected: 1', '"', '\ud800', '\0', 'é'])
function textsOf(field: string, isFirst: boolean): string[] {
  const used = letters.filter((letter) => isFirst || few.has(letter))
  return [...(odd[field] ?? []), ...(shapes[field] ?? []).flatMap((make) => used.map(make))]
}
const workers = 6
/** So many accepted texts of one field are read back at each entrance; uploads of one sender are limited. */
const maxTaken = 16

/** A text of a file that is accepted does no harm in the headers of any answer that serves the file. */
async function uploadAll(place: Place): Promise<Fault[]> {
  const own: Place = { ...place, lines: {} }
  const faults = new Map<string, Fault>()
  const entrances = await entrancesOf(own)
  let taken = 0
  for (const entrance of entrances)
    for (const field of Object.keys(shapes)) {
      const waiting = textsOf(field, entrance === entrances[0])
      let [left, from] = [maxTaken, own]
      let base: Value = null
      const work = async () => {
        for (let text = waiting.shift(); text !== undefined && left > 0; text = waiting.shift()) {
          base ??= await baseOf(from, entrance)
          let sent = await upload(from, entrance, base, [field, text])
          if (sent.answer.status === 429) {
            from = await another(from, entrance)
            sent = await upload(from, entrance, await baseOf(from, entrance), [field, text])
          }
          // What was taken is used up.
          if (sent.answer.status < 300) base = null
          for (const found of answerFaults(entrance.operation.name, sent.answer)) faults.set(`${found.oracle} ${found.subject}`, found)
          if (sent.answer.status >= 300 || sent.answer.status === 0) continue
          left--
          taken++
          for (const found of await readFile(sent, left % 8 === 0))
            faults.set(`${found.oracle} ${found.subject}`, { ...found, detail: `${JSON.stringify(text)}: ${found.detail}` })
        }
      }
      // Frames of a socket are answered in turn.
      await Promise.all(Array.from({ length: entrance.operation.name.startsWith('socket:') ? 1 : workers }, work))
    }
  for (const line of Object.values(own.lines)) line.close()
  if (taken === 0) faults.set('', fault('texts in headers', 'the attack', `no file was taken at ${entrances.length} operations`))
  return [...faults.values()]
}

const baseOf = async (place: Place, { operation, role }: Entrance): Promise<Value> =>
  Promise.resolve(operation.base(place, role)).catch((): Value => null)

/** With bytes that no other file has. */
async function upload(
  place: Place,
  { operation, role, file }: Entrance,
  base: Value,
  [field, text]: readonly [string, string],
): Promise<Sent> {
  const bytes = Buffer.from(`A file of ${randomBytes(8).toString('hex')}.`)
  const changed = replaceAt(base, file, (old) => ({ ...(isTree(old) ? old : {}), content: bytes.toString('base64'), [field]: text }))
  // It is asked for once again: the first is in the way of the second.
  const request = operation.request(place, role, withoutFollowing(changed))
  if ('frame' in request) await lineOf(place, request.role)
  const answer = await deliver({ ...place, lines: 'frame' in request ? place.lines : {} }, operation, request)
  return { answer, place, reader: isPerson(role) ? role : 'client', sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** A goal that follows another needs its client. */
function withoutFollowing(input: Value): Value {
  const { goal, ...rest }: Tree = isTree(input) ? input : {}
  if (!isTree(goal)) return input
  const { follows: _, ...others }: Tree = goal
  return { ...rest, goal: others }
}

/** A sender who has sent nothing yet, where any person may send it. */
async function another(place: Place, { role }: Entrance): Promise<Place> {
  const { installation, scene } = place
  if (isAgent(role) || !isPerson(role)) {
    await pause(1_000)
    return place
  }
  const person = await personIn(installation.world, 0n)
  return {
    ...place,
    scene: { ...scene, people: { ...scene.people, [role]: { ...person, session: await openSession(installation.world, person) } } },
  }
}

/** By each route and each operation that serves it. */
async function readFile({ sha256, place, reader }: Sent, withPages: boolean): Promise<Fault[]> {
  const { db } = place.installation.world.system
  const [rows, calls] = await Promise.all([
    db.artifact.findMany({ where: { sha256 }, select: { goalId: true } }),
    db.$queryRaw<
      { id: string }[]
    >`select id from call where attachments::text like ${`%${sha256}%`} or artifacts::text like ${`%${sha256}%`}`,
  ])
  const paths = [...rows.map(({ goalId }) => `/api/artifacts/${goalId}/${sha256}`), ...calls.map(({ id }) => `/api/calls/${id}/${sha256}`)]
  const requests: Request[] = paths.flatMap((path) => [
    webRequest(place, reader, 'GET', path),
    webRequest(place, reader, 'GET', `${path}?download`),
    webRequest(place, reader, 'HEAD', path),
  ])
  const pages = !withPages
    ? []
    : [...new Set(rows.map(({ goalId }) => goalId))].flatMap((id) => [`/goals/${id}`, `/goals/${id}/transcript.csv`])
  requests.push(...pages.map((path) => webRequest(place, reader, 'GET', path)))
  const faults: Fault[] = []
  for (const request of requests) {
    const answer = await ask(request)
    const subject = `${request.method} ${new URL(request.url).pathname.replace(/[a-z]{3}_[0-9a-f]{32}|[0-9a-f]{64}/g, '[id]')}`
    faults.push(...answerFaults(subject, answer))
    if (answer.status !== 200 && answer.status !== 429 && !answerFaults(subject, answer).length)
      faults.push(fault('texts in headers', subject, `answered ${answer.status}`))
    if (answer.headers['x-injected'] !== undefined) faults.push(fault('texts in headers', subject, 'the text became a header of its own'))
  }
  return faults
}

export const textsInHeaders: Attack = { name: 'texts in headers', run: uploadAll }
