import { deliver } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import { agentIn, personIn, type Role } from '../ground/cast.ts'
import { createScene } from '../ground/scene.ts'
import { kindOf } from '../inputs/id-kinds.ts'
import { type Value, writeJson } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { allOperations } from '../operations/all.ts'
import { isAgent, isPerson, type Operation, type Place } from '../operations/operations.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, isTaken, pause } from './request-helpers.ts'

/** The things that one owner names, by another owner of the same kind: nothing that stands there is changed or removed. */
async function takeOver({ installation }: Place): Promise<Fault[]> {
  const scene = await createScene(installation.world, installation.hub.url)
  const owners: Place = { installation, scene, lines: {}, privateIds: [] }
  const faults: Fault[] = []
  const all = await allOperations(installation)
  for (const operation of all.filter(
    (one) => /^(trpc|command):/.test(one.name) && !one.isReading && !one.isStream && !one.variant?.isTwin,
  )) {
    const { as, isRefused = false } = entitledOf(operation) ?? {}
    // A command of an agent with a key is signed by it.
    if (as === undefined || isRefused || as === 'operator' || as === 'anonymous' || !operation.roles.includes(as)) continue
    faults.push(...(await tryOther(owners, await otherOwner(owners, as), operation, as)))
  }
  return faults
}

const known = new Map<string, Place>()

/** The same place where another wallet, or an agent of another wallet, has this role. */
async function otherOwner(place: Place, role: Role): Promise<Place> {
  const key = `${place.scene.number} ${role}`
  const made = known.get(key)
  if (made) return made
  const { world } = place.installation
  const person = await personIn(world, 100_000_000n)
  const people = isPerson(role) ? { ...place.scene.people, [role]: person } : place.scene.people
  const agents = isAgent(role)
    ? {
        ...place.scene.agents,
        [role]: await agentIn(world, person, `ow${Date.now().toString(36)}${known.size}`, ['text.first', 'goal.plan']),
      }
    : place.scene.agents
  const other: Place = { ...place, scene: { ...place.scene, people, agents } }
  known.set(key, other)
  return other
}

async function tryOther(owners: Place, others: Place, operation: Operation, as: Role): Promise<Fault[]> {
  const input = await Promise.resolve(operation.base(owners, as)).catch((): Value => null)
  const ids = positionsOf(input, operation.schema).flatMap(({ value }) => {
    const kind = typeof value === 'string' ? kindOf(value) : null
    return kind !== null && kind !== 'uuid' ? [String(value)] : []
  })
  if (ids.length === 0) return []
  const before = await rowsWith(owners, ids)
  const answer = await deliver(owners, operation, operation.request(others, as, input))
  if (!isTaken(answer)) return []
  await pause(50)
  const after = new Set(await rowsWith(owners, ids))
  const lost = before.filter((row) => !after.has(row))
  if (lost.length === 0) return []
  const detail = `another ${as} sent ${writeJson(input).slice(0, 160)}, and changed ${lost[0]?.slice(0, 160)}`
  return [fault('what is owned is changed by its owner', operation.name, detail)]
}

type Named = { readonly name: string }

/**
 * Rows of all tables that contain one of the ids, without what the product counts and measures about them. A notification changes
 * with each try of its delivery.
 */
async function rowsWith({ installation }: Place, ids: readonly string[]): Promise<string[]> {
  const { db } = installation.world.system
  const tables = await db.$queryRaw<Named[]>`
    select table_name::text as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`
  const pattern = ids.map((id) => id.replace(/[^0-9a-z_-]/gi, '')).join('|')
  const found: string[] = []
  for (const { name } of tables.filter((one) => !/^_|^notification$|audit|cursor|signal|outbox|job|artifact_blob|telemetry/.test(one.name)))
    found.push(
      ...(
        await db.$queryRawUnsafe<{ row: string }[]>(
          `select left('${name} ' || regexp_replace(t::text, '\\d{4}-\\d\\d-\\d\\d [0-9:.+]+', 'at', 'g'), 4000) as row from "${name}" t where t::text ~ $1 limit 200`,
          pattern,
        )
      ).map(({ row }) => row),
    )
  return found
}

export const ownership: Attack = { name: 'ownership', run: takeOver }
