import type { VetoTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { verifyVeto, vetoCharter } from '../settlement/index.ts'
import { findTeam } from './team-store.ts'

/**
 * The client vetoes a team that it has not approved. That charter pays no one, and the principal may propose another. Also vetoes a
 * charter that is known only on chain, during its veto window.
 * @throws permission.denied except for the client, team.wrong_state, team.signature_invalid
 */
export async function vetoTeam(ctx: Context, input: VetoTeam): Promise<{ goal_id: string; version: number }> {
  await permit(ctx, 'team.veto')
  const { goal_id: goalId, version, reason } = input
  const asked = { goalId, version, reason, signature: input.signature as `0x${string}` }
  const given = await verifyVeto(ctx, asked)
  return inTransaction(ctx, async (tx) => {
    await claimIdempotencyKey(tx, `${goalId}:${version}`, { type: input.type, reason })
    const vetoed = await vetoCharter(tx, asked, given)
    if (vetoed === null) return { goal_id: goalId, version }
    const team = await findTeam(tx, goalId)
    // A veto of a foreign charter is not announced, because the team's own charter stays.
    if (team && vetoed === 'own')
      await postSystemMessage(tx, {
        roomId: team.roomId,
        kind: 'charter.vetoed',
        text: `The client vetoes version ${version} of the charter: ${reason}`,
        data: { version, reason },
      })
    await appendAudit(tx, { stream: goalId, action: 'team.veto', after: { version, reason, signer: given.signer } })
    return { goal_id: goalId, version }
  })
}
