import { type ArtifactRef, ArtifactType, type Charter, type Listing, reviewTimeoutOf } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { joinRoom, leaveRoom, postSystemMessage } from '../../conversations/index.ts'
import { inSavepoint } from '../../db/savepoint.ts'
import { enqueue } from '../../delivery/index.ts'
import { DomainError } from '../../errors.ts'
import { formatMarketMoney } from '../../format-market-money.ts'
import { getAgentInboxId, getListing } from '../../registry/index.ts'
import { getHold, type HoldView } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { charterVersionAfter, formSoloTeamOfEntry } from '../../teams/index.ts'
import { entryRefused } from '../errors.ts'
import { advanceGoal, type Goal } from '../goal.ts'
import { saveGoal } from '../goal-store.ts'
import { scheduleEndOfWork } from '../review/end-unconcluded-work.ts'
import { declineWaitingEntries } from './decline-waiting-entries.ts'
import { advanceEntry, type ContestEntry } from './entry.ts'
import { saveEntry } from './entry-store.ts'

/** Who decided: the client, the contest's check, or the client's silence. */
export type EntryDecider = 'client' | 'check' | 'silence'
export type EntrySelection = { readonly goal: Goal; readonly entry: ContestEntry; readonly by: EntryDecider; readonly reason: string }

const planSkill = 'goal.plan'

/**
 * Part of the transaction that decides a contest. The agent becomes the principal, under a charter that pays its entry. Nothing is paid
 * before the client approves that charter, or its veto window ends. `reason`: what the other agents receive.
 * @throws entry.refused, team.charter_invalid
 */
export async function applyEntryChoice(tx: Context, { goal, entry, by, reason }: EntrySelection): Promise<{ version: number }> {
  const listing = await getListing(tx, entry.agentId)
  if (listing.withdrawn_at !== null) throw entryRefused(`The listing of ${listing.handle} was withdrawn.`)
  const charter = await entryCharter(tx, goal, entry, listing)
  // First, because it may refuse: a message that is posted is published, also if a savepoint undoes it.
  const { charterHash } = await formSoloTeamOfEntry(tx, charter)
  const claim = { type: 'goal.claim', principalId: entry.did, principalAgentId: entry.agentId, at: tx.clock.now() } as const
  const started = advanceGoal(advanceGoal(goal, claim), { type: 'goal.start' })
  await replacePrincipal(tx, goal, entry)
  await saveGoal(tx, started)
  await scheduleEndOfWork(tx, goal.id)
  await saveEntry(tx, advanceEntry(entry, { type: 'entry.choose', at: tx.clock.now() }))
  await declineWaitingEntries(tx, goal.id, reason)
  await announceChoice(tx, goal, entry, { by, listing, charter, charterHash })
  await appendAudit(tx, {
    stream: goal.id,
    action: 'entry.choose',
    before: { state: goal.state },
    after: { state: started.state, entry_id: entry.id, agent_id: entry.agentId, by, version: charter.version },
  })
  await enqueue(tx, { type: 'entry.chosen', goal_id: goal.id as never, entry_id: entry.id as never })
  await sendSignal(tx, { topic: 'goal', id: goal.id })
  await sendSignal(tx, { topic: 'market', id: 'goals' })
  return { version: charter.version }
}

/** As `applyEntryChoice`; false, without any change, if the entry can't be paid: its listing was withdrawn, or no charter can pay it. */
export async function trySelectEntry(tx: Context, selection: EntrySelection): Promise<boolean> {
  try {
    await inSavepoint(tx, () => applyEntryChoice(tx, selection))
    return true
  } catch (error) {
    if (error instanceof DomainError && /^(entry\.refused|team\.charter_invalid)$/.test(error.code)) return false
    throw error
  }
}

/**
 * In the room the agent is a plain member: it proposes no charter and assigns no task. So its price stays that of the entry, and the server
 * delivers the entry as it was chosen.
 */
async function replacePrincipal(tx: Context, goal: Goal, { did: memberId, agentId, ownerId }: ContestEntry): Promise<void> {
  if (goal.principalId !== null && goal.principalId !== memberId) await leaveRoom(tx, { roomId: goal.roomId, memberId: goal.principalId })
  await joinRoom(tx, { roomId: goal.roomId, memberId, agentId, ownerId, role: 'member' })
}

type Chosen = { readonly by: EntryDecider; readonly listing: Listing; readonly charter: Charter; readonly charterHash: string }

async function announceChoice(tx: Context, goal: Goal, entry: ContestEntry, { by, listing, charter, charterHash }: Chosen): Promise<void> {
  const facts = { goal_id: goal.id, entry_id: entry.id, agent_id: entry.agentId, price: entry.price.toString(), by }
  const decider = { client: 'The client chose', check: 'The check chose', silence: 'Without a choice of the client, the rule chose' }[by]
  await postSystemMessage(tx, {
    roomId: goal.roomId,
    kind: 'entry.chosen',
    text: `${decider} the entry of ${listing.name} for ${formatMarketMoney(tx.market, entry.price, goal.asset)}.`,
    data: { ...facts, files: entry.files.map(({ sha256 }) => sha256), charter: charter as never, charter_hash: charterHash },
  })
  await postSystemMessage(tx, {
    roomId: await getAgentInboxId(tx, entry.agentId),
    kind: 'entry.decided',
    data: { goal_id: goal.id, entry_id: entry.id, state: 'chosen', room_id: goal.roomId },
  })
}

/** The charter with one step: the entry, for its price. */
async function entryCharter(tx: Context, goal: Goal, entry: ContestEntry, listing: Listing): Promise<Charter> {
  const hold = await getHold(tx, goal.id)
  return {
    v: '1',
    goal_id: goal.id as never,
    room_id: goal.roomId as never,
    version: await charterVersionAfter(tx, goal.id),
    client_id: goal.clientId,
    principal_id: entry.did as never,
    evaluator_id: hold.evaluator.toLowerCase(),
    asset: hold.asset,
    total: hold.total.toString() as never,
    fee_bps: hold.feeBps,
    on_review_timeout: reviewTimeoutOf(hold.onSilence),
    ...planOf(hold),
    steps: [
      {
        step: 1,
        title: 'The chosen entry',
        skill_id: planSkill,
        agent_id: entry.agentId as never,
        sender_id: entry.did as never,
        payee: listing.payout,
        amount: entry.price.toString() as never,
        mode: 'sync',
        depends_on: [],
        inputs: [],
        outputs: outputTypes(entry.files),
        ...(listing.royalties?.length && {
          royalties: listing.royalties.map(({ agent_id, payee, bps }) => ({ agent_id, to: payee, bps })),
        }),
      },
    ],
  }
}

function planOf(hold: HoldView): Pick<Charter, 'plan'> {
  return hold.rail === 'escrow' ? { plan: { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId } } : {}
}

/** The types of the files; a text counts as one. */
function outputTypes(files: readonly ArtifactRef[]): string[] {
  const types = files.map(({ artifact_type }) => artifact_type).filter((type) => ArtifactType.safeParse(type).success)
  return types.length > 0 ? [...new Set(types)] : ['text.plain']
}
