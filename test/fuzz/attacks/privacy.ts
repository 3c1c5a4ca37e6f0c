import { deliver } from '../edge/deliver.ts'
import type { Fault } from '../edge/oracles.ts'
import { leakFaults } from '../edge/oracles.ts'
import { ask, shownBy } from '../ground/http.ts'
import { replaceAt, writeJson } from '../inputs/json-text.ts'
import { positionsOf } from '../inputs/mutations.ts'
import { type Place, webRequest } from '../operations/operations.ts'
import { procedureOperations } from '../operations/procedures.ts'
import type { Attack } from './index.ts'

/** Who knows its id learns nothing by it; and no list, search or transaction tells of it. */
async function pry(place: Place): Promise<Fault[]> {
  const faults: Fault[] = []
  const { hidden } = place.scene.goals
  for (const operation of procedureOperations().filter(({ isReading, isStream }) => isReading && !isStream)) {
    const base = await operation.base(place, 'stranger')
    const at = positionsOf(base, operation.schema).find(({ value }) => typeof value === 'string' && /^(gol|rom)_/.test(value))
    if (!at) continue
    const id = String(at.value).startsWith('rom_') ? hidden.groupId : hidden.id
    for (const role of ['stranger', 'anonymous'] as const) {
      const input = replaceAt(base, at.path, () => id)
      const answer = await deliver(place, operation, operation.request(place, role, input))
      faults.push(...leakFaults(operation.name, place, role, writeJson(input), shownBy(answer)))
    }
  }
  for (const path of await addresses(place)) {
    const answer = await ask(webRequest(place, 'stranger', 'GET', path))
    faults.push(...leakFaults(`page ${path.replace(/[0-9a-f]{20,}/g, '…')}`, place, 'stranger', path, shownBy(answer)))
  }
  return faults
}

/** Where the private goal's money and agents are seen by others. */
async function addresses({ installation, scene }: Place): Promise<string[]> {
  const { db } = installation.world.system
  const [sent, seen] = await Promise.all([
    db.chainCandidate.findMany({ select: { hash: true }, orderBy: { hash: 'asc' } }),
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
