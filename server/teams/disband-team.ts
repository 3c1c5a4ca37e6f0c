import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { advanceTeam } from './team.ts'
import { findTeam, lockTeam, saveTeam } from './team-store.ts'

/** The goal has failed: disbands the team. Part of the transaction that ends the goal. Does nothing without a team. */
export async function disbandTeam(tx: Context, goalId: string): Promise<void> {
  if (!(await findTeam(tx, goalId))) return
  const team = await lockTeam(tx, goalId)
  const disbanded = advanceTeam(team, { type: 'team.disband' })
  await saveTeam(tx, disbanded)
  await appendAudit(tx, { stream: goalId, action: 'team.disband', before: { state: team.state }, after: { state: disbanded.state } })
}
