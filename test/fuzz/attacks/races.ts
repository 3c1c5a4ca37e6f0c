import { closeLines, deliver } from '../edge/deliver.ts'
import { answerFaults, type Fault } from '../edge/oracles.ts'
import { createScene } from '../ground/scene.ts'
import type { Value } from '../inputs/json-text.ts'
import { allOperations } from '../operations/all.ts'
import { isDestructive, type Operation, type Place } from '../operations/operations.ts'
import { entitledOf } from './entitled-roles.ts'
import type { Attack } from './index.ts'
import { fault, pause } from './request-helpers.ts'

const atOnce = 6

/** The same request several times at the same moment has one effect: at most one new row of each kind, and no answer of 500. */
async function hurry({ installation }: Place): Promise<Fault[]> {
  // What it ends is its own.
  const scene = await createScene(installation.world, installation.hub.url)
  const place: Place = { installation, scene, lines: {}, privateIds: [] }
  const all = await allOperations(installation)
  const writes = all.filter((one) => /^(trpc|command):/.test(one.name) && !one.isReading && !one.isClosed && !one.variant?.isTwin)
  const faults: Fault[] = []
  try {
    for (const operation of [...writes.filter((one) => !isDestructive(one)), ...writes.filter(isDestructive)])
      faults.push(...(await hurryOne(place, operation)))
  } finally {
    closeLines(place)
  }
  return faults
}

async function hurryOne(place: Place, operation: Operation): Promise<Fault[]> {
  const entitled = entitledOf(operation)
  if (!entitled) return []
  const role = entitled.as
  const input = await Promise.resolve(operation.base(place, role)).catch((): Value => null)
  const before = await countRows(place)
  const answers = await Promise.all(Array.from({ length: atOnce }, () => deliver(place, operation, operation.request(place, role, input))))
  const after = await countRows(place)
  const faults = answers.flatMap((answer) => answerFaults(operation.name, answer)).slice(0, 1)
  for (const [table, count] of Object.entries(after)) {
    const more = count - (before[table] ?? 0)
    if (more > 1) faults.push(fault('requests at the same time have one effect', operation.name, `${more} new rows of ${table}`))
  }
  // The next operation has a whole budget again.
  if (answers.some(({ status }) => status === 429)) await pause(2_000)
  return faults
}

/** What requests make; messages, files and audit rows also come of jobs. */
async function countRows({ installation }: Place): Promise<Record<string, number>> {
  const { db } = installation.world.system
  const tables = {
    ...{ goal: db.goal, task: db.task, call: db.call, channel: db.channel, listing: db.listing, dispute: db.dispute, demand: db.demand },
    ...{ 'settlement offer': db.settlementOffer, 'credit withdrawal': db.creditWithdrawal, peer: db.peer, hold: db.hold },
    ...{ feedback: db.feedback, 'sub-team': db.subTeam, 'charter draft': db.charterDraft, 'card payment': db.cardPayment },
    ...{ 'plan version': db.planVersion, note: db.memoryNote, 'payout change': db.payoutChange, session: db.session },
  }
  const counted = Object.entries(tables).map(
    async ([name, table]) => [name, await (table as { count(): Promise<number> }).count()] as const,
  )
  return Object.fromEntries(await Promise.all(counted))
}

export const races: Attack = { name: 'requests at the same time', run: hurry }
