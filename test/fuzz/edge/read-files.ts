/** Reads each file of a scene by each operation that takes its hash. Parties with the right receive it, all others receive none of its words. */
import type { Role } from '../ground/cast.ts'
import type { Answer } from '../ground/http.ts'
import { shownBy } from '../ground/http.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { type Path, positionsOf } from '../inputs/mutations.ts'
import type { Operation, Place } from '../operations/operations.ts'
import { deliver } from './deliver.ts'
import { answerFaults, type Fault } from './oracles.ts'

/**
 * `ids`: of its goal, room, task, call and entry, by their kind. `readers`: null where everyone may read it. `receiver`: the role that every
 * operation gives it to, the client if it is left out.
 */
type SceneFile = {
  readonly name: string
  readonly sha256: string
  readonly ids: { readonly [kind: string]: string }
  readonly content: Buffer
  readonly readers: readonly Role[] | null
  readonly receiver?: Role | null
}
/** A file by its hash. */
export type KnownFile = Omit<SceneFile, 'content'>

/** Who may read what only a team reads: its client, the members, and operators. */
const team: readonly Role[] = ['client', 'operator', 'lead', 'helper', 'worker', 'publisher']

/** Of the goals that the scene knows, and of the calls in its channel. */
async function filesOf({ installation, scene }: Place, more: readonly KnownFile[]): Promise<SceneFile[]> {
  const { db } = installation.world.system
  const goals = [scene.goals.work, scene.goals.review, scene.goals.open, scene.goals.hidden]
  const rows = await db.artifact.findMany({ where: { goalId: { in: goals.map(({ id }) => id) }, erasedAt: null }, take: 24 })
  const calls = await db.call.findMany({ where: { channelId: scene.channelId ?? '' }, take: 2, orderBy: { requestedAt: 'desc' } })
  const ofCalls = calls.flatMap(({ id, attachments, artifacts }) =>
    ([...(attachments as unknown[]), ...(artifacts as unknown[])] as { sha256: string; name: string }[]).map(({ sha256, name }) => ({
      ...{ sha256, name, ids: { cal: id }, readers: ['client', 'operator', 'helper', 'publisher'] as readonly Role[] },
    })),
  )
  const ofGoals = rows.map(({ goalId, sha256, name, taskId, isTeamOnly }) => {
    const goal = goals.find(({ id }) => id === goalId)
    const isPublic = goal !== scene.goals.hidden && (taskId !== null || !isTeamOnly)
    return { sha256, name, ids: { gol: goalId, rom: goal?.roomId ?? '', ...(taskId && { tsk: taskId }) }, readers: isPublic ? null : team }
  })
  const all: KnownFile[] = [...ofGoals, ...ofCalls, ...(await filesOfEntry(scene, db)), ...more]
  const blobs = await db.artifactBlob.findMany({ where: { sha256: { in: all.map(({ sha256 }) => sha256) } } })
  const bytes = new Map(blobs.map((blob) => [blob.sha256, Buffer.from(blob.bytes)]))
  return all.map((file) => ({ ...file, content: bytes.get(file.sha256) ?? Buffer.alloc(0) }))
}

/** Of the entry in the contest: by its own id for its parties, and through the goal and its room for no one. */
async function filesOfEntry({ entryId, goals }: Place['scene'], db: Place['installation']['world']['system']['db']): Promise<KnownFile[]> {
  const entry = await db.entry.findUnique({ where: { id: entryId } })
  return ((entry?.files ?? []) as { sha256: string; name: string }[]).flatMap(({ sha256, name }): KnownFile[] => [
    { sha256, name, ids: { ent: entryId }, readers: ['client', 'planner', 'stranger', 'operator'] },
    { sha256, name, ids: { gol: goals.contest.id, rom: goals.contest.roomId }, readers: [], receiver: null },
  ])
}

type Reader = { readonly operation: Operation; readonly role: Role; readonly base: Value; readonly paths: ReadonlyMap<string, Path> }

/** Operations that take the hash of a file, with the places of the ids beside it. */
async function readersOf(place: Place, operations: readonly Operation[], roles: readonly Role[]): Promise<Reader[]> {
  const found: Reader[] = []
  for (const operation of operations.filter(({ isReading, isStream, variant }) => isReading && !isStream && !variant))
    for (const role of roles.filter((one) => operation.roles.includes(one))) {
      const base = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
      const texts = positionsOf(base, operation.schema).filter(({ value, path }) => typeof value === 'string' && path.length > 0)
      const paths = new Map(texts.flatMap(({ value, path }) => [[kindOf(String(value)) ?? '', path] as const]))
      const hash = texts.find(({ path }) => path.at(-1) === 'sha256')
      if (hash) found.push({ operation, role, base, paths: new Map([...paths, ['hash', hash.path]]) })
    }
  return found
}

/** The faults of all reads, and how many there were. */
export async function readFiles(
  place: Place,
  operations: readonly Operation[],
  roles: readonly Role[],
  more: readonly KnownFile[] = [],
): Promise<{ faults: (Fault & { role: Role })[]; reads: number }> {
  const files = await filesOf(place, more)
  const faults: (Fault & { role: Role })[] = []
  let reads = 0
  for (const { operation, role, base, paths } of await readersOf(place, operations, roles))
    for (const file of files) {
      const kinds = Object.keys(file.ids).filter((kind) => paths.has(kind))
      // It takes ids of other things than those that the file belongs to.
      if (kinds.length === 0) continue
      const ids: { readonly [kind: string]: string } = { ...file.ids, hash: file.sha256 }
      const input = [...kinds, 'hash'].reduce((value, kind) => replaceAt(value, paths.get(kind) ?? [], () => ids[kind] ?? ''), base)
      reads++
      const answer = await deliver(place, operation, operation.request(place, role, input))
      const subject = `${operation.name} (file)`
      const found = [...answerFaults(subject, answer), ...rightFaults(subject, role, file, answer)]
      faults.push(...found.map((one) => ({ ...one, role, isLasting: true })))
    }
  return { faults, reads }
}

/** A party without the right has none of its bytes. Its receiver has them. */
function rightFaults(subject: string, role: Role, { name, content, readers, receiver = 'client' }: SceneFile, answer: Answer): Fault[] {
  const isRead = holds(answer, content)
  if (isRead && readers !== null && !readers.includes(role))
    return [{ oracle: 'files reach their readers only', subject, detail: `${role} received ${JSON.stringify(name)}` }]
  if (!isRead && role === receiver && answer.status !== 429 && answer.status < 500)
    return [{ oracle: 'files reach their readers', subject, detail: `${role} got ${answer.status} for ${JSON.stringify(name)}` }]
  return []
}

function holds(answer: Answer, content: Buffer): boolean {
  if (content.length === 0) return false
  const shown = shownBy(answer)
  return shown.includes(content.toString('utf8').slice(0, 40)) || shown.includes(content.toString('base64').slice(0, 40))
}
