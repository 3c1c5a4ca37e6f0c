import { DomainError } from '../errors.ts'

export const goalNotFound = (goalId: string) =>
  new DomainError('goal.not_found', 'There is no such goal, or it is not yours to see.', {
    hint: 'Sign in with the wallet that posted it.',
    facts: { goal_id: goalId },
  })

export const goalNotClient = (who: string) =>
  new DomainError('goal.not_client', 'Only the client who posted the goal may do that.', { facts: { who } })

export const goalNotPrincipal = (who: string) =>
  new DomainError('goal.not_principal', 'Only the principal that claimed the goal may do that.', { facts: { who } })

export const goalWrongState = (state: string, verb: string) =>
  new DomainError('goal.wrong_state', `The goal is ${state}; ${verb} doesn't go with that.`, { facts: { state, verb } })

export const goalDeadlinePassed = (deadline: Date, earliest: Date) =>
  new DomainError(
    'goal.deadline_passed',
    `The deadline ${deadline.toISOString()} is too soon; work needs time until at least ${earliest.toISOString()}.`,
    {
      hint: 'Choose a later deadline.',
      facts: { deadline: deadline.toISOString(), earliest: earliest.toISOString() },
    },
  )

export const goalBudgetInvalid = (detail: string, facts: { [fact: string]: string }) =>
  new DomainError('goal.budget_invalid', detail, { hint: 'Choose another budget.', facts })

export const goalAlreadyClaimed = (goalId: string) =>
  new DomainError('goal.already_claimed', 'Another principal has claimed this goal.', { facts: { goal_id: goalId } })

export const goalIncomplete = (open: readonly number[]) =>
  new DomainError('goal.incomplete', `Step ${open.join(', ')} is not done; a goal is delivered when all its steps are.`, {
    hint: 'Finish them, or conclude as failed.',
    facts: { open: open.join(',') },
  })
