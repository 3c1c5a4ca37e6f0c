/** The draft of a goal that is posted again with the terms of an earlier one. */
import { formatAmount, type PlannerMode } from '@parley/protocol'
import type { Run } from '@/server/trpc/views/read-goal-page.ts'
import type { ContestDraft } from './contest-draft.ts'
import { emptyDraft, type GoalDraft } from './goal-draft.ts'
import { localTime } from './local-time.ts'

const hourMs = 3_600_000

type Repeated = Pick<Run, 'goal' | 'hold' | 'preferences' | 'latestDeadline'>

/**
 * The terms of `run` as typed, without its files. The deadline is as far from `now` as it was from the posting. `budget`: as typed;
 * null: the same. `follows`: the new goal continues the earlier one, so that finished work is not done twice.
 */
export function draftFromEarlierGoal(
  { goal, hold, preferences, latestDeadline }: Repeated,
  facts: { readonly id: string; readonly now: Date; readonly decimals: number; readonly budget: string | null; readonly follows: boolean },
): GoalDraft {
  const { now, decimals } = facts
  const moved = (at: Date) => localTime(new Date(now.getTime() + Math.max(at.getTime() - goal.postedAt.getTime(), hourMs)))
  const { prefer = [], require = [], exclude = [], max_agents: maxAgents, sub_hiring: allowsSubTeams = true } = preferences ?? {}
  return {
    ...emptyDraft(facts.id, now),
    ...contestFields(goal.contest, moved),
    text: goal.text,
    originalText: goal.originalText ?? '',
    criteria: goal.criteria.map(({ text }) => text),
    values: goal.givenValues,
    budget: facts.budget ?? formatAmount(goal.budget, decimals),
    deadline: moved(goal.deadline),
    reviewHours: String(goal.reviewHours),
    revisionRounds: String(goal.revisionRounds),
    checkedReviewHours: goal.checkedReviewHours === null ? '' : String(goal.checkedReviewHours),
    onSilence: goal.onSilence,
    extensionHours: String(Math.max(0, Math.round((latestDeadline.getTime() - goal.deadline.getTime()) / hourMs))),
    preferredAgents: prefer.join(', '),
    requiredAgents: require.join(', '),
    excludedAgents: exclude.join(', '),
    maxAgents: maxAgents === undefined ? '' : String(maxAgents),
    allowsSubTeams,
    visibility: goal.visibility,
    planner: goal.planner as PlannerMode,
    // The planner of a quoted goal was chosen by the quote. The new goal gets a quote of its own.
    ...(hold.isQuoted ? {} : { planners: goal.planners.join(', '), vetoHours: String(Math.round(hold.vetoSeconds / 3_600)) }),
    rail: hold.rail,
    followsId: facts.follows ? goal.id : '',
  }
}

function contestFields(contest: Run['goal']['contest'], moved: (at: Date) => string): Partial<ContestDraft> {
  if (contest === null) return {}
  const { check } = contest
  const fields = { isContest: true, maxEntries: String(contest.max_entries), entriesBy: moved(new Date(contest.entries_by)) }
  if (!check) return fields
  return { ...fields, checkKind: check.kind, checkText: checkText(check) }
}

function checkText(check: NonNullable<NonNullable<Run['goal']['contest']>['check']>): string {
  switch (check.kind) {
    case 'sha256':
      return check.sha256
    case 'json_schema':
      return JSON.stringify(check.schema, null, 2)
    case 'tests':
      // The form has one field for tests. Blocks keep their variables apart.
      return check.tests.length === 1 ? (check.tests[0]?.body ?? '') : check.tests.map(({ body }) => `{\n${body}\n}`).join('\n')
    default:
      return check satisfies never
  }
}

/** The files that the client attached to the goal, and that were not erased. */
export function attachedFilesOf({ goal, artifacts }: Pick<Run, 'goal' | 'artifacts'>): Run['artifacts'] {
  return artifacts.filter((file) => file.task_id === null && file.by === goal.clientId && !file.erased_at)
}
