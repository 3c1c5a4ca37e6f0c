import { createHash } from 'node:crypto'
import { type ArtifactRef, type Charter, canonicalBytes, type Json, type PostGoal } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Actor, Context } from '../../context.ts'
import { openRoom, postInTransaction } from '../../conversations/index.ts'
import { inTransaction, isUniqueViolation } from '../../db.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { assetOf, openHold } from '../../settlement/index.ts'
import { attachArtifact, copyArtifacts } from '../../tasks/index.ts'
import { saveTeamPreferences } from '../../teams/index.ts'
import { requireContest } from '../contest/read-contest-terms.ts'
import { goalNotClient } from '../errors.ts'
import { requirePlanBeforeFunding } from '../planners/require-plan-before-funding.ts'
import { requireValidNamedPlanners } from '../planners/require-valid-named-planners.ts'
import { buildQuotedCharter, type QuotedTeam } from './build-quoted-charter.ts'
import { requireFollowable } from './follow-up-goal.ts'
import { requireEnoughTimeAndBudget } from './require-enough-time-and-budget.ts'

export type PostedGoal = { readonly goal_id: string; readonly room_id: string }

/** A client posts a goal. It stays private, and nothing is owed, until the hold is authorized. */
export async function postGoal(ctx: Context, input: PostGoal): Promise<PostedGoal> {
  await permit(ctx, 'goal.post')
  const { actor } = ctx
  if (actor.kind !== 'person') throw goalNotClient(actor.kind)
  const brief = input.goal
  requireEnoughTimeAndBudget(ctx, brief)
  const findPosted = () => ctx.db.goal.findUnique({ where: { clientId_postId: { clientId: actor.did, postId: input.id } } })
  const posted = await findPosted()
  if (posted) return repeated(ctx, input, posted)
  requireContest(ctx, input)
  await requireValidNamedPlanners(ctx, brief)
  const quoted = await requirePlanBeforeFunding(ctx, input)
  const former =
    brief.follows === undefined
      ? null
      : await requireFollowable(ctx, { goalId: brief.follows, clientId: actor.did, visibility: brief.visibility })
  try {
    return await inTransaction(ctx, (tx) => createGoal(tx, { input, client: actor, former, quoted }))
  } catch (error) {
    // The same command arrived twice at once. The other one has won, and its answer counts.
    const other = isUniqueViolation(error) ? await findPosted() : null
    if (other) return repeated(ctx, input, other)
    throw error
  }
}

type Posting = {
  readonly input: PostGoal
  readonly client: Extract<Actor, { kind: 'person' }>
  /** The goal that this one follows. */
  readonly former: Awaited<ReturnType<typeof requireFollowable>> | null
  /** The team that the client approves with its funding; null in an open bounty. */
  readonly quoted: QuotedTeam | null
}

/** Creates the goal, its room with the brief, and its hold. */
async function createGoal(tx: Context, posting: Posting): Promise<PostedGoal> {
  const { input, client } = posting
  const brief = input.goal
  await claimIdempotencyKey(tx, input.id, input)
  const goalId = tx.ids.next('gol')
  const roomId = await openRoom(tx, {
    goalId,
    clientId: client.did,
    requiresConfirmation: brief.planner === 'copilot',
    messageLimits: brief.message_limits,
  })
  await insertGoal(tx, posting, { goalId, roomId })
  if (brief.team) await saveTeamPreferences(tx, goalId, brief.team)
  const attachments = await attachAll(tx, posting, goalId)
  await announceBrief(tx, posting, { roomId, attachments })
  const briefHash = createHash('sha256')
    .update(canonicalBytes({ ...brief, attachments: attachments.map((one) => one.sha256) } as Json))
    .digest('hex')
  await openHold(tx, {
    goalId,
    rail: brief.rail,
    client: client.address,
    total: BigInt(brief.budget),
    // The rail's deadlines count from the latest time to which the deadline can be extended.
    workBy: seconds(new Date(brief.deadline)) + brief.max_extension_hours * 3_600,
    reviewSeconds: brief.review_hours * 3_600,
    authorizer: brief.authorizer as `0x${string}` | undefined,
    vetoSeconds: brief.veto_hours * 3_600,
    onSilence: brief.on_silence,
    briefHash: `0x${briefHash}`,
    charter: quotedCharterOf(tx, posting, { goalId, roomId, attachments }),
  })
  const { deadline, visibility, planner, planners } = brief
  await appendAudit(tx, {
    stream: goalId,
    action: 'goal.post',
    after: {
      ...{ state: 'funding', budget: BigInt(brief.budget), deadline, visibility, planner, planners },
      ...{ quoted: posting.quoted !== null, contest: brief.contest !== undefined },
    },
  })
  await enqueue(tx, { type: 'goal.posted', goal_id: goalId })
  return { goal_id: goalId, room_id: roomId }
}

