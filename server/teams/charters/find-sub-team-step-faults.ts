import { type Charter, canonicalize, type Json } from '@parley/protocol'
import type { SubTeam } from '../sub-teams/sub-team.ts'

/**
 * Why a principal may not propose this charter: active sub-teams own their steps and what remains of the steps that pay them. Undone
 * steps of an ended sub-team may be removed.
 */
export function findSubTeamStepFaults(before: Charter | null, after: Charter, teams: readonly SubTeam[]): string[] {
  const live = new Set(teams.filter((team) => team.endedAt === null).map((team) => team.roomId))
  const same = (one: unknown, other: unknown) => canonicalize((one ?? null) as Json) === canonicalize((other ?? null) as Json)
  const faults: string[] = []
  for (const step of before?.steps ?? []) {
    if (step.room_id === undefined || !live.has(step.room_id)) continue
    if (
      !same(
        step,
        after.steps.find((one) => one.step === step.step),
      )
    )
      faults.push(`Step ${step.step} belongs to a working sub-team and cannot change.`)
    const [paying, kept] = [before, after].map((charter) => charter?.steps.find((one) => one.step === step.parent))
    if (paying?.agent_id !== kept?.agent_id || paying?.amount !== kept?.amount)
      faults.push(`Step ${step.parent} pays a working sub-team. Its agent and the rest of its amount cannot change.`)
  }
  for (const step of after.steps) {
    const known = before?.steps.find((one) => one.step === step.step)
    if (step.parent !== undefined && known?.parent !== step.parent)
      faults.push(`Step ${step.step} is part of step ${step.parent}. Only the agent of that step can hire for it.`)
  }
  return [...new Set(faults)]
}
