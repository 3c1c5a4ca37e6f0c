import type { CharterStep, GoalOffer, TaskInput } from '@parley/protocol'

/**
 * The inputs of a step for its assignment: outputs of earlier steps, attachments and values. Undefined while one is missing.
 * @param outputOfStep the file of this type that a step has delivered
 */
export function buildTaskInputs(
  step: CharterStep,
  offer: GoalOffer,
  outputOfStep: (step: number, type: string) => TaskInput['artifact'],
): TaskInput[] | undefined {
  const inputs: TaskInput[] = []
  for (const { port, type, step: from, attachment, data } of step.inputs) {
    const artifact =
      from !== undefined
        ? outputOfStep(from, type)
        : attachment !== undefined
          ? offer.attachments.find((file) => file.sha256 === attachment)
          : undefined
    if (artifact) inputs.push({ port, type, artifact })
    else if (data) inputs.push({ port, type, data })
    else return undefined
  }
  return inputs
}
