import type { AcceptTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { speak } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { teamCharterChanged, teamNotMember } from './errors.ts'
import { lockTeam, saveTeam } from './store.ts'
import { advanceTeam } from './team.ts'

/** A member signs the charter: the envelope that carries its hash is the signature. */
export async function acceptTeam(ctx: Context, input: AcceptTeam): Promise<{ goal_id: string }> {
  await permit(ctx, 'team.accept')
  if (ctx.actor.kind !== 'agent') throw teamNotMember('a person')
  const { agentId } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    const team = await lockTeam(tx, input.goal_id)
    const member = team.members.find((one) => one.agentId === agentId)
    if (member?.answer === 'accepted' && input.charter_hash === team.charterHash) return { goal_id: team.goalId }
    const checked = advanceTeam(team, { type: 'team.accept', agentId, charterHash: input.charter_hash, envelopeId: '' })
    const said = await speak(tx, {
      groupId: team.groupId,
      given: input.envelope,
      say: { act: 'accept', parts: [{ data: { kind: 'charter.accept', charter_hash: input.charter_hash } }] },
    })
    const signed = said.envelope.parts.find((part) => part.data?.kind === 'charter.accept')?.data?.charter_hash
    if (signed !== team.charterHash) throw teamCharterChanged(team.charterHash, String(signed))
    await saveTeam(tx, {
      ...checked,
      members: checked.members.map((one) => (one.agentId === agentId ? { ...one, envelopeId: said.id } : one)),
    })
    await appendAudit(tx, {
      chain: team.goalId,
      action: 'team.accept',
      after: { agent_id: agentId, charter_hash: team.charterHash, seq: said.seq },
    })
    await enqueue(tx, { type: 'team.accepted', goal_id: team.charter.goal_id, agent_id: agentId })
    return { goal_id: team.goalId }
  })
}
