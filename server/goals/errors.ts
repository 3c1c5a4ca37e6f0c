import { DomainError } from '../errors.ts'

export const goalNotFound = (goalId: string) =>
  new DomainError('goal.not_found', 'There is no such goal, or you have no access to it.', {
    hint: 'Sign in with the wallet that posted it.',
    facts: { goal_id: goalId },
  })

export const goalNotClient = (who: string) =>
  new DomainError('goal.not_client', 'Only the client who posted the goal can do this.', { facts: { who } })

export const goalNotPrincipal = (who: string) =>
  new DomainError('goal.not_principal', 'Only the principal that claimed the goal can do this.', { facts: { who } })

export const goalWrongState = (state: string, verb: string) =>
  new DomainError('goal.wrong_state', `The goal is ${state}, so ${verb} is not possible.`, { facts: { state, verb } })

export const goalDeadlinePassed = (deadline: Date, earliest: Date) =>
  new DomainError(
    'goal.deadline_passed',
    `The deadline ${deadline.toISOString()} is too early. The earliest is ${earliest.toISOString()}.`,
    {
      hint: 'Choose a later deadline.',
      facts: { deadline: deadline.toISOString(), earliest: earliest.toISOString() },
    },
  )

export const goalDeadlineTooFar = (deadline: Date, latest: Date, days: number) =>
  new DomainError(
    'goal.deadline_too_far',
    `The deadline ${deadline.toISOString()} is more than ${days} days away. The latest is ${latest.toISOString()}.`,
    {
      hint: 'Choose an earlier deadline.',
      facts: { deadline: deadline.toISOString(), latest: latest.toISOString(), days },
    },
  )

export const goalExtensionTooFar = (deadline: Date, latest: Date) =>
  new DomainError(
    'goal.deadline_too_far',
    `The deadline ${deadline.toISOString()} is later than the terms allow. The latest is ${latest.toISOString()}.`,
    {
      hint: 'Choose an earlier deadline, or continue with a follow-up goal.',
      facts: { deadline: deadline.toISOString(), latest: latest.toISOString() },
    },
  )

export const goalBudgetInvalid = (detail: string, facts: { [fact: string]: string }) =>
  new DomainError('goal.budget_invalid', detail, { hint: 'Choose another budget.', facts })

export const goalFollowsPrivate = (goalId: string) =>
  new DomainError('request.malformed', 'A goal that follows a private goal must be private.', {
    hint: 'Set visibility to private, or omit follows.',
    facts: { goal_id: goalId },
  })

export const goalPlannerInvalid = (detail: string, agentId: string | null) =>
  new DomainError('goal.planner_invalid', detail, {
    hint: 'Send the ids of listed agents with the skill goal.plan.',
    facts: { agent_id: agentId },
  })

export const goalModeUnavailable = (mode: string, available: readonly string[]) =>
  new DomainError('goal.planner_invalid', `No planner online plans in the mode ${mode}.`, {
    hint: `Choose one of ${available.join(', ')}.`,
    facts: { mode, available: available.join(',') },
  })

export const goalPlanMissing = (detail: string, facts: { [fact: string]: string }) =>
  new DomainError('goal.plan_missing', `No agent online has a plan for this goal. ${detail}`, {
    hint: 'Request a quote, change the goal until it has a plan, and post it then. Nothing was posted, and no money moved.',
    facts,
  })

export const planningTooSlow = () =>
  new DomainError('goal.planning_too_slow', 'The planner did not finish reading this text in time.', {
    hint: 'Shorten the text, or attach its data as a file. Nothing was posted, and no money moved.',
  })

export const planningOverloaded = () =>
  new DomainError('goal.planning_overloaded', 'The planner is reading other goals now.', {
    hint: 'Try again in a few seconds. Nothing was posted, and no money moved.',
    facts: { retry_after_seconds: 5 },
  })

export const goalQuoteInvalid = (detail: string) =>
  new DomainError('goal.quote_invalid', `The quote does not count. ${detail}`, {
    hint: 'Request a new quote. Nothing was posted, and no money moved.',
  })

export const demandNotFound = (demandId: string) =>
  new DomainError('demand.not_found', 'There is no such demand of yours.', { facts: { demand_id: demandId } })

export const demandsFull = (max: number) =>
  new DomainError('demand.quota_exceeded', `You have ${max} open demands, which is the maximum.`, {
    hint: 'Withdraw one that you no longer need.',
    facts: { max },
  })

export const contestInvalid = (detail: string) =>
  new DomainError('goal.contest_invalid', detail, { hint: 'Change the terms of the contest. Nothing was posted, and no money moved.' })

export const entryNotFound = (entryId: string) =>
  new DomainError('entry.not_found', 'There is no such entry, or you have no access to it.', { facts: { entry_id: entryId } })

export const entryWrongState = (state: string, verb: string) =>
  new DomainError('entry.wrong_state', `The entry is ${state}, so ${verb} is not possible.`, { facts: { state, verb } })

export const entryRefused = (detail: string) =>
  new DomainError('entry.refused', detail, { hint: 'Read the offer of the contest. The entry was not stored.' })

export const goalAlreadyClaimed = (goalId: string) =>
  new DomainError('goal.already_claimed', 'Another principal has claimed this goal.', { facts: { goal_id: goalId } })

export const erasureHeldBack = (goalId: string, why: string) =>
  new DomainError('message.erasure_blocked', `The messages and files of this goal are still evidence. ${why}`, {
    hint: 'Repeat the request when the goal has ended and none of its money is open or disputed.',
    facts: { goal_id: goalId },
  })

export const messageNotYours = (why: string) =>
  new DomainError('message.not_entitled', `You cannot erase this. ${why}`, {
    hint: 'Ask the author or the client of the goal. An operator must name a legal order.',
  })

export const messageIsRecord = (roomId: string, seq: number) =>
  new DomainError(
    'message.not_erasable',
    'Charters, their answers and the messages of the server cannot be erased. They are the record of payments.',
    {
      facts: { room_id: roomId, seq },
    },
  )

export const messageNotFound = (roomId: string, seq: number) =>
  new DomainError('room.not_found', `This room has no message ${seq}.`, { facts: { room_id: roomId, seq } })

export const fileNotFound = (sha256: string) =>
  new DomainError('artifact.not_found', 'This room has no file with this hash.', { facts: { sha256 } })

export const goalIncomplete = (open: readonly number[]) =>
  new DomainError('goal.incomplete', `Step ${open.join(', ')} is not done. A goal is delivered when all its steps are done.`, {
    hint: 'Complete the steps, or conclude the goal as failed.',
    facts: { open: open.join(',') },
  })

export const revisionsUsed = (rounds: number) =>
  new DomainError(
    'revision.none_left',
    rounds === 0
      ? 'The goal was posted without rounds of changes.'
      : `All ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of changes are used.`,
    { hint: 'Accept the work, or return it with a reason.', facts: { rounds } },
  )

export const revisionTooLate = (deadline: Date) =>
  new DomainError(
    'goal.deadline_passed',
    `Changes can be requested until one minute before the deadline, which is ${deadline.toISOString()}.`,
    {
      hint: 'Accept the work, or return it with a reason.',
      facts: { deadline: deadline.toISOString() },
    },
  )
