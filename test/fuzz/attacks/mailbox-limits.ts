import { randomBytes } from 'node:crypto'
import type { Fault } from '../edge/oracles.ts'
import { openSession, personIn } from '../ground/cast.ts'
import type { Answer } from '../ground/http.ts'
import { replaceAt, type Value } from '../inputs/json-text.ts'
import { type Path, positionsOf } from '../inputs/mutations.ts'
import { plainOperations } from '../operations/all.ts'
import type { Operation, Place } from '../operations/operations.ts'
import type { Attack } from './index.ts'
import { fault, mutate } from './request-helpers.ts'

/** More than one mailbox may be sent within an hour. */
const maxMails = 12
/** Ways to write one mailbox. */
const spellingsOf = (name: string, host: string) => [
  `${name.toUpperCase()}@${host}`,
  `${name}@${host.toUpperCase()}`,
  `${name}+1@${host}`,
  `${name[0]?.toUpperCase()}${name.slice(1)}+X@${host}`,
]

/** What one mailbox receives of all people together is limited, however its address is written. */
async function mailOne(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const operation of await plainOperations(place.installation)) {
    if (operation.isReading || !operation.name.startsWith('trpc:') || !operation.roles.includes('client')) continue
    const base = await Promise.resolve(operation.base(place, 'client')).catch((): Value => null)
    for (const { path, schema, value } of positionsOf(base, operation.schema))
      if (schema.format === 'email' || /^[^@\s]+@[^@\s]+$/.test(String(value)))
        faults.push(...(await mailTo(place, operation, { base, path })))
  }
  return faults
}

async function mailTo(place: Place, operation: Operation, { base, path }: { base: Value; path: Path }): Promise<Fault[]> {
  const [name, host] = [`v${randomBytes(4).toString('hex')}`, 'example.com']
  const send = async (address: string) =>
    asNew(
      place,
      operation,
      replaceAt(base, path, () => address),
    )
  let answer = await send(`${name}@${host}`)
  // An operation that sends nothing has no limit of its own.
  for (let sent = 1; sent < maxMails && answer.status < 300; sent++) answer = await send(`${name}@${host}`)
  if (answer.status !== 429) return []
  const faults: Fault[] = []
  for (const address of spellingsOf(name, host)) {
    const { status } = await send(address)
    if (status < 300)
      faults.push(fault('one mailbox has one limit', operation.name, `${address} was sent what ${name}@${host} may not receive`))
  }
  return faults
}

/** As a person who has sent nothing yet. */
async function asNew(place: Place, { name }: Operation, input: Value): Promise<Answer> {
  const { world } = place.installation
  const person = await personIn(world, 0n)
  const people = { ...place.scene.people, client: { ...person, session: await openSession(world, person) } }
  return mutate({ ...place, scene: { ...place.scene, people } }, 'client', name.replace('trpc:', ''), input)
}

export const mailTargets: Attack = { name: 'one mailbox', run: mailOne }
