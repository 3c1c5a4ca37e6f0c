import { type Charter, type Json, stepsOfRoom } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { joinRoom, leaveRoom, postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { getListing } from '../registry/index.ts'
import { findCharterRejectedByRail } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { saveSteps } from './charters/step-store.ts'
import { removeUnhiredMembers } from './sub-teams/remove-unhired-members.ts'
import { advanceSubTeam } from './sub-teams/sub-team.ts'
import { listSubTeams, saveSubTeam } from './sub-teams/sub-team-store.ts'
import { advanceTeam, type Team } from './team.ts'
import { findTeam, lockTeam, storedInForce } from './team-store.ts'

/**
 * The rail has rejected the newest charter permanently: restores the one in force with its steps and members, and announces the reason.
 * Without an earlier charter, the principal proposes another. Idempotent.
 */
export async function revertToCharterInForce(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${goalId} for update`
    const refused = await findCharterRejectedByRail(tx, goalId)
    if (!refused || !(await findTeam(tx, goalId))) return
    const team = await lockTeam(tx, goalId)
    if (team.state !== 'sealed' || team.version !== refused.version || (await isAnnounced(tx, team))) return
    const reverted = advanceTeam(team, { type: 'team.revert', version: refused.version })
    if (reverted !== team) await restoreCharter(tx, team, reverted)
    await announceRevert(tx, team, reverted === team ? null : reverted, refused.failure)
    await appendAudit(tx, {
      stream: goalId,
      action: 'team.revert',
      before: { version: team.version, charter_hash: team.charterHash },
      after: { version: reverted === team ? 0 : reverted.version, failure: refused.failure },
    })
    await sendSignal(tx, { topic: 'goal', id: goalId })
  })
}

/** A rejected first charter stays in place, so only the audit log shows that its rejection was announced. */
async function isAnnounced(tx: Context, team: Team): Promise<boolean> {
  const rows = await tx.db.auditEntry.findMany({ where: { chain: team.goalId, action: 'team.revert' }, select: { before: true } })
  return rows.some((row) => (row.before as { version?: unknown } | null)?.version === team.version)
}

async function restoreCharter(
  tx: Context,
  team: Team,
  { version, charter, charterHash, sealedAt, recordedAt, agreed }: Team,
): Promise<void> {
  const { goalId } = team
  await tx.db.team.update({
    where: { goalId },
    data: {
      version,
      charter: charter as object,
      charterHash,
      sealedAt,
      recordedAt,
      agreed,
      inForce: storedInForce(null),
      rowVersion: { increment: 1 },
    },
  })
  await saveSteps(tx, charter)
  await tx.db.step.updateMany({ where: { goalId }, data: { recorded: true } })
  await restoreMembers(tx, team.charter, charter)
  for (const one of await listSubTeams(tx, goalId)) {
    const before = advanceSubTeam(one, {
      type: 'revert',
      version: team.version,
      inForce: { version, charter, charterHash },
      at: tx.clock.now(),
    })
    if (before === one) continue
    await saveSubTeam(tx, before)
    await removeUnhiredMembers(tx, one, before)
  }
}

/** Restores the members of the goal's room to those of the charter in force. */
async function restoreMembers(tx: Context, refused: Charter, inForce: Charter): Promise<void> {
  const roomId = inForce.room_id
  const seatsOf = (charter: Charter) =>
    new Map([...stepsOfRoom(charter, roomId), ...(charter.advisers ?? [])].map((one) => [one.agent_id, one.sender_id] as const))
  const [without, again] = [seatsOf(refused), seatsOf(inForce)]
  for (const [agentId, memberId] of without)
    if (!again.has(agentId) && memberId !== inForce.principal_id) await leaveRoom(tx, { roomId, memberId })
  for (const [agentId, memberId] of again) {
    if (without.has(agentId) || memberId === inForce.principal_id) continue
    const { owner_id: ownerId } = await getListing(tx, agentId)
    await joinRoom(tx, { roomId, memberId, agentId, ownerId, role: 'member' })
  }
}

async function announceRevert(
  tx: Context,
  { goalId, roomId, version, charterHash }: Team,
  inForce: Team | null,
  reason: string,
): Promise<void> {
  const stays = inForce ? `Version ${inForce.version} stays in force.` : 'No charter is in force.'
  const notice = {
    kind: 'charter.withdrawn',
    text: `Version ${version} of the charter is not recorded: ${reason} ${stays}`,
    data: {
      version,
      charter_hash: charterHash,
      reason,
      in_force: inForce && { charter: inForce.charter as Json, charter_hash: inForce.charterHash },
    },
  }
  await postSystemMessage(tx, { roomId, ...notice })
  for (const team of await listSubTeams(tx, goalId))
    if (team.endedAt === null) await postSystemMessage(tx, { roomId: team.roomId, ...notice })
}
