import { randomBytes } from 'node:crypto'
import { charterHash, personDid } from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Context } from '../../server/context.ts'
import { inTransaction } from '../../server/db.ts'
import { authorizeHold, captureHold, getFunding, openHold, recordCharter } from '../../server/settlement/index.ts'

type Hex = `0x${string}`

/** A goal and what it is to pay: no two payouts of a run are of one amount, so that each is known on the chain. */
export type PaidGoal = { readonly goalId: string; readonly steps: readonly { readonly payee: Hex; readonly amount: bigint }[] }

export const stepsPerGoal = 8
/** From here on a hold is worth more blocks. */
export const largeTotal = 12_000_000n
const conclusionHash: Hex = `0x${'c0'.repeat(32)}`

/** Opens the `n`-th goal with the client's signature: from now on its money is wanted. */
export async function openPaidGoal(system: Context, client: PrivateKeyAccount, payees: readonly Hex[], n: number): Promise<PaidGoal> {
  const goalId = `gol_${randomBytes(16).toString('hex')}`
  const base = n % 5 === 0 ? 2_000_000n : 1_000_000n
  const steps = Array.from({ length: stepsPerGoal }, (_, index) => ({
    payee: payees[(n + index) % payees.length] ?? '0x',
    amount: base + BigInt(n * stepsPerGoal + index),
  }))
  const sum = steps.reduce((total, step) => total + step.amount, 0n)
  const address = client.address.toLowerCase() as Hex
  await inTransaction(system, (tx) =>
    openHold(tx, {
      goalId,
      rail: 'escrow',
      client: address,
      total: sum + sum / 20n,
      workBy: Math.floor(Date.now() / 1_000) + 86_400,
      reviewSeconds: 3_600,
      briefHash: `0x${'b1'.repeat(32)}`,
    }),
  )
  const { typedData } = await getFunding(system, goalId)
  const signature = await client.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
  const person = { kind: 'person', did: personDid(system.market.chainId, address), address, isOperator: false } as const
  await authorizeHold({ ...system, actor: person }, { type: 'hold.authorize', goal_id: goalId, signature })
  return { goalId, steps }
}

/** What the rooms above would do next: hand the charter over when the money is there, ask for payment when it is sealed. */
export async function pushGoals(system: Context, goals: readonly PaidGoal[]): Promise<{ paid: number }> {
  const holds = await system.db.hold.findMany({
    where: { goalId: { in: goals.map((goal) => goal.goalId) } },
    select: { goalId: true, state: true, charterVersion: true, charters: { select: { version: true } } },
  })
  const byId = new Map(goals.map((goal) => [goal.goalId, goal]))
  for (const { goalId, state, charterVersion, charters } of holds) {
    const goal = byId.get(goalId)
    if (!goal || state !== 'authorized') continue
    if (charters.length === 0) await handOver(system, goal)
    if (charterVersion === 1) await capture(system, goalId)
  }
  return { paid: holds.filter((hold) => hold.state === 'captured').length }
}

async function handOver(system: Context, { goalId, steps }: PaidGoal): Promise<void> {
  const hash = await charterHash({ v: '1', goal_id: goalId, version: 1 } as never)
  const numbered = steps.map((step, index) => ({ ...step, step: index + 1, agentId: `agt_${'0'.repeat(31)}${index}` }))
  await inTransaction(system, (tx) => recordCharter(tx, { goalId, version: 1, charterHash: hash, steps: numbered }))
}

async function capture(system: Context, goalId: string): Promise<void> {
  const bits = (1n << BigInt(stepsPerGoal)) - 1n
  await inTransaction(system, (tx) => captureHold(tx, { goalId, bits, conclusionHash, taskIds: {} }))
}
