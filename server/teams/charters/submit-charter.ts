import { charterFaults, charterHash, type SubmitCharter } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { getConversation, postSystemMessage, requireMember } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { charterWrongState, teamCharterInvalid, teamNotPrincipal } from '../errors.ts'
import { listSubTeams } from '../sub-teams/sub-team-store.ts'
import { findTeam } from '../team-store.ts'
import { findCharterDraft } from './charter-draft.ts'
import { findCharterFaults } from './find-charter-faults.ts'
import { findSubTeamStepFaults } from './find-sub-team-step-faults.ts'
import { listSteps, unchangedStepFaults } from './step-store.ts'

/** The principal submits a charter for the client's confirmation. It replaces the earlier draft. */
export async function submitCharter(ctx: Context, input: SubmitCharter): Promise<{ charter_hash: string; number: number }> {
  await permit(ctx, 'charter.submit')
  const { charter, goal_id: goalId } = input
  const hash = await charterHash(charter)
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${goalId} for update`
    const member = await requireMember(tx, charter.room_id)
    if (member.role !== 'principal') throw teamNotPrincipal(member.memberId)
    const room = await getConversation(tx, charter.room_id)
    if (!room.requiresConfirmation) throw charterWrongState('of a goal whose client is not asked', 'charter.submit')
    await claimIdempotencyKey(tx, hash, input)
    const earlier = await findCharterDraft(tx, goalId, hash)
    if (earlier) return { charter_hash: hash, number: earlier.number }
    const [team, steps] = [await findTeam(tx, goalId), await listSteps(tx, goalId)]
    const faults = [
      ...charterFaults(charter),
      ...(await findCharterFaults(tx, {
        goalId,
        charter,
        principal: member.memberId,
        team,
        steps,
        mayChange: (step) => step.parent === undefined,
      })),
      ...unchangedStepFaults(steps, charter),
      ...findSubTeamStepFaults(team?.charter ?? null, charter, await listSubTeams(tx, goalId)),
    ]
    if (faults.length > 0) throw teamCharterInvalid(faults)
    const number = 1 + ((await findCharterDraft(tx, goalId))?.number ?? 0)
    await tx.db.charterDraft.create({
      data: {
        goalId,
        charterHash: hash,
        number,
        charter: charter as object,
        rationale: input.reason,
        state: 'submitted',
        steps: [],
        submittedAt: tx.clock.now(),
      },
    })
    await postSystemMessage(tx, {
      roomId: charter.room_id,
      state: 'task_assignment',
      kind: 'charter.submitted',
      text: 'The charter waits for the client’s approval; no agent is invited before.',
      data: { number, charter_hash: hash, charter: charter as never },
    })
    await appendAudit(tx, { stream: goalId, action: 'charter.submit', after: { number, charter_hash: hash, version: charter.version } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { charter_hash: hash, number }
  })
}
