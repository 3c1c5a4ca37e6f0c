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

/** A paid unit of the sealed charter, with where it stands. Amounts in base units. */
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
  /** Shares of `amount` that go to whom its agent builds on. */
  readonly royalties: readonly StepRoyalty[]
  readonly state: StepState
  readonly taskId: string | null
  /** The step that it is part of, and its team's room; null in the goal's own. */
  readonly parent: number | null
  readonly groupId: string | null
  /** Whether the rail has it as it stands here. */
  readonly recorded: boolean
  /** Nothing will be done for it any more. */
  readonly dropped: boolean
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

/** What a page shows of a step: not what it works with, nor who else takes a share. */
export type ShownStep = Omit<StepView, 'inputs' | 'royalties'>

export async function listShownSteps(ctx: Context, goalId: string): Promise<ShownStep[]> {
  return ctx.db.step.findMany({ where: { goalId }, orderBy: { step: 'asc' }, omit: { goalId: true, inputs: true, royalties: true } })
}

/** Moves a step to its next state. `taskId`: the task it now stands with; null where it stands with none. */
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

/** Writes a sealed charter's steps. What was done under an earlier version stays as it was. */
export async function saveCharterSteps(tx: Context, charter: Charter): Promise<void> {
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
      groupId: step.group_id ?? null,
      // What a team has left undone stays so, whatever else the next version changes.
      dropped: step.dropped ?? (known?.dropped === true && known.groupId === (step.group_id ?? null)),
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

/** Whether the rail would pay the same for the step as before. */
function isSamePay(known: StepView, step: CharterStep): boolean {
  const royalties = (given: readonly StepRoyalty[]) => canonicalize([...given] as Json)
  const isSame = known.payee === step.payee && known.amount === BigInt(step.amount) && known.agentId === step.agent_id
  return isSame && royalties(known.royalties) === royalties(step.royalties ?? [])
}

/** Why a new charter may not follow these steps: what is done keeps its agent and pay, what stands with an agent waits. */
export function unchangedStepFaults(existing: readonly StepView[], charter: Charter): string[] {
  return existing.flatMap((known) => {
    const step = charter.steps.find((one: CharterStep) => one.step === known.step)
    if (known.state === 'offered')
      return step?.agent_id === known.agentId ? [] : [`Step ${known.step} stands with an agent and can't change hands.`]
    if (known.state !== 'done') return []
    const isKept =
      step?.agent_id === known.agentId &&
      step.payee === known.payee &&
      BigInt(step.amount) === known.amount &&
      canonicalize((step.royalties ?? []) as Json) === canonicalize([...known.royalties] as Json)
    return isKept ? [] : [`Step ${known.step} is done and keeps its agent, payee, amount and royalties.`]
  })
}
