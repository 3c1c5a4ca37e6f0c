import type { SealTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction, requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { saveAndSubmitSealedCharter } from './charters/save-and-submit-sealed-charter.ts'
import { teamNotPrincipal } from './errors.ts'
import { listMemberSignatures } from './member-signature.ts'
import { sealSubTeam } from './sub-teams/seal-sub-team.ts'
import { subTeamIn } from './sub-teams/sub-team-store.ts'
import { advanceTeam } from './team.ts'
import { lockTeam, saveTeam } from './team-store.ts'

/** Seals the charter that every member has signed, and submits it to the rail. Work starts once it is recorded. */
export async function sealTeam(ctx: Context, input: SealTeam): Promise<{ goal_id: string; version: number }> {
  await permit(ctx, 'team.seal')
  return inTransaction(ctx, async (tx) => {
    const roomId = await subTeamIn(tx, input)
    if (roomId !== null) return sealSubTeam(tx, { roomId, command: input })
    const team = await lockTeam(tx, input.goal_id)
    const member = await requireMember(tx, team.roomId)
    if (member.role !== 'principal') throw teamNotPrincipal(member.memberId)
    if (team.state === 'sealed') {
      await claimIdempotencyKey(tx, team.charterHash, input)
      return { goal_id: team.goalId, version: team.version }
    }
    const sealed = advanceTeam(team, { type: 'team.seal', at: tx.clock.now() })
    await postInTransaction(tx, {
      roomId: team.roomId,
      given: input.envelope,
      message: {
        act: 'discussion',
        state: 'task_assignment',
        parts: [{ text: 'Every member has signed the charter; it is recorded now.' }],
      },
    })
    await claimIdempotencyKey(tx, team.charterHash, input)
    await saveTeam(tx, sealed)
    await saveAndSubmitSealedCharter(tx, {
      charter: team.charter,
      charterHash: team.charterHash,
      memberSignatures: await listMemberSignatures(tx, team.charter),
    })
    await appendAudit(tx, {
      stream: team.goalId,
      action: 'team.seal',
      before: { state: team.state },
      after: { state: sealed.state, version: team.version, charter_hash: team.charterHash },
    })
    await enqueue(tx, { type: 'team.sealed', goal_id: team.charter.goal_id, version: team.version })
    return { goal_id: team.goalId, version: team.version }
  })
}
