import type { Context } from '../../context.ts'
import { getConversation } from '../../conversations/index.ts'
import { type Goal, listGoals, listOwnDemands } from '../../goals/index.ts'
import { getApproval, getHold } from '../../settlement/index.ts'
import { findCharterDraft } from '../../teams/index.ts'
import { readOrFallback } from './read-or-fallback.ts'

/** What a goal needs from its client. `demand`: agents online can now do what the client wanted. */
export type InboxKind = 'fund' | 'question' | 'approve' | 'confirm' | 'review' | 'demand'
export type InboxItem = {
  readonly kind: InboxKind
  /** Of the goal or demand. */
  readonly id: string
  /** The beginning of its text. */
  readonly text: string
  /** When the time to answer ends; null: not before the deadline. */
  readonly until: string | null
}

const maxGoals = 50
const maxText = 200

/** All that waits for the person, newest first. Empty without a login. */
export async function readInbox(ctx: Context): Promise<InboxItem[]> {
  if (ctx.actor.kind !== 'person') return []
  const states = ['funding', 'open', 'underway', 'review'] as const
  const [{ goals }, demands] = await Promise.all([
    listGoals(ctx, { mine: true, states: [...states], limit: maxGoals }),
    listOwnDemands(ctx),
  ])
  const waiting = await Promise.all(
    goals.map((goal) => readOrFallback(ctx, { what: 'inbox', id: goal.id, otherwise: null }, () => itemOf(ctx, goal))),
  )
  const met = demands
    .filter(({ state }) => state === 'met')
    .map(({ id, text }): InboxItem => ({ kind: 'demand', id, text: text.slice(0, maxText), until: null }))
  return [...waiting.filter((item) => item !== null), ...met]
}

async function itemOf(ctx: Context, goal: Goal): Promise<InboxItem | null> {
  const found = await waitsFor(ctx, goal)
  return found && { ...found, id: goal.id, text: goal.text.slice(0, maxText) }
}

type Wait = Pick<InboxItem, 'kind' | 'until'>

async function waitsFor(ctx: Context, goal: Goal): Promise<Wait | null> {
  if (goal.state === 'funding') return (await getHold(ctx, goal.id)).isSigned ? null : { kind: 'fund', until: goal.deadline.toISOString() }
  if (goal.state === 'review') return { kind: 'review', until: goal.reviewBy.toISOString() }
  const { openQuestionId } = await getConversation(ctx, goal.roomId)
  if (openQuestionId !== null) return { kind: 'question', until: null }
  const { state, payableFrom } = await getApproval(ctx, goal.id)
  if (state === 'open') return { kind: 'approve', until: null }
  if (state === 'proposed') return { kind: 'approve', until: payableFrom === null ? null : new Date(payableFrom * 1_000).toISOString() }
  const draft = goal.planner === 'copilot' ? await findCharterDraft(ctx, goal.id) : null
  return draft?.state === 'submitted' ? { kind: 'confirm', until: null } : null
}
