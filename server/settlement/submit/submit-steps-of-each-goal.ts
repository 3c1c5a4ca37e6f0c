import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { raiseAlarmForError } from '../alarms/operator-alarms.ts'

/** Submits the steps of each goal. A failure of one does not affect the others, and the next cycle repeats it. */
export async function submitStepsOfEachGoal(
  ctx: Context,
  goals: readonly { readonly goalId: string }[],
  submit: (ctx: Context, goalId: string) => Promise<void>,
): Promise<void> {
  for (const { goalId } of goals) {
    try {
      await submit(ctx, goalId)
    } catch (error) {
      await raiseAlarmForError(ctx, error)
      ctx.log[error instanceof DomainError ? 'warn' : 'error'](
        { event: 'step.submission_failed', goal: goalId, err: error },
        'Steps were not submitted. The next cycle retries them.',
      )
    }
  }
}
