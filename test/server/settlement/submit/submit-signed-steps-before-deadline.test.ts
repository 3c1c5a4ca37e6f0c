import { type EscrowPlan, stepSubmissionTypedData } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { requireEscrowHold } from '../../../../server/settlement/holds/hold.ts'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import {
  deleteStepSubmissionSignature,
  saveStepSubmissionSignature,
  verifyStepSubmissionSignature,
} from '../../../../server/settlement/holds/step-submission-signature.ts'
import { getHold, reconcile, runSettlementCycle } from '../../../../server/settlement/index.ts'
import { submitSignedStepsBeforeDeadline } from '../../../../server/settlement/submit/submit-signed-steps-before-deadline.ts'
import { payee, payoutsOf, signData } from '../dispute-actions.ts'
import {
  approve,
  authorize,
  createMoneyWorld,
  drive,
  lower,
  type MoneyWorld,
  open,
  sealedGoal,
  signCharter,
  submitDirectly,
} from '../money-world.ts'

type Hex = `0x${string}`
const hour = 3_600
/** The last six minutes of one hour. */
const urgentSeconds = 360
const outputsHash: Hex = `0x${'0e'.repeat(32)}`

/** The payee submits a step here, without gas for the chain. `by`: the signer. */
async function handIn(world: MoneyWorld, goalId: string, step: number, by = payee(world, step === 3 ? 1 : 0)): Promise<boolean> {
  const { chainId, escrow, planId } = requireEscrowHold(await loadHold(world.system, goalId))
  const plan = { chain_id: chainId, escrow, plan_id: planId } as EscrowPlan
  const signature = await signData(by, stepSubmissionTypedData({ plan, version: 1, step, outputs_hash: outputsHash }))
  const given = { signer: lower(by.address), signature } as Parameters<typeof verifyStepSubmissionSignature>[2]
  const checked = await verifyStepSubmissionSignature(world.system, { goalId, step, outputsHash }, given)
  if (checked) await inTransaction(world.system, (tx) => saveStepSubmissionSignature(tx, checked))
  return checked !== null
}

const drop = (world: MoneyWorld, goalId: string, step: number) =>
  inTransaction(world.system, (tx) => deleteStepSubmissionSignature(tx, { goalId, step }))
const sent = async (world: MoneyWorld) =>
  (await world.system.db.chainTransaction.findMany({ orderBy: { createdAt: 'asc' } })).map(({ purpose, state }) => [purpose, state])
const submissions = async (world: MoneyWorld) => (await sent(world)).filter(([purpose]) => purpose === 'submit')

describe('submitSignedStepsBeforeDeadline', () => {
  it('submits near the deadline what was handed in and no one has settled, once, and silence pays it after the review', {
    timeout: 900_000,
  }, async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    expect(await handIn(world, goalId, 1)).toBe(true)
    expect(await handIn(world, goalId, 3)).toBe(true)
    await drive(world)
    expect(await submissions(world)).toEqual([])
    await world.warp(hour - urgentSeconds + 60)
    await drive(world)
    await drive(world)
    expect(await submissions(world)).toEqual([
      ['submit', 'posted'],
      ['submit', 'posted'],
    ])
    expect((await world.system.ports.rail.plan(requireEscrowHold(await loadHold(world.system, goalId)).planId)).submitted).toBe(0b101n)
    const { terms } = requireEscrowHold(await loadHold(world.system, goalId))
    await world.warp(terms.reviewBy + 120 - Math.floor(world.clock.now().getTime() / 1_000))
    await drive(world)
    await drive(world)
    expect((await payoutsOf(world, goalId)).map(([state]) => state)).toEqual(['paid', 'sealed', 'paid'])
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(4_000_000n)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })

  it('submits a step though another one was submitted with the same outputs before', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await handIn(world, goalId, 3)
    await submitDirectly(world, goalId, { bits: 0b1n, outputsHash })
    await drive(world)
    await world.warp(hour - urgentSeconds + 60)
    await drive(world)
    await drive(world)
    expect(await submissions(world)).toEqual([['submit', 'posted']])
    expect((await world.system.ports.rail.plan(requireEscrowHold(await loadHold(world.system, goalId)).planId)).submitted).toBe(0b101n)
  })

  it('seals the charter first where it is not on chain yet', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world)
    await signCharter(world, goalId)
    await approve(world, goalId)
    await drive(world)
    expect(await handIn(world, goalId, 2)).toBe(true)
    await world.warp(hour - urgentSeconds + 60)
    await drive(world)
    await drive(world)
    await drive(world)
    expect(await sent(world)).toEqual([
      ['fund', 'posted'],
      ['seal', 'posted'],
      ['submit', 'posted'],
    ])
  })

  it('leaves a step that the client has returned to its payee, and takes none back that was submitted', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    for (const step of [1, 2]) await handIn(world, goalId, step)
    expect(await drop(world, goalId, 2)).toBe(true)
    await world.warp(hour - urgentSeconds + 60)
    await drive(world)
    await drive(world)
    expect(await submissions(world)).toEqual([['submit', 'posted']])
    expect(await drop(world, goalId, 1)).toBe(false)
    expect(await drop(world, goalId, 2)).toBe(true)
    expect(await world.system.db.stepSubmission.count({ where: { goalId, step: 1 } })).toBe(1)
  })

  it('reports to a return that a submission is in flight', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await handIn(world, goalId, 1)
    await world.warp(hour - urgentSeconds + 60)
    await world.rpc('evm_setAutomine', [false])
    await runSettlementCycle(world.system)
    expect(await submissions(world)).toEqual([['submit', 'submitted']])
    expect(await drop(world, goalId, 1)).toBe(false)
  })

  it('keeps no word that is not the payee’s, gives up one that the escrow refuses, and submits the others', {
    timeout: 900_000,
  }, async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    expect(await handIn(world, goalId, 1, payee(world, 2))).toBe(false)
    expect(await world.system.db.stepSubmission.count()).toBe(0)
    for (const step of [1, 3]) await handIn(world, goalId, step)
    const other = await world.system.db.stepSubmission.findFirstOrThrow({ where: { goalId, step: 3 } })
    await world.system.db.stepSubmission.updateMany({ where: { goalId, step: 1 }, data: { signature: other.signature } })
    await world.warp(hour - urgentSeconds + 60)
    for (let round = 0; round < 3; round++) await drive(world)
    expect(await submissions(world)).toEqual([
      ['submit', 'failed_final'],
      ['submit', 'posted'],
    ])
    const kept = await world.system.db.stepSubmission.findMany({ where: { goalId }, orderBy: { step: 'asc' } })
    expect(kept.map(({ step, refusedAt }) => [step, refusedAt !== null])).toEqual([
      [1, true],
      [3, false],
    ])
    // It neither asks the chain nor reports the same refusal again.
    let plansRead = 0
    const { rail } = world.system.ports
    const plan = (id: Hex) => {
      plansRead++
      return rail.plan(id)
    }
    await submitSignedStepsBeforeDeadline(world.over({ ...rail, plan }))
    expect(plansRead).toBe(0)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
  })
})
