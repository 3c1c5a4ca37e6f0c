import { randomBytes } from 'node:crypto'
import { charterHash, personDid } from '@parley/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Actor, Context } from '../../server/context.ts'
import { inTransaction } from '../../server/db.ts'
import { scheduleSealing } from '../../server/settlement/holds/schedule-sealing.ts'
import { authorizeHold, captureHold, getFundingTerms, openHold, recordCharter } from '../../server/settlement/index.ts'
import { approveCharter, signCharterAs } from '../../test/support/charters.ts'
import type { Progress } from './payment-progress.ts'
import { retryUntilDone } from './test-environment.ts'

type Hex = `0x${string}`

/** A goal and its expected payouts. All payouts of a run have different amounts, so that each can be identified on the chain. */
export type PaidGoal = {
  readonly goalId: string
  readonly client: PrivateKeyAccount
  readonly steps: readonly { readonly payee: Hex; readonly amount: bigint }[]
}

export const stepsPerGoal = 8
/** From this amount on, a hold needs more confirmations. */
export const largeTotal = 12_000_000n
export const conclusionHash: Hex = `0x${'c0'.repeat(32)}`

/** Opens the `n`-th goal with the client's signature, which requests its funding. */
export async function openEscrowGoal(system: Context, client: PrivateKeyAccount, payees: readonly Hex[], n: number): Promise<PaidGoal> {
  const goalId = `gol_${randomBytes(16).toString('hex')}`
  const base = n % 5 === 0 ? 2_000_000n : 1_000_000n
  const steps = Array.from({ length: stepsPerGoal }, (_, index) => ({
    payee: payees[(n + index) % payees.length] ?? '0x',
    amount: base + BigInt(n * stepsPerGoal + index),
  }))
  const sum = steps.reduce((total, step) => total + step.amount, 0n)
  await retryUntilDone(async () => {
    if ((await system.db.hold.count({ where: { goalId } })) === 0) await openEscrowHold(system, goalId, client, sum + sum / 20n)
    const { typedData } = await getFundingTerms(system, goalId)
    const signature = await client.signTypedData(typedData as Parameters<PrivateKeyAccount['signTypedData']>[0])
    await authorizeHold({ ...system, actor: personOf(system, client) }, { type: 'hold.authorize', goal_id: goalId, signature })
  })
  return { goalId, client, steps }
}

async function openEscrowHold(system: Context, goalId: string, client: PrivateKeyAccount, total: bigint): Promise<void> {
  await inTransaction(system, (tx) =>
    openHold(tx, {
      goalId,
      rail: 'escrow',
      client: client.address.toLowerCase() as Hex,
      total,
      workBy: Math.floor(Date.now() / 1_000) + 86_400,
      reviewSeconds: 3_600,
      briefHash: `0x${'b1'.repeat(32)}`,
    }),
  )
}

export function personOf(
  { market }: Context,
  { address: spelled }: Pick<PrivateKeyAccount, 'address'>,
): Extract<Actor, { kind: 'person' }> {
  const address = spelled.toLowerCase() as Hex
  return { kind: 'person', did: personDid(market.chainId, address), address, isOperator: false }
}

/** The next actions of the goals module: submit the charter when the plan is funded, and request payment when it is in force. */
export async function advanceGoals(
  system: Context,
  goals: readonly PaidGoal[],
  payeeKeys: readonly Hex[],
  progress: Progress,
): Promise<{ paid: number }> {
  const holds = await system.db.hold.findMany({
    where: { goalId: { in: goals.map((goal) => goal.goalId) } },
    select: { goalId: true, state: true, charterVersion: true },
  })
  const byId = new Map(goals.map((goal) => [goal.goalId, goal]))
  for (const { goalId, state, charterVersion } of holds) {
    const goal = byId.get(goalId)
    if (state === 'captured') progress.paid(goalId)
    if (!goal || state !== 'authorized') continue
    if (charterVersion !== 1) await handOver(system, goal, payeeKeys)
    await capture(system, goalId)
    progress.accept(goalId)
  }
  return { paid: holds.filter((hold) => hold.state === 'captured').length }
}

/** Signed by all and approved by the client; every second one is sealed on chain before its settlement. */
async function handOver(system: Context, { goalId, client, steps }: PaidGoal, payeeKeys: readonly Hex[]): Promise<void> {
  const hash = await charterHash({ v: '1', goal_id: goalId, version: 1 } as never)
  const numbered = steps.map((step, index) => ({ ...step, step: index + 1, agentId: `agt_${'0'.repeat(31)}${index}` }))
  const charter = { goalId, version: 1, charterHash: hash, steps: numbered }
  const memberSignatures = await signCharterAs(system, charter, payeeKeys)
  await inTransaction(system, (tx) => recordCharter(tx, { ...charter, memberSignatures }))
  await approveCharter({ ...system, actor: personOf(system, client) }, client, { goalId, version: 1 })
  const isEarly = Number.parseInt(goalId.slice(-1), 16) % 2 === 0
  if (isEarly) await inTransaction(system, (tx) => scheduleSealing(tx, { goalId, version: 1, at: tx.clock.now() }))
}

async function capture(system: Context, goalId: string): Promise<void> {
  const bits = (1n << BigInt(stepsPerGoal)) - 1n
  await inTransaction(system, (tx) => captureHold(tx, { goalId, bits, conclusionHash, taskIds: {} }))
}
