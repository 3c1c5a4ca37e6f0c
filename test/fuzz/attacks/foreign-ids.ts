import { deliver, lineOf } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { agentIn, openSession, personIn, type Role } from '../ground/cast.ts'
import { type Answer, shownBy } from '../ground/http.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { isTree, replaceAt, type Tree, type Value, writeJson } from '../inputs/json-text.ts'
import { type Path, type Position, placeName, positionsOf } from '../inputs/mutations.ts'
import { compiled, resolved, type Schema } from '../inputs/schema.ts'
import { plainOperations } from '../operations/all.ts'
import type { Operation, Place } from '../operations/operations.ts'
import { recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { fillVault, unknownLike, type Vault } from './private-objects.ts'
import { fault, mutateWithRetry, pause } from './request-helpers.ts'

/** Nobody of these has a part in what is private. */
const outsiders: readonly Role[] = ['anonymous', 'stranger', 'outsider', 'planner']
/** They have a part in some of it: what is not theirs reaches them no more than others. */
const insiders: readonly Role[] = ['client', 'publisher', 'operator', 'lead', 'helper', 'worker']
/** Words that no answer to this role contains. */
const hiddenFrom = ({ secrets, guarded }: Vault, role: Role): readonly string[] =>
  outsiders.includes(role) ? secrets : guarded.flatMap(({ secret, readers }) => (readers.includes(role) ? [] : [secret]))
const atOnce = 8
const maxPersonas = 12

type Asked = { readonly operation: Operation; readonly role: Role; readonly base: Value; readonly positions: readonly Position[] }
/** What one probe puts where. */
type Change = { readonly at: string; readonly isAlone?: boolean; readonly parts: readonly { readonly path: Path; readonly id: string }[] }
/** The stranger's own goal, which an outsider may name beside another's id. */
type Own = { readonly gol: string; readonly rom: string }
type Search = { readonly vault: Vault; readonly own: Own; place: Place; personas: number }

/** Who knows the id of something private is answered as if it did not exist, at every place of every operation. */
async function probe(place: Place): Promise<Fault[]> {
  const vault = await fillVault(place)
  const posted = await mutateWithRetry(place, 'stranger', 'goals.post', await recipes['goals.post']?.(place, 'stranger'))
  const own = { gol: String(posted.goal_id), rom: String(posted.room_id) }
  // Sockets of its own: what the scene's sockets hear is for their agents.
  const search: Search = { vault, own, place: { ...place, lines: {} }, personas: 0 }
  const faults: Fault[] = []
  const operations = await plainOperations(place.installation)
  const overSocket = ({ name }: Operation) => /^(socket|frame):/.test(name)
  const waiting = operations.filter((one) => !overSocket(one))
  const work = async (queue: Operation[]) => {
    for (let one = queue.shift(); one; one = queue.shift())
      for (const role of [...outsiders, ...insiders].filter((known) => isProbedAs(one as Operation, known)))
        faults.push(...(await probeOperation(search, one, role)))
  }
  await Promise.all([...Array.from({ length: atOnce }, () => work(waiting)), work(operations.filter(overSocket))])
  await pause(300)
  for (const [role, line] of Object.entries(search.place.lines)) {
    faults.push(...heardFaults(hiddenFrom(vault, role as Role), role, line.take().join('\n')))
    line.close()
  }
  return faults
}

/** A party of some things only reads. Tools and commands that read take the token of any role. */
const isProbedAs = ({ roles, isReading, isStream, name }: Operation, role: Role) =>
  outsiders.includes(role)
    ? roles.includes(role)
    : isReading && !isStream && (roles.includes(role) || (/^(command|mcp|a2a):/.test(name) && role !== 'worker'))

/** What arrived at a socket without a request for it. */
function heardFaults(secrets: readonly string[], role: string, text: string): Fault[] {
  const heard = secrets.find((secret) => text.includes(secret))
  return heard === undefined ? [] : [fault('foreign ids', `socket of ${role}`, `it was delivered …${around(text, heard)}…`)]
}

const around = (text: string, secret: string) => text.slice(Math.max(0, text.indexOf(secret) - 120), text.indexOf(secret) + 60)

async function probeOperation(search: Search, operation: Operation, role: Role): Promise<Fault[]> {
  const base = await Promise.resolve(operation.base(search.place, role)).catch((): Value => null)
  const positions = positionsOf(base, operation.schema).filter(({ value, path }) => typeof value === 'string' && path.length > 0)
  const asked: Asked = { operation, role, base, positions }
  const faults: Fault[] = [...(await filterFaults(search, asked)), ...(await plainFaults(search, asked))]
  const changes = changesOf(search, asked)
  // A stream of what is public stays open for a while.
  for (const change of operation.isStream ? changes.filter(({ isAlone }) => isAlone) : changes) {
    const found = await probeOnce(search, asked, change)
    faults.push(...found)
    // One finding of an operation is enough.
    if (found.length > 0) break
  }
  return faults
}

/** The list of its own things. */
async function plainFaults(search: Search, asked: Asked): Promise<Fault[]> {
  const { operation, role, base } = asked
  if (outsiders.includes(role)) return []
  const answer = bare(await send(search, asked, base))
  const leaked = hiddenFrom(search.vault, role).find((secret) => answer.includes(secret))
  return leaked === undefined ? [] : [fault('foreign ids', operation.name, `${role} received …${around(answer, leaked)}…`)]
}

/** A filter of a list has to narrow what anybody may see and never widen it: each of its values alone, without other optional filters. */
async function filterFaults(search: Search, asked: Asked): Promise<Fault[]> {
  const { operation, role, base } = asked
  if (!operation.isReading || operation.isStream || !isTree(base)) return []
  const { required = [] } = resolved(operation.schema, operation.schema, base)
  const bareInput: Tree = Object.fromEntries(Object.entries(base).filter(([key]) => required.includes(key)))
  for (const { path, one } of filtersOf(search.vault, operation.schema, bareInput)) {
    const input = replaceAt(bareInput, path.slice(0, -1), (tree) => ({ ...(isTree(tree) ? tree : {}), ...one }))
    const answer = bare(await send(search, asked, input))
    const leaked = hiddenFrom(search.vault, role).find((secret) => answer.includes(secret))
    if (leaked !== undefined) {
      const detail = `${role} received ${JSON.stringify(one)} …${around(answer, leaked)}…`
      return [fault('foreign ids', `${operation.name} ${placeName(path)}`, detail)]
    }
  }
  return []
}

type Filter = { readonly path: Path; readonly one: Tree }
/** Each switch, each word of a list of words and each party, at each tree of the input. */
function filtersOf(vault: Vault, schema: Schema, base: Value): Filter[] {
  return positionsOf(base, schema).flatMap(({ path, schema: at, value }) =>
    isTree(value)
      ? Object.entries(at.properties ?? {}).flatMap(([key, property]) =>
          valuesOf(vault, resolved(property, schema)).map((item): Filter => ({ path: [...path, key], one: { [key]: item } })),
        )
      : [],
  )
}

function valuesOf({ parties }: Vault, property: Schema): readonly Value[] {
  if (property.type === 'boolean') return [true, false]
  if (property.pattern === undefined) return (property.enum ?? []).slice(0, 8)
  const pattern = compiled(property.pattern)
  return parties.filter((id) => pattern?.test(id) ?? false)
}

const named = /(room|group|task|goal|call|channel|after|message|follow)/

/** The private ids that fit a place. */
function idsFor({ ids: hidden, parties }: Vault, { path, schema, value }: Position): string[] {
  const ids = [...hidden, ...parties]
  const kind = kindOf(String(value))
  // The sender's own key of the request.
  if (kind === 'uuid' && /^(id|messageId)$/.test(String(path.at(-1)))) return []
  const pattern = schema.pattern === undefined ? null : compiled(schema.pattern)
  if (kind !== null) return ids.filter((id) => kindOf(id) === kind || (pattern?.test(id) ?? false))
  const isOpen = pattern === null && !schema.enum && !schema.format && named.test(String(path.at(-1)))
  const ofKinds = isOpen ? ids.filter((id) => /^(gol|rom)_/.test(id)) : []
  return [...new Map(ofKinds.map((id) => [kindOf(id), id])).values()]
}

/** Each place alone, each beside the outsider's own goal, and all places together. */
function changesOf({ vault, own }: Search, { positions }: Asked): Change[] {
  const fitting = positions.map((position) => ({ position, ids: idsFor(vault, position) })).filter(({ ids }) => ids.length > 0)
  const alone = fitting.flatMap(({ position: { path }, ids }) =>
    ids.map((id) => ({ at: placeName(path), isAlone: true, parts: [{ path, id }] })),
  )
  if (fitting.length < 2) return alone
  const ownParts = (except: Position) =>
    fitting.flatMap(({ position }) => {
      const kind = kindOf(String(position.value))
      return position !== except && (kind === 'gol' || kind === 'rom') ? [{ path: position.path, id: own[kind] }] : []
    })
  const beside = fitting.flatMap(({ position, ids }) => {
    const others = ownParts(position)
    return others.length === 0
      ? []
      : ids.map((id) => ({ at: `${placeName(position.path)} beside its own goal`, parts: [...others, { path: position.path, id }] }))
  })
  const firsts = fitting.flatMap(({ position: { path }, ids: [id = ''] }) => ({ path, id }))
  const together = fitting.flatMap(({ position, ids }) =>
    ids.slice(0, 4).map((id) => ({
      at: `${placeName(position.path)} and all others`,
      parts: firsts.map((part) => (part.path === position.path ? { path: part.path, id } : part)),
    })),
  )
  return [...alone, ...beside, ...together]
}

/** The first event of a stream is there by then, also on a busy machine. */
const lateMs = 3_000

async function probeOnce(search: Search, asked: Asked, change: Change): Promise<Fault[]> {
  const { operation, role } = asked
  const subject = `${operation.name} ${change.at}`
  const put = (unknown: boolean) =>
    change.parts.reduce(
      (input, { path, id }) => replaceAt(input, path, () => (unknown && isPrivate(search, id) ? unknownLike(id) : id)),
      asked.base,
    )
  const told = await send(search, asked, put(false))
  const [broken] = answerFaults(operation.name, told)
  if (broken) return [broken]
  const sent = writeJson(put(false))
  const leaked = hiddenFrom(search.vault, role).find((secret) => bare(told).includes(secret) && !sent.includes(secret))
  if (leaked !== undefined) return [fault('foreign ids', subject, `${role} received …${around(bare(told), leaked)}…`)]
  // Beside other foreign ids, any of them may be refused first.
  if (change.isAlone !== true || !outsiders.includes(role)) return []
  // SPEC.md names the answer for channels, calls and entries of others: their ids are on a chain, or can't be guessed.
  if (change.parts.every(({ id }) => !isPrivate(search, id) || /^(0x|cal_|ent_)/.test(id))) return []
  const otherwise = await send(search, asked, put(true))
  if (isSame(told, otherwise)) return []
  // Something else may have changed in between, or the first event of a stream was late.
  const [again, otherAgain] = [await send(search, asked, put(false), lateMs), await send(search, asked, put(true), lateMs)]
  if (isSame(again, otherAgain)) return []
  return [fault('foreign ids', subject, `${role}: ${codeOf(again)} where it exists, ${codeOf(otherAgain)} where it does not`)]
}

const isPrivate = ({ vault }: Search, id: string) => vault.ids.includes(id)

/** An answer, and what the files in it say. */
function bare(answer: Answer): string {
  const contents = [...answer.text.matchAll(/"content":"([A-Za-z0-9+/=]+)"/g)].map(([, one = '']) =>
    Buffer.from(one, 'base64').toString('utf8'),
  )
  return `${shownBy(answer)} ${contents.join(' ')}`
}

const codeOf = ({ status, text }: Answer) => `${status} ${/"code\\?":\\?"([a-z_]+\.[a-z_.]+)\\?"/.exec(text)?.[1] ?? ''}`.trim()
const isSame = (one: Answer, other: Answer) => codeOf(one) === codeOf(other) || one.status === 429 || other.status === 429

/** As a new client if the role has asked for too much. */
async function send(search: Search, { operation, role }: Asked, input: Value, streamMs?: number): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const { place } = search
    const request = operation.request(place, role, input)
    if ('frame' in request) await lineOf(place, request.role)
    const answer = await deliver({ ...place, lines: 'frame' in request ? place.lines : {} }, operation, request, streamMs)
    if (answer.status !== 429 || tries >= 2 || role === 'anonymous' || search.personas >= maxPersonas) return answer
    if (insiders.includes(role)) await pause(1_000)
    else if (search.place === place) search.place = await withPersona(search, place)
  }
}

/** Another person without a part in anything, with an agent of its own. */
async function withPersona(search: Search, place: Place): Promise<Place> {
  const { installation, scene } = place
  const { world } = installation
  search.personas++
  const stranger = await personIn(world, 0n)
  const outsider = await agentIn(world, stranger, `fp${Date.now().toString(36)}${search.personas}`, ['goal.plan'])
  const people = { ...scene.people, stranger: { ...stranger, session: await openSession(world, stranger) } }
  return { ...place, scene: { ...scene, people, agents: { ...scene.agents, outsider } } }
}

export const foreignIds: Attack = { name: 'foreign ids', run: probe }
