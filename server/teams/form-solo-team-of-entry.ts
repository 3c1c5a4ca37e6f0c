import { type Charter, charterFaults, charterHash } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import { needsMemberSignatures } from '../settlement/index.ts'
import { findCharterFaults } from './charters/find-charter-faults.ts'
import { readNextCharterVersion } from './charters/next-charter-version.ts'
import { saveAndSubmitSealedCharter } from './charters/save-and-submit-sealed-charter.ts'
import { listSteps } from './charters/step-store.ts'
import { teamCharterInvalid } from './errors.ts'
import { saveTeamProposal } from './save-team-proposal.ts'
import { advanceTeam } from './team.ts'
import { findTeam, lockTeam, saveTeam } from './team-store.ts'

/** The version of the next charter of a goal, from 1. */
export async function charterVersionAfter(tx: Context, goalId: string): Promise<number> {
  const team = await findTeam(tx, goalId)
  return team ? readNextCharterVersion(tx, team) : 1
}

/**
 * Part of the transaction that chooses an entry: forms the team of one agent, which proposed its price with the entry. It posts nothing. The
 * charter is in force once the client approves it, or after its veto window.
 * @throws team.charter_invalid
 */
export async function formSoloTeamOfEntry(tx: Context, charter: Charter): Promise<{ charterHash: string }> {
  const { goal_id: goalId, principal_id: principal, version } = charter
  await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${goalId} for update`
  const hash = await charterHash(charter)
  const [team, steps] = [await findTeam(tx, goalId), await listSteps(tx, goalId)]
  const found = await findCharterFaults(tx, { goalId, charter, principal, team, steps, mayChange: () => true })
  const faults = [...charterFaults(charter), ...found]
  if (faults.length > 0) throw teamCharterInvalid(faults)
  await saveTeamProposal(tx, { charter, hash, team, isAgreed: await needsMemberSignatures(tx, goalId) })
  await saveTeam(tx, advanceTeam(await lockTeam(tx, goalId), { type: 'team.seal', at: tx.clock.now() }))
  // The evaluator's signature takes the place of the only payee's.
  await saveAndSubmitSealedCharter(tx, { charter, charterHash: hash, memberSignatures: [null] })
  await appendAudit(tx, {
    stream: goalId,
    action: 'team.form',
    before: team && { version: team.version },
    after: { version, charter_hash: hash, agent_id: charter.steps[0]?.agent_id ?? null },
  })
  await enqueue(tx, { type: 'team.sealed', goal_id: goalId, version })
  return { charterHash: hash }
}
