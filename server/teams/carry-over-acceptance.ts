import { type Charter, canonicalize, type Json } from '@parley/protocol'
import type { StepView } from './charters/step-store.ts'
import type { Team } from './team.ts'

type Member = { readonly agentId: string; readonly did: string }
export type CarriedAcceptance = Member & { readonly answer: 'invited' | 'accepted'; readonly envelopeId: string | null }

/**
 * A member's answer to a new version. A member keeps its acceptance if all its steps are done and unchanged, so that an absent member
 * cannot block the others. The same holds for members of a sub-team, whose steps the principal cannot change.
 */
export function carryOverAcceptance(member: Member, charter: Charter, former: Team | null, steps: readonly StepView[]): CarriedAcceptance {
  const earlier = former?.members.find((one) => one.agentId === member.agentId && one.did === member.did)
  const isDone = charter.steps
    .filter((step) => step.agent_id === member.agentId)
    .every((step) => {
      const before = former?.charter.steps.find((one) => one.step === step.step)
      const isKept = before !== undefined && canonicalize(before as Json) === canonicalize(step as Json)
      return isKept && (step.room_id !== undefined || steps.find((one) => one.step === step.step)?.state === 'done')
    })
  if (earlier?.answer !== 'accepted' || !isDone) return { ...member, answer: 'invited', envelopeId: null }
  return { ...member, answer: 'accepted', envelopeId: earlier.envelopeId }
}
