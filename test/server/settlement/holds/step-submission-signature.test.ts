import { charterVetoTypedData, type EscrowPlan } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { requireEscrowHold } from '../../../../server/settlement/holds/hold.ts'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import { scheduleSealing } from '../../../../server/settlement/holds/schedule-sealing.ts'
import { deleteStepSubmissionSignature } from '../../../../server/settlement/holds/step-submission-signature.ts'
import {
  getHold,
  listStepsPayableByDefault,
  submitCharterVeto,
  verifyVeto,
  vetoCharter,
  voidHold,
} from '../../../../server/settlement/index.ts'
import { dispute, payee } from '../dispute-actions.ts'
import {
  approve,
  authorize,
  conclusionHash,
  createMoneyWorld,
  drive,
  handOver,
  type MoneyWorld,
  open,
  signCharter,
  submitDirectly,
} from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const seal = (goalId: string, version: number) =>
  inTransaction(world.system, (tx) => scheduleSealing(tx, { goalId, version, at: tx.clock.now() }))
/** As a return of the step does. */
const drop = (goalId: string, step: number) => inTransaction(world.system, (tx) => deleteStepSubmissionSignature(tx, { goalId, step }))
const holdOf = async (goalId: string) => requireEscrowHold(await loadHold(world.system, goalId))
const planOf = async (goalId: string) => world.system.ports.rail.plan((await holdOf(goalId)).planId)

/** A charter that the client has not approved, within its veto window. */
async function proposal(): Promise<`gol_${string}`> {
  const goalId = await open(world, { workSeconds: 10 * 86_400, vetoSeconds: 86_400 })
  await authorize(world, goalId)
  await drive(world)
  await signCharter(world, goalId)
  await seal(goalId, 1)
  await drive(world)
  return goalId
}

/** The first payee of a proposal submits step 1 to the escrow. */
async function submittedProposal(): Promise<`gol_${string}`> {
  const goalId = await proposal()
  await submitDirectly(world, goalId, { bits: 0b1n, outputsHash: `0x${'0e'.repeat(32)}` })
  await drive(world)
  expect(await planOf(goalId)).toMatchObject({ charter: 'proposed', submitted: 0b1n })
  expect(await listStepsPayableByDefault(world.system, goalId)).toMatchObject({ steps: [1] })
  expect(await drop(goalId, 1)).toBe(false)
  return goalId
}

async function veto(goalId: string): Promise<void> {
  const { chainId, escrow, planId } = await holdOf(goalId)
  const plan = { chain_id: chainId, escrow, plan_id: planId } as EscrowPlan
  const signature = await world.client.signTypedData(charterVetoTypedData(plan, 1) as never)
  const client = world.as(world.person(world.client))
  const input = { goalId, version: 1, reason: 'Not this team.', signature }
  const given = await verifyVeto(client, input)
  await inTransaction(client, (tx) => vetoCharter(tx, input, given))
}

describe('a step that was submitted to the escrow under a proposal', () => {
  it('can be returned under the charter that follows a veto', async () => {
    const goalId = await submittedProposal()
    await veto(goalId)
    await submitCharterVeto(world.system, goalId)
    await drive(world)
    await handOver(world, goalId, 2)
    await drive(world)
    expect(await planOf(goalId)).toMatchObject({ charter: 'authorized', version: 2, submitted: 0n })
    expect(await listStepsPayableByDefault(world.system, goalId)).toBeNull()
    expect(await drop(goalId, 1)).toBe(true)
  })

  it('stays submitted when the client approves that proposal', async () => {
    const goalId = await submittedProposal()
    await approve(world, goalId)
    await seal(goalId, 1)
    await drive(world)
    expect(await planOf(goalId)).toMatchObject({ charter: 'authorized', version: 1, submitted: 0b1n })
    expect(await listStepsPayableByDefault(world.system, goalId)).toMatchObject({ steps: [1] })
    expect(await drop(goalId, 1)).toBe(false)
    expect(await drop(goalId, 2)).toBe(true)
  })
})

describe('a dispute of a proposal', () => {
  it('ends with the veto of the proposal, and holds no refund back', async () => {
    const goalId = await proposal()
    await dispute(world, payee(world), goalId, 1)
    await veto(goalId)
    await submitCharterVeto(world.system, goalId)
    await inTransaction(world.as(world.person(world.client)), (tx) => voidHold(tx, { goalId, conclusionHash }))
    await drive(world)
    expect(await world.system.db.dispute.findFirst({ where: { goalId } })).toMatchObject({ state: 'refused', failure: expect.any(String) })
    expect((await getHold(world.system, goalId)).state).toBe('voided')
  })
})
