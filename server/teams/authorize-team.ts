import type { AuthorizeTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { permit } from '../policy/index.ts'
import { authorizeCharter, verifyCharterApproval } from '../settlement/index.ts'
import { getTeam } from './team-store.ts'

/**
 * The client approves the team that all members have signed, with its wallet or the session key of its terms. Idempotent.
 * @throws permission.denied except for the client, team.wrong_state, team.signature_invalid
 */
export async function authorizeTeam(ctx: Context, input: AuthorizeTeam): Promise<{ goal_id: string; version: number }> {
  await permit(ctx, 'team.authorize')
  const { goal_id: goalId, version } = input
  const asked = { goalId, version, signature: input.signature as `0x${string}` }
  const given = await verifyCharterApproval(ctx, asked)
  return inTransaction(ctx, async (tx) => {
    if (!(await authorizeCharter(tx, asked, given))) return { goal_id: goalId, version }
    const team = await getTeam(tx, goalId)
    await postSystemMessage(tx, {
      roomId: team.roomId,
      kind: 'charter.authorized',
      text: 'The client approves the team.',
      data: { version, charter_hash: team.charterHash, authorization: { signer: given.signer, signature: given.signature } },
    })
    await appendAudit(tx, { stream: goalId, action: 'team.authorize', after: { version, signer: given.signer } })
    return { goal_id: goalId, version }
  })
}
