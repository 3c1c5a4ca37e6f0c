import type { ArtifactRef, EntryState } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { getListing } from '../../registry/index.ts'
import { readFileUnchecked } from '../../tasks/index.ts'
import { entryNotFound } from '../errors.ts'
import { type Goal, isGoalOver } from '../goal.ts'
import { getGoal } from '../read-goals.ts'
import { isChoiceOpen } from './chosen-entry-charter-state.ts'
import type { ContestEntry, EntryVerdict } from './entry.ts'
import { getEntryUnchecked, listEntriesUnchecked } from './entry-store.ts'

/** An entry for a page. */
export type EntryView = {
  readonly id: string
  readonly agent_id: string
  readonly handle: string
  readonly name: string
  readonly price: bigint
  readonly text: string
  readonly files: readonly ArtifactRef[]
  readonly state: EntryState
  /** Whether the reader can choose it now. */
  readonly can_choose: boolean
  readonly verdict: EntryVerdict | null
  readonly reason: string | null
  readonly submitted_at: string
  /** When its text and files were erased; null if they were not. */
  readonly erased_at: string | null
  /** Whether the reader may erase it now without a legal order. */
  readonly can_erase: boolean
}

/**
 * The entries of a contest that the actor may read: the client all, the owner of an agent its own, another person none.
 * @throws goal.not_found
 */
export async function listEntries(ctx: Context, goalId: string): Promise<EntryView[]> {
  const goal = await getGoal(ctx, goalId)
  const entries = await listEntriesUnchecked(ctx, goalId)
  const readable = entries.filter((entry) => mayRead(ctx, entry, goal.clientId) && entry.state !== 'replaced')
  const isClient = ctx.actor.kind === 'person' && ctx.actor.did === goal.clientId
  const chosen = entries.find(({ state }) => state === 'chosen') ?? null
  const isOpen = isClient && (await isChoiceOpen(ctx, goal, chosen))
  return Promise.all(
    readable.map(async (entry) => ({
      ...(await viewOf(ctx, entry)),
      can_choose: isOpen && entry !== chosen,
      can_erase: canErase(ctx, goal, entry),
    })),
  )
}

/**
 * A file of an entry.
 * @throws entry.not_found, also if the actor may not read it
 */
export async function readEntryFile(
  ctx: Context,
  { entryId, sha256 }: { readonly entryId: string; readonly sha256: string },
): Promise<{ artifact: ArtifactRef; bytes: Uint8Array<ArrayBuffer> }> {
  const entry = await getEntryUnchecked(ctx, entryId)
  const goal = await ctx.db.goal.findUnique({ where: { id: entry.goalId }, select: { clientId: true } })
  const artifact = entry.files.find((file) => file.sha256 === sha256)
  if (!goal || !artifact || !mayRead(ctx, entry, goal.clientId)) throw entryNotFound(entryId)
  return { artifact, bytes: await readFileUnchecked(ctx, sha256) }
}

/** For the page; `entry.erase` decides. */
function canErase({ actor }: Context, goal: Goal, { erasedAt, ownerId, state }: ContestEntry): boolean {
  if (!isGoalOver(goal) || erasedAt !== null || actor.kind !== 'person') return false
  return actor.did === goal.clientId || (actor.did === ownerId && !(state === 'chosen' && goal.state === 'paid'))
}

function mayRead({ actor }: Context, entry: ContestEntry, clientId: string): boolean {
  if (actor.kind === 'system') return true
  if (actor.kind === 'agent') return actor.agentId === entry.agentId
  return actor.kind === 'person' && (actor.did === clientId || actor.did === entry.ownerId || actor.isOperator)
}

async function viewOf(ctx: Context, entry: ContestEntry): Promise<Omit<EntryView, 'can_choose' | 'can_erase'>> {
  const { id, agentId: agent_id, price, text, files, state, verdict, reason, submittedAt, erasedAt } = entry
  const { handle, name } = await getListing(ctx, agent_id)
  const times = { submitted_at: submittedAt.toISOString(), erased_at: erasedAt?.toISOString() ?? null }
  return { id, agent_id, handle, name, price, text, files, state, verdict, reason, ...times }
}