type Placed = { readonly goalId: string; readonly roomId: string; readonly attachments: readonly ArtifactRef[] }

/** The charter of a quoted goal; undefined in an open bounty. */
function quotedCharterOf(tx: Context, { input, client, quoted }: Posting, { goalId, roomId, attachments }: Placed): Charter | undefined {
  if (quoted === null) return undefined
  const { budget, rail, on_silence } = input.goal
  const { evaluator, feeBps } = tx.market
  const frame = { goal_id: goalId, room_id: roomId, client_id: client.did, evaluator_id: evaluator.toLowerCase() }
  return buildQuotedCharter(quoted, { ...frame, asset: assetOf(tx, rail), total: budget, fee_bps: feeBps, on_silence }, attachments)
}

async function insertGoal(tx: Context, { input, client, former, quoted }: Posting, ids: { goalId: string; roomId: string }): Promise<void> {
  const brief = input.goal
  await tx.db.goal.create({
    data: {
      id: ids.goalId,
      postId: input.id,
      state: 'funding',
      clientId: client.did,
      text: brief.text,
      originalText: brief.original_text || null,
      criteria: brief.criteria as object[],
      givenValues: (brief.values ?? []) as object[],
      ...(brief.contest && { contest: brief.contest as object }),
      budget: BigInt(brief.budget),
      asset: assetOf(tx, brief.rail),
      deadline: new Date(brief.deadline),
      reviewHours: brief.review_hours,
      revisionRounds: brief.revision_rounds,
      checkedReviewHours: brief.checked_review_hours ?? null,
      onSilence: brief.on_silence,
      visibility: brief.visibility,
      planner: brief.planner,
      // Only the planner of a quoted team can lead it.
      planners: quoted ? [quoted.planner.agent_id] : [...new Set(brief.planners)],
      roomId: ids.roomId,
      followsId: former?.id ?? null,
      postedAt: tx.clock.now(),
    },
  })
}

/** Attaches the uploads, then the artifacts of the goal that this one follows. */
async function attachAll(tx: Context, { input, client, former }: Posting, goalId: string): Promise<readonly ArtifactRef[]> {
  const isTeamOnly = input.goal.attachment_readers === 'team'
  const attachments: ArtifactRef[] = []
  for (const upload of input.attachments)
    attachments.push(await attachArtifact(tx, { goalId, upload, taskId: null, by: client.did, isTeamOnly }))
  if (former) attachments.push(...(await copyArtifacts(tx, { from: former.id, to: goalId, by: client.did })))
  return attachments
}

type Announcement = { readonly roomId: string; readonly attachments: readonly ArtifactRef[] }

/** Posts the brief as the first message of the goal's room. */
async function announceBrief(tx: Context, { input, former }: Posting, { roomId, attachments }: Announcement): Promise<void> {
  const { text, original_text, criteria, values, contest, deadline, review_hours, revision_rounds, on_silence } = input.goal
  const written = {
    ...(original_text && { original_text }),
    ...(values && values.length > 0 && { values: values as never }),
    ...(contest && { contest: contest as never }),
  }
  const follows = former && { follows: { goal_id: former.id, room_id: former.roomId } }
  await postInTransaction(tx, {
    roomId,
    message: {
      act: 'discussion',
      state: 'discussion',
      parts: [
        { text },
        {
          data: { kind: 'goal', criteria: criteria as never, deadline, ...written, review_hours, revision_rounds, on_silence, ...follows },
        },
        ...attachments.map((artifact) => ({ artifact })),
      ],
    },
  })
}

/** @throws request.id_reused */
async function repeated(ctx: Context, input: PostGoal, { id, roomId }: { id: string; roomId: string }): Promise<PostedGoal> {
  await claimIdempotencyKey(ctx, input.id, input)
  return { goal_id: id, room_id: roomId }
}
