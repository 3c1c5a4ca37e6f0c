import type { Context } from '../../context.ts'
import { lastCharterVersion } from '../../settlement/index.ts'
import type { Team } from '../team.ts'

/** The version of the goal's next charter. A rejected charter keeps its number. */
export async function readNextCharterVersion(tx: Context, team: Pick<Team, 'goalId' | 'version'>): Promise<number> {
  return 1 + Math.max(team.version, await lastCharterVersion(tx, team.goalId))
}
