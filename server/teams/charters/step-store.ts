import {
  type Charter,
  type CharterStep,
  canFollow,
  canonicalize,
  type Json,
  StepInput,
  StepRoyalty,
  type StepState,
  stepTransitions,
} from '@parley/protocol'
import type { Context } from '../../context.ts'
import { versionConflict } from '../../errors.ts'
import { teamCharterInvalid, teamWrongState } from '../errors.ts'

/** A paid unit of the sealed charter, with its state. Amounts in base units. */
export type StepView = {
  readonly step: number
  readonly title: string
  readonly skillId: string
  readonly agentId: string
  readonly senderId: string
  readonly payee: string
  readonly amount: bigint
  readonly mode: 'sync' | 'async'
  readonly dependsOn: readonly number[]
  readonly inputs: readonly StepInput[]
  readonly outputs: readonly string[]
  /** Shares of `amount` for agents that this agent builds on. */
  readonly royalties: readonly StepRoyalty[]
  readonly state: StepState
  readonly taskId: string | null
  /** The step that it is part of, and the room of its sub-team; null in the goal's own room. */
  readonly parent: number | null
  readonly roomId: string | null
  /** Whether the rail has recorded it in this form. */
  readonly recorded: boolean
  /** The step will not be done any more. */
  readonly canceled: boolean
  readonly version: number
}

export async function listSteps(ctx: Context, goalId: string): Promise<StepView[]> {
  const rows = await ctx.db.step.findMany({ where: { goalId }, orderBy: { step: 'asc' } })
  return rows.map(({ goalId: _goalId, inputs, royalties, ...row }) => ({
    ...row,
    inputs: StepInput.array().parse(inputs),
    royalties: StepRoyalty.array().parse(royalties),
  }))
}

/** A step for a page, without inputs and royalties. */
export type ShownStep = Omit<StepView, 'inputs' | 'royalties'>

export async function listShownSteps(ctx: Context, goalId: string): Promise<ShownStep[]> {
  return ctx.db.step.findMany({ where: { goalId }, orderBy: { step: 'asc' }, omit: { goalId: true, inputs: true, royalties: true } })
}

/** Moves a step to its next state. `taskId`: its task from now on, or null. */
export async function moveStep(
  tx: Context,
  input: { goalId: string; step: StepView; state: StepState; taskId?: string | null },
): Promise<void> {
  const { step, state } = input
  if (!canFollow(stepTransitions, step.state, state))
    throw teamWrongState(`at a step that is ${step.state}`, `at one that may become ${state}`)
  const saved = await tx.db.step.updateMany({
    where: { goalId: input.goalId, step: step.step, version: step.version },
    data: { state, version: step.version + 1, ...(input.taskId === undefined ? {} : { taskId: input.taskId }) },
  })
  if (saved.count === 0) throw versionConflict(`Step ${step.step}`)
}

/** Saves the steps of a sealed charter. Steps that were done under an earlier version stay unchanged. */
export async function saveSteps(tx: Context, charter: Charter): Promise<void> {
  const existing = await listSteps(tx, charter.goal_id)
  const faults = unchangedStepFaults(existing, charter)
  if (faults.length > 0) throw teamCharterInvalid(faults)
  for (const step of charter.steps) {
    const known = existing.find((one) => one.step === step.step)
    if (known?.state === 'done') continue
    const row = {
      title: step.title,
      skillId: step.skill_id,
      agentId: step.agent_id,
      senderId: step.sender_id,
      payee: step.payee,
      amount: BigInt(step.amount),
      mode: step.mode,
      dependsOn: step.depends_on,
      inputs: step.inputs as object[],
      outputs: step.outputs,
      royalties: (step.royalties ?? []) as object[],
      parent: step.parent ?? null,
      roomId: step.room_id ?? null,
      // A step that its sub-team canceled stays canceled in later versions.
      canceled: step.canceled ?? (known?.canceled === true && known.roomId === (step.room_id ?? null)),
      recorded: known?.recorded === true && isSamePay(known, step),
    }
    const key = { goalId: charter.goal_id, step: step.step }
    await tx.db.step.upsert({
      where: { goalId_step: key },
      create: { ...key, ...row, state: 'planned' },
      update: { ...row, version: { increment: 1 } },
    })
  }
  await tx.db.step.deleteMany({ where: { goalId: charter.goal_id, step: { gt: charter.steps.length }, state: 'planned' } })
}

/** Whether the rail would pay the step as before. */
function isSamePay(known: StepView, step: CharterStep): boolean {
  const royalties = (given: readonly StepRoyalty[]) => canonicalize([...given] as Json)
  const isSame = known.payee === step.payee && known.amount === BigInt(step.amount) && known.agentId === step.agent_id
  return isSame && royalties(known.royalties) === royalties(step.royalties ?? [])
}

/**
 * Why a new charter conflicts with existing steps: a done step keeps its agent and pay. A step that is assigned, or was delivered and needs
 * changes, keeps its agent.
 */
export function unchangedStepFaults(existing: readonly StepView[], charter: Charter): string[] {
  return existing.flatMap((known) => {
    const step = charter.steps.find((one: CharterStep) => one.step === known.step)
    if (known.state === 'assigned' || (known.state === 'planned' && known.taskId !== null))
      return step?.agent_id === known.agentId ? [] : [`Step ${known.step} stands with an agent and can't change hands.`]
    if (known.state !== 'done') return []
    const isKept =
      step?.agent_id === known.agentId &&
      step.payee === known.payee &&
      BigInt(step.amount) === known.amount &&
      canonicalize((step.royalties ?? []) as Json) === canonicalize([...known.royalties] as Json)
    return isKept ? [] : [`Step ${known.step} is done. Its agent, payee, amount and royalties cannot change.`]
  })
}
