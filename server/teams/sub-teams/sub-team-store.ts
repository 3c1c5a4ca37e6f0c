import { Charter } from '@parley/protocol'
import type { SubTeamMember as MemberRow, SubTeam as SubTeamRow } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import { versionConflict } from '../../errors.ts'
import { teamNotFound } from '../errors.ts'
import type { SubTeam, SubTeamOutcome } from './sub-team.ts'

function fromRow(row: SubTeamRow & { members: MemberRow[] }): SubTeam {
  const { version, charter, charterHash, outcome, ...rest } = row
  const proposal = version === null || charterHash === null ? null : { version, charter: Charter.parse(charter), charterHash }
  // A constraint of the table allows no other outcome.
  return { ...rest, proposal, outcome: outcome as SubTeamOutcome | null }
}

const include = { members: { orderBy: { agentId: 'asc' as const } } }

export async function findSubTeam(ctx: Context, roomId: string): Promise<SubTeam | null> {
  const row = await ctx.db.subTeam.findUnique({ where: { roomId }, include })
  return row && fromRow(row)
}

/** The sub-team of a task, or null. */
export async function findSubTeamOf(ctx: Context, taskId: string): Promise<SubTeam | null> {
  const row = await ctx.db.subTeam.findUnique({ where: { taskId }, include })
  return row && fromRow(row)
}

/** The sub-teams of a goal, oldest first. */
export async function listSubTeams(ctx: Context, goalId: string): Promise<SubTeam[]> {
  const rows = await ctx.db.subTeam.findMany({ where: { goalId }, orderBy: { openedAt: 'asc' }, include })
  return rows.map(fromRow)
}

/** The rooms of a goal's sub-teams, oldest first, without their proposals. */
export async function listSubRooms(ctx: Context, goalId: string): Promise<Omit<SubTeam, 'proposal'>[]> {
  const rows = await ctx.db.subTeam.findMany({
    where: { goalId },
    orderBy: { openedAt: 'asc' },
    include,
    omit: { version: true, charter: true, charterHash: true },
  })
  return rows.map((row) => ({ ...row, outcome: row.outcome as SubTeamOutcome | null }))
}

/** The sub-team that waits for answers to this charter. */
export async function findHiring(ctx: Context, goalId: string, charterHash: string): Promise<SubTeam | null> {
  const row = await ctx.db.subTeam.findFirst({ where: { goalId, charterHash, state: 'forming', endedAt: null }, include })
  return row && fromRow(row)
}

/**
 * The sub-team, with its row locked until the transaction ends.
 * @throws team.not_found
 */
export async function lockSubTeam(tx: Context, roomId: string): Promise<SubTeam> {
  await tx.db.$queryRaw`select 1 from "sub_team" where "roomId" = ${roomId} for update`
  const team = await findSubTeam(tx, roomId)
  if (!team) throw teamNotFound(roomId)
  return team
}

/** Saves the fields that `advanceSubTeam` may change. Answers belong to one proposal, so a new one resets them. */
export async function saveSubTeam(tx: Context, team: SubTeam): Promise<void> {
  const { roomId, state, proposal, sealedAt, recordedAt, endedAt, outcome } = team
  const saved = await tx.db.subTeam.updateMany({
    where: { roomId, rowVersion: team.rowVersion },
    data: {
      state,
      version: proposal?.version ?? null,
      charter: proposal ? (proposal.charter as object) : Prisma.DbNull,
      charterHash: proposal?.charterHash ?? null,
      sealedAt,
      recordedAt,
      endedAt,
      outcome,
      rowVersion: team.rowVersion + 1,
    },
  })
  if (saved.count === 0) throw versionConflict('The sub-team')
  await tx.db.subTeamMember.deleteMany({ where: { roomId } })
  await tx.db.subTeamMember.createMany({
    data: team.members.map(({ agentId, did, answer, reason, envelopeId, signer, signature }) => ({
      roomId,
      agentId,
      did,
      answer,
      reason,
      envelopeId,
      signer,
      signature,
    })),
  })
}

type InRoom = {
  readonly goal_id: string
  readonly room_id?: string | undefined
  readonly envelope?: { readonly [key: string]: unknown } | undefined
}

/** The sub-team's room that a command is about, from its envelope or its field; null for the goal's own team. */
export async function subTeamIn(ctx: Context, { goal_id, room_id, envelope }: InRoom): Promise<string | null> {
  const room = envelope?.room_id ?? room_id
  if (typeof room !== 'string') return null
  const row = await ctx.db.subTeam.findFirst({ where: { roomId: room, goalId: goal_id }, select: { roomId: true } })
  return row?.roomId ?? null
}
