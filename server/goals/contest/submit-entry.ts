import { type ArtifactRef, maxEntriesPerAgent, payableOf, type SubmitEntry } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Actor, Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { formatMarketMoney } from '../../format-market-money.ts'
import { permit } from '../../policy/index.ts'
import { getListing } from '../../registry/index.ts'
import { requireAcceptableText } from '../../safety/index.ts'
import { getHold } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { storeFile } from '../../tasks/index.ts'
import { requireNotPaused } from '../../teams/index.ts'
import { entryRefused, goalNotFound, goalNotPrincipal, goalWrongState } from '../errors.ts'
import type { Goal } from '../goal.ts'
import { lockGoal } from '../goal-store.ts'
import { isEligiblePlanner } from '../planners/is-eligible-planner.ts'
import { advanceEntry, type ContestEntry } from './entry.ts'
import { listEntriesUnchecked, saveEntry } from './entry-store.ts'

export type SubmittedEntry = { readonly goal_id: string; readonly entry_id: string; readonly state: string }

/**
 * An agent submits finished work to a contest. Only the client, the agent and its owner can read it. It replaces the agent's earlier entry.
 * @throws entry.refused, goal.not_found, goal.not_principal, goal.wrong_state, goal.paused, content.refused, task.artifact_invalid
 */
export async function submitEntry(ctx: Context, input: SubmitEntry): Promise<SubmittedEntry> {
  await permit(ctx, 'entry.submit')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw goalNotPrincipal(actor.kind)
  if (input.text.trim() === '' && input.artifacts.length === 0) throw entryRefused('An entry has a text or a file.')
  if (input.text !== '') requireAcceptableText(ctx, input.text, 'text')
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    const ownerId = await requireAdmitted(tx, goal, actor)
    await claimIdempotencyKey(tx, input.entry_id, input)
    const known = await tx.db.entry.findUnique({ where: { id: input.entry_id } })
    if (known?.agentId === actor.agentId) return { goal_id: known.goalId, entry_id: known.id, state: known.state }
    await requireOpen(tx, goal, input)
    if (known) throw entryRefused('Another entry has this id.')
    const entries = await listEntriesUnchecked(tx, goal.id)
    requirePlace(goal, entries, { agentId: actor.agentId, ownerId })
    for (const former of entries)
      if (former.agentId === actor.agentId && former.state === 'submitted')
        await saveEntry(tx, advanceEntry(former, { type: 'entry.replace' }))
    const files: ArtifactRef[] = []
    for (const upload of input.artifacts) files.push(await storeFile(tx, upload))
    await insertEntry(tx, input, { files, agentId: actor.agentId, did: actor.did, ownerId })
    return { goal_id: goal.id, entry_id: input.entry_id, state: 'submitted' }
  })
}

/** Passes for a planner to which the goal is offered; a private goal looks like an unknown one to any other agent. */
async function requireAdmitted(tx: Context, goal: Goal, { agentId, did }: Extract<Actor, { kind: 'agent' }>): Promise<string> {
  const listing = await getListing(tx, agentId)
  const isPlanner = !listing.home && listing.withdrawn_at === null && listing.skills.some((skill) => skill.id === 'goal.plan')
  const ownerId = listing.owner_id
  if (isPlanner && goal.openedAt !== null && isEligiblePlanner(tx, goal, { agentId, ownerId })) return ownerId
  throw goal.visibility === 'private' || goal.openedAt === null ? goalNotFound(goal.id) : goalNotPrincipal(did)
}

async function requireOpen(tx: Context, goal: Goal, { price }: SubmitEntry): Promise<void> {
  if (goal.contest === null) throw goalWrongState('no contest', 'entry.submit')
  if (goal.state !== 'open') throw goalWrongState(goal.state, 'entry.submit')
  await requireNotPaused(tx, goal.id)
  const closes = new Date(goal.contest.entries_by)
  if (tx.clock.now() >= closes) throw entryRefused(`Entries were accepted until ${closes.toISOString()}.`)
  const hold = await getHold(tx, goal.id)
  const payable = payableOf(hold.total, hold.feeBps)
  if (BigInt(price) <= 0n || BigInt(price) > payable)
    throw entryRefused(
      `The price is 1 to ${payable} base units: at most ${formatMarketMoney(tx.market, payable, hold.asset)}, the \`payable\` of the offer.`,
    )
}

/** One owner takes one place, with one agent. The client takes none. */
function requirePlace(goal: Goal, entries: readonly ContestEntry[], { agentId, ownerId }: Pick<ContestEntry, 'agentId' | 'ownerId'>): void {
  if (ownerId === goal.clientId) throw entryRefused('The client of a contest can’t submit to it.')
  if (entries.some((one) => one.ownerId === ownerId && one.agentId !== agentId))
    throw entryRefused('Another agent of the same owner has submitted to this contest.')
  const own = entries.filter((one) => one.agentId === agentId).length
  if (own >= maxEntriesPerAgent) throw entryRefused(`One agent submits at most ${maxEntriesPerAgent} times.`)
  const agents = new Set(entries.map((one) => one.agentId))
  const max = goal.contest?.max_entries ?? 0
  if (own === 0 && agents.size >= max) throw entryRefused(`This contest takes ${max} agents, and all places are taken.`)
}

async function insertEntry(
  tx: Context,
  { goal_id: goalId, entry_id: id, price, text }: SubmitEntry,
  by: Pick<ContestEntry, 'files' | 'agentId' | 'did' | 'ownerId'>,
): Promise<void> {
  const { files, ...agent } = by
  await tx.db.entry.create({
    data: {
      ...{ id, goalId, ...agent, price: BigInt(price), text },
      ...{ files: files as object[], state: 'submitted', submittedAt: tx.clock.now() },
    },
  })
  await appendAudit(tx, {
    stream: goalId,
    action: 'entry.submit',
    after: { entry_id: id, agent_id: agent.agentId, price, files: files.map(({ sha256 }) => sha256) },
  })
  await enqueue(tx, { type: 'entry.submitted', goal_id: goalId as never, entry_id: id as never })
  await sendSignal(tx, { topic: 'goal', id: goalId })
}
