import type { Context } from '../../context.ts'
import { getConversation, listMembers } from '../../conversations/index.ts'
import { parseOrFallback } from '../../db/parse-or-fallback.ts'
import { getHead } from '../../delivery/index.ts'
import { getGoal, listCriterionCheckers, listFollowUps, listGoalRevisions, silenceOutcomeOf } from '../../goals/index.ts'
import { getListing } from '../../registry/index.ts'
import {
  getCharterApproval,
  getGoalCashFlow,
  getHold,
  listPayouts,
  listStepsPayableByDefault,
  type PayoutView,
  paidShareOf,
} from '../../settlement/index.ts'
import { listNewestArtifactsUnchecked, listShownTasks } from '../../tasks/index.ts'
import { findCharterDraft, findTeam, getTeamTerms, listShownSteps, listSubRooms } from '../../teams/index.ts'

/** A participant of a room, for pages. */
export type Participant = {
  readonly did: string
  readonly agentId: string | null
  readonly name: string
  readonly handle: string | null
  readonly role: 'server' | 'client' | 'principal' | 'member'
  readonly hasLeft: boolean
  /** Only in the room of a sub-team. */
  readonly isElsewhere: boolean
}

/**
 * Everything that a goal's page shows besides its messages.
 * @throws goal.not_found
 */
export async function readGoalPage(ctx: Context, goalId: string) {
  const goal = await getGoal(ctx, goalId)
  const [hold, submitted, steps, payouts, { tasks, ...ofTasks }, files, conversation, members, { head }, rooms, followUps, revisions] =
    await Promise.all([
      getHold(ctx, goalId),
      listStepsPayableByDefault(ctx, goalId),
      listShownSteps(ctx, goalId),
      listPayouts(ctx, { goalId }),
      listShownTasks(ctx, goalId),
      listNewestArtifactsUnchecked(ctx, goalId),
      getConversation(ctx, goal.roomId),
      listMembers(ctx, goal.roomId),
      getHead(ctx, goal.roomId),
      listSubRooms(ctx, goalId),
      listFollowUps(ctx, goalId),
      listGoalRevisions(ctx, goalId),
    ])
  const terms = await getTeamTerms(ctx, goalId)
  const { team, draft, approval, unreadable } = await readAgreed(ctx, goalId)
  const nested = rooms.flatMap((room) => room.members).filter((one) => steps.some((step) => step.agentId === one.agentId))
  const participants = await nameAll(ctx, everyoneOf({ members, steps, hired: [...(team?.members ?? []), ...nested] }))
  // After a split the prices of the steps no longer give the refund, so the ledger does.
  const isSplit = payouts.some(({ state, rail, paidAmount }) => state === 'split' || (rail === 'stripe' && paidAmount !== null))
  const refunds = isSplit ? (await getGoalCashFlow(ctx, goalId)).filter((line) => line.kind === 'refund') : []
  const wentBack = isSplit ? refunds.reduce((sum, line) => sum - line.amount, 0n) : null
  return {
    goal,
    hold: { ...hold, wentBack },
    team,
    approval,
    draft: draft && { ...draft, names: await namesIn(ctx, draft.charter.steps) },
    steps,
    payouts: payouts.map(viewPayout),
    submitted,
    tasks,
    artifacts: files.artifacts,
    /** False if older files or tasks are left out. */
    isWhole: ofTasks.isWhole && files.isWhole,
    /** Records that do not parse and are not shown. */
    unreadable,
    conversation,
    head,
    rooms: rooms.map(({ roomId, parentRoomId, taskId, step, agentId, leadId, state, outcome }) => ({
      roomId,
      parentRoomId,
      taskId,
      step,
      agentId,
      leadId,
      state,
      outcome,
    })),
    followUps,
    revisions,
    pausedAt: terms.pausedAt,
    preferences: terms.preferences,
    /** Until when the client can extend the deadline. */
    latestDeadline: new Date(hold.workBy * 1_000),
    silence: silenceOutcomeOf(goal),
    checkers: listCriterionCheckers(goal, steps),
    participants: [serverOf(ctx), ...participants],
  }
}

/** The agreed and proposed charters, as far as they parse. */
async function readAgreed(ctx: Context, goalId: string) {
  const ask = <T>(what: string, read: () => Promise<T>) => parseOrFallback(ctx, { what, id: goalId, otherwise: what }, read)
  const [team, draft, approval] = await Promise.all([
    ask('team', () => findTeam(ctx, goalId)),
    ask('proposal', () => findCharterDraft(ctx, goalId)),
    ask('approval', () => getCharterApproval(ctx, goalId)),
  ])
  return {
    team: typeof team === 'string' ? null : team,
    draft: typeof draft === 'string' ? null : draft,
    approval: typeof approval === 'string' ? null : approval,
    unreadable: [team, draft, approval].filter((one) => typeof one === 'string'),
  }
}

type Hired = { readonly did: string; readonly agentId: string }
type Present = {
  readonly members: Awaited<ReturnType<typeof listMembers>>
  readonly steps: Awaited<ReturnType<typeof listShownSteps>>
  /** Members of the charter's team or of a sub-team. */
  readonly hired: readonly Hired[]
}

function everyoneOf({ members, steps, hired }: Present): Omit<Participant, 'name' | 'handle'>[] {
  const elsewhere = new Map(
    hired.filter((one) => !members.some((member) => member.memberId === one.did)).map((one) => [one.did, one.agentId]),
  )
  const isBelow = (agentId: string) =>
    steps.some((step) => step.agentId === agentId) && steps.every((step) => step.agentId !== agentId || step.roomId !== null)
  return [
    ...members.map((one) => ({
      did: one.memberId,
      agentId: one.agentId,
      role: one.role,
      hasLeft: one.leftAt !== null,
      isElsewhere: false,
    })),
    ...[...elsewhere].map(([did, agentId]) => ({ did, agentId, role: 'member' as const, hasLeft: false, isElsewhere: isBelow(agentId) })),
  ]
}
export type Run = Awaited<ReturnType<typeof readGoalPage>>

function serverOf(ctx: Context): Participant {
  return { did: ctx.market.serverDid, agentId: null, name: 'Parley', handle: null, role: 'server', hasLeft: false, isElsewhere: false }
}

/** Agents of a charter have a name before they are in the room. */
async function namesIn(ctx: Context, steps: readonly { readonly agent_id: string }[]): Promise<{ readonly [agentId: string]: string }> {
  const ids = [...new Set(steps.map((step) => step.agent_id))]
  return Object.fromEntries(await Promise.all(ids.map(async (id) => [id, (await getListing(ctx, id)).name] as const)))
}

async function nameAll(ctx: Context, everyone: readonly Omit<Participant, 'name' | 'handle'>[]): Promise<Participant[]> {
  const ids = [...new Set(everyone.flatMap((one) => one.agentId ?? []))]
  const listings = new Map(await Promise.all(ids.map(async (id) => [id, await getListing(ctx, id)] as const)))
  return everyone.map((one) => {
    const listing = one.agentId === null ? undefined : listings.get(one.agentId)
    const address = one.did.slice(one.did.lastIndexOf(':') + 1)
    const person = one.role === 'client' ? 'Client' : address.slice(0, 10)
    return { ...one, name: listing?.name ?? person, handle: listing?.handle ?? null }
  })
}

function viewPayout(payout: PayoutView) {
  const { step, state, submittedTx } = payout
  return { step, state, submittedTx, paid: payout.paidAmount === null ? null : paidShareOf(payout) }
}
