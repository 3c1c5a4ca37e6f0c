import { deliver } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import { leakFaults } from '../edge/oracles.ts'
import { type Answer, ask, shownBy } from '../ground/http.ts'
import { replaceAt, writeJson } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { type Place, webRequest } from '../operations/operations.ts'
import { procedureOperations } from '../operations/procedures.ts'
import { recipes } from '../operations/recipes.ts'
import type { Attack } from './index.ts'
import { mutateWithRetry, run } from './request-helpers.ts'

/** Who knows its id learns nothing by it; and no list, search or transaction tells of it. */
async function pry(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const { hidden } = place.scene.goals
  for (const operation of procedureOperations().filter(({ isReading, isStream }) => isReading && !isStream)) {
    const base = await operation.base(place, 'stranger')
    const at = positionsOf(base, operation.schema).find(({ value }) => typeof value === 'string' && /^(gol|rom)_/.test(value))
    if (!at) continue
    const id = String(at.value).startsWith('rom_') ? hidden.roomId : hidden.id
    for (const role of ['stranger', 'anonymous'] as const) {
      const input = replaceAt(base, at.path, () => id)
      const answer = await deliver(place, operation, operation.request(place, role, input))
      faults.push(...leakFaults(operation.name, place, role, writeJson(input), shownBy(answer)))
    }
  }
  faults.push(...(await pryFiles(place)))
  for (const path of await addresses(place)) {
    const answer = await ask(webRequest(place, 'stranger', 'GET', path))
    faults.push(...leakFaults(`page ${path.replace(/[0-9a-f]{20,}/g, '…')}`, place, 'stranger', path, shownBy(answer)))
  }
  return faults
}

/** A hash gives nobody a right: the private goal's files are not read through a goal that the asker may read. */
async function pryFiles(place: Place): Promise<Fault[]> {
  const { scene, installation } = place
  const files = await installation.world.system.db.artifact.findMany({ where: { goalId: scene.goals.hidden.id }, select: { sha256: true } })
  const { goal_id, room_id } = await mutateWithRetry(place, 'stranger', 'goals.post', await recipes['goals.post']?.(place, 'stranger'))
  const readable = [{ id: String(goal_id), roomId: String(room_id) }, scene.goals.work, scene.goals.paid, scene.goals.hidden]
  const faults: Fault[] = []
  for (const { sha256 } of files)
    for (const { id, roomId } of readable) {
      for (const role of ['stranger', 'anonymous'] as const) {
        const path = `/api/artifacts/${id}/${sha256}`
        const answer = await ask(webRequest(place, role, 'GET', path))
        faults.push(...leakFaults('page:/api/artifacts', place, role, path, shownBy(answer)))
      }
      const command = { type: 'artifact.get', room_id: roomId, sha256 }
      for (const role of ['stranger', 'outsider'] as const)
        faults.push(...leakFaults('command:artifact.get', place, role, JSON.stringify(command), fileIn(await run(place, role, command))))
    }
  return faults
}

/** An answer, and what the file in it says. */
function fileIn(answer: Answer): string {
  const content = /"content":"([A-Za-z0-9+/=]*)"/.exec(answer.text)?.[1] ?? ''
  return `${shownBy(answer)} ${Buffer.from(content, 'base64').toString('utf8')}`
}

/** Where the private goal's money and agents are seen by others. */
async function addresses({ installation, scene }: Place): Promise<string[]> {
  const { db } = installation.world.system
  const [sent, seen] = await Promise.all([
    db.signedTransaction.findMany({ select: { hash: true }, orderBy: { hash: 'asc' } }),
    db.chainLog.findMany({ select: { txHash: true }, orderBy: { block: 'desc' }, take: 100 }),
  ])
  const hashes = [...sent.map(({ hash }) => hash), ...seen.map(({ txHash }) => txHash)]
  const ofTransactions = [...new Set(hashes)]
    .slice(0, 100)
    .flatMap((hash) => [
      `/explorer/tx/${hash}`,
      `/api/trpc/settlement.getTransaction?input=${encodeURIComponent(JSON.stringify({ json: { hash } }))}`,
    ])
  const { client, publisher } = scene.people
  return [
    ...ofTransactions,
    `/explorer/address/${client.address}`,
    `/explorer/address/${publisher.address}`,
    `/agents/${scene.agents.lead.handle}`,
    '/',
    '/goals',
    '/goals?text=zq',
    '/payouts',
  ]
}

export const privacy: Attack = { name: 'a private goal', run: pry }
