import type { Context } from '../../context.ts'
import { getConversation } from '../../conversations/index.ts'
import { parseOrFallback } from '../../db/parse-or-fallback.ts'
import { findPendingEntryChoice, type Goal, listOwnDemands, listUnfinishedGoals, reminderAt } from '../../goals/index.ts'
import { getCharterApproval, getHold, listStepsPayableByDefault } from '../../settlement/index.ts'
import { findCharterDraft } from '../../teams/index.ts'

/**
 * What a goal needs from its client, in the order of a goal's life. `submission`: the escrow will pay work that was not reviewed. `demand`:
 * agents online can now do what the client wanted.
 */
export const inboxKinds = ['fund', 'question', 'approve', 'confirm', 'review', 'submission', 'demand'] as const
export type InboxKind = (typeof inboxKinds)[number]
export type InboxItem = {
  readonly kind: InboxKind
  /** Of the goal or demand. */
  readonly id: string
  /** What exactly waits: a second question of one goal has another subject. */
  readonly subject: string
  /** The beginning of its text. */
  readonly text: string
  readonly isPrivate: boolean
  readonly postedAt: string
  /** When the time to answer ends; null: not before the deadline. */
  readonly until: string | null
}

const maxText = 200
/** Goals that are read at a time, each with several queries. */
const goalsAtOnce = 50

/** All that waits for the person, newest first. Empty without a login. */
export async function readPersonInbox(ctx: Context): Promise<InboxItem[]> {
  if (ctx.actor.kind !== 'person') return []
  const [goals, demands] = await Promise.all([listUnfinishedGoals(ctx), listOwnDemands(ctx)])
  const waiting: (InboxItem | null)[] = []
  for (let from = 0; from < goals.length; from += goalsAtOnce) {
    const some = goals.slice(from, from + goalsAtOnce)
    waiting.push(
      ...(await Promise.all(
        some.map((goal) => parseOrFallback(ctx, { what: 'inbox', id: goal.id, otherwise: null }, () => itemOf(ctx, goal))),
      )),
    )
  }
  const met = demands
    .filter(({ state }) => state === 'met')
    .map(
      ({ id, text, posted_at: postedAt }): InboxItem => ({
        ...{ kind: 'demand', id, subject: id, text: text.slice(0, maxText), postedAt },
        // Open demands are public.
        ...{ isPrivate: false, until: null },
      }),
    )
  return [...waiting.filter((item) => item !== null), ...met]
}

async function itemOf(ctx: Context, goal: Goal): Promise<InboxItem | null> {
  const found = await waitsFor(ctx, goal)
  if (found === null) return null
  const { id, text, visibility, postedAt } = goal
  const { subject, ...wait } = found
  return {
    ...wait,
    ...{ id, text: text.slice(0, maxText), isPrivate: visibility === 'private', postedAt: postedAt.toISOString() },
    subject: subject === null ? id : `${id}/${subject}`,
  }
}

type Wait = Pick<InboxItem, 'kind' | 'until'> & {
  /** Distinguishes the second wait of one kind from the first; null: a goal has one at most. */
  readonly subject: string | number | null
}

async function waitsFor(ctx: Context, goal: Goal): Promise<Wait | null> {
  if (goal.state === 'funding')
    return (await getHold(ctx, goal.id)).isSigned ? null : { kind: 'fund', subject: null, until: goal.deadline.toISOString() }
  if (goal.state === 'review') {
    // The second notice, in the middle of the review, has another subject.
    const isSecond = ctx.clock.now() >= reminderAt(goal)
    return { kind: 'review', subject: isSecond ? `${goal.conclusionSeq}/2` : goal.conclusionSeq, until: goal.reviewBy.toISOString() }
  }
  if (goal.state === 'settling') return submissionOf(ctx, goal.id)
  const choice = await findPendingEntryChoice(ctx, goal)
  // When entries close, the second notice has another subject.
  if (choice) return { kind: 'review', subject: choice.isClosed ? 'entries/2' : 'entries', until: choice.dueAt.toISOString() }
  const { openQuestionId } = await getConversation(ctx, goal.roomId)
  if (openQuestionId !== null) return { kind: 'question', subject: openQuestionId, until: null }
  const { state, version, payableFrom } = await getCharterApproval(ctx, goal.id)
  if (state === 'open') return { kind: 'approve', subject: version, until: null }
  if (state === 'proposed')
    return { kind: 'approve', subject: version, until: payableFrom === null ? null : new Date(payableFrom * 1_000).toISOString() }
  const draft = goal.planner === 'copilot' ? await findCharterDraft(ctx, goal.id) : null
  return draft?.state === 'submitted' ? { kind: 'confirm', subject: draft.number, until: null } : null
}

/** A returned or unfinished step that its payee submitted to the escrow. Only a dispute keeps the escrow from paying it. */
async function submissionOf(ctx: Context, goalId: string): Promise<Wait | null> {
  const payable = await listStepsPayableByDefault(ctx, goalId)
  if (payable === null || payable.outcome === 'refund' || payable.payableAt <= ctx.clock.now()) return null
  return { kind: 'submission', subject: payable.steps.join('-'), until: payable.payableAt.toISOString() }
}
