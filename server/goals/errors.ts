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

export const goalDeadlineTooFar = (deadline: Date, latest: Date, days: number) =>
  new DomainError(
    'goal.deadline_too_far',
    `The deadline ${deadline.toISOString()} is too far away: it can be ${days} days from now at most, until ${latest.toISOString()}.`,
    {
      hint: 'Choose an earlier deadline.',
      facts: { deadline: deadline.toISOString(), latest: latest.toISOString(), days },
    },
  )

export const goalBudgetInvalid = (detail: string, facts: { [fact: string]: string }) =>
  new DomainError('goal.budget_invalid', detail, { hint: 'Choose another budget.', facts })

export const goalFollowsPrivate = (goalId: string) =>
  new DomainError('request.malformed', 'A goal that continues a private goal is private too.', {
    hint: 'Post it with visibility private, or without follows.',
    facts: { goal_id: goalId },
  })

export const goalPlannerInvalid = (detail: string, agentId: string | null) =>
  new DomainError('goal.planner_invalid', detail, {
    hint: 'Name agents by their ids that are on offer with the skill goal.plan.',
    facts: { agent_id: agentId },
  })

export const goalAlreadyClaimed = (goalId: string) =>
  new DomainError('goal.already_claimed', 'Another principal has claimed this goal.', { facts: { goal_id: goalId } })

export const erasureHeldBack = (goalId: string, why: string) =>
  new DomainError('message.held_back', `What was said and made for this goal is evidence still. ${why}`, {
    hint: 'Ask again when the goal is over and nothing of its money is open or disputed.',
    facts: { goal_id: goalId },
  })

export const messageNotYours = (why: string) =>
  new DomainError('message.not_yours', `It is not yours to erase. ${why}`, {
    hint: 'Ask whoever said it, or the client of the goal; operators name the order that they follow.',
  })

export const messageIsRecord = (groupId: string, seq: number) =>
  new DomainError('message.is_record', 'Charters, the answers to them and the server’s own messages stay: they say who is owed what.', {
    facts: { group_id: groupId, seq },
  })

export const messageNotFound = (groupId: string, seq: number) =>
  new DomainError('group.not_found', `This room has no message ${seq}.`, { facts: { group_id: groupId, seq } })

export const fileNotFound = (sha256: string) =>
  new DomainError('artifact.not_found', 'There is no such file in this room.', { facts: { sha256 } })

export const goalIncomplete = (open: readonly number[]) =>
  new DomainError('goal.incomplete', `Step ${open.join(', ')} is not done; a goal is delivered when all its steps are.`, {
    hint: 'Finish them, or conclude as failed.',
    facts: { open: open.join(',') },
  })
