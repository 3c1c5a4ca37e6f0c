import { Charter } from '@parley/protocol'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { versionConflict } from '../errors.ts'
import { teamNotFound } from './errors.ts'
import type { CharterInForce, Team } from './team.ts'

const StoredInForce = z
  .object({
    version: z.number(),
    charter: Charter,
    charterHash: z.string(),
    agreed: z.boolean(),
    sealedAt: z.coerce.date().nullable(),
    recordedAt: z.coerce.date(),
  })
  .nullable()

export async function findTeam(ctx: Context, goalId: string): Promise<Team | null> {
  const row = await ctx.db.team.findUnique({ where: { goalId } })
  if (!row) return null
  const members = await ctx.db.teamMember.findMany({ where: { goalId, version: row.version }, orderBy: { agentId: 'asc' } })
  return {
    goalId: row.goalId,
    roomId: row.roomId,
    state: row.state,
    version: row.version,
    charter: Charter.parse(row.charter),
    charterHash: row.charterHash,
    principalId: row.principalId,
    members: members.map((member) => ({
      agentId: member.agentId,
      did: member.did,
      answer: member.answer,
      reason: member.reason,
      envelopeId: member.envelopeId,
    })),
    sealedAt: row.sealedAt,
    recordedAt: row.recordedAt,
    agreed: row.agreed,
    inForce: StoredInForce.parse(row.inForce),
    rowVersion: row.rowVersion,
  }
}

/** @throws team.not_found */
export async function getTeam(ctx: Context, goalId: string): Promise<Team> {
  const team = await findTeam(ctx, goalId)
  if (!team) throw teamNotFound(goalId)
  return team
}

/**
 * The team, with its row locked until the transaction ends.
 * @throws team.not_found
 */
export async function lockTeam(tx: Context, goalId: string): Promise<Team> {
  await tx.db.$queryRaw`select 1 from "team" where "goalId" = ${goalId} for update`
  return getTeam(tx, goalId)
}

/** The charter in force, as stored. */
export const storedInForce = (inForce: CharterInForce | null) => (inForce === null ? Prisma.DbNull : (inForce as never))

/** Saves state, times and answers. The charter changes only through proposals and `revertToCharterInForce`. */
export async function saveTeam(tx: Context, team: Team): Promise<void> {
  const saved = await tx.db.team.updateMany({
    where: { goalId: team.goalId, rowVersion: team.rowVersion },
    data: {
      state: team.state,
      sealedAt: team.sealedAt,
      recordedAt: team.recordedAt,
      agreed: team.agreed,
      inForce: storedInForce(team.inForce),
      rowVersion: team.rowVersion + 1,
    },
  })
  if (saved.count === 0) throw versionConflict('The team')
  for (const member of team.members) {
    await tx.db.teamMember.updateMany({
      where: { goalId: team.goalId, version: team.version, agentId: member.agentId, answer: { not: member.answer } },
      data: { answer: member.answer, reason: member.reason, envelopeId: member.envelopeId, answeredAt: tx.clock.now() },
    })
  }
}
