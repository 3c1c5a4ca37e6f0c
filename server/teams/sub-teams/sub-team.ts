import { type Charter, canFollow, stepsOfRoom, type TeamState, teamTransitions } from '@parley/protocol'
import { teamCharterChanged, teamIncomplete, teamNotMember, teamWrongState } from '../errors.ts'

export type SubTeamMember = {
  readonly agentId: string
  readonly did: string
  readonly answer: 'invited' | 'accepted' | 'declined'
  readonly reason: string | null
  readonly envelopeId: string | null
  readonly signer: string | null
  readonly signature: string | null
}
export type SubTeamOutcome = 'completed' | 'failed' | 'canceled'

/** The last proposal to its members: the goal's charter in its next version. */
export type HireProposal = { readonly version: number; readonly charter: Charter; readonly charterHash: string }

/** The team that does one task of another team, in its own room. `members`: everyone whom its proposal asks, including its lead. */
export type SubTeam = {
  readonly roomId: string
  readonly goalId: string
  readonly parentRoomId: string
  readonly taskId: string
  /** The step that pays it. */
  readonly step: number
  readonly agentId: string
  readonly leadId: string
  readonly state: TeamState
  readonly proposal: HireProposal | null
  readonly members: readonly SubTeamMember[]
  readonly openedAt: Date
  readonly sealedAt: Date | null
  /** When the rail recorded its last sealed proposal. */
  readonly recordedAt: Date | null
  readonly endedAt: Date | null
  readonly outcome: SubTeamOutcome | null
  readonly rowVersion: number
}

export type SubTeamEvent =
  | { readonly type: 'propose'; readonly proposal: HireProposal; readonly members: readonly SubTeamMember[] }
  | {
      readonly type: 'answer'
      readonly agentId: string
      readonly charterHash: string | null
      readonly answer: Omit<SubTeamMember, 'agentId' | 'did'>
    }
  | { readonly type: 'seal'; readonly at: Date }
  | { readonly type: 'record'; readonly version: number; readonly at: Date }
  | { readonly type: 'revert'; readonly version: number; readonly inForce: HireProposal; readonly at: Date }
  | { readonly type: 'end'; readonly outcome: SubTeamOutcome; readonly at: Date }

/**
 * The only state transition function of a sub-team.
 * @throws team.wrong_state after its task has ended
 */
export function advanceSubTeam(team: SubTeam, event: SubTeamEvent): SubTeam {
  if (team.endedAt !== null) {
    if (event.type === 'end' || event.type === 'record' || event.type === 'revert') return team
    throw teamWrongState('over, since its task has ended', 'one whose task is open')
  }
  switch (event.type) {
    case 'propose':
      return { ...team, state: 'forming', proposal: event.proposal, members: event.members, sealedAt: null, recordedAt: null }
    case 'answer': {
      if (team.state !== 'forming' || !team.proposal) throw teamWrongState(team.state, 'forming')
      if (event.charterHash !== null && event.charterHash !== team.proposal.charterHash)
        throw teamCharterChanged(team.proposal.charterHash, event.charterHash)
      if (!team.members.some((one) => one.agentId === event.agentId)) throw teamNotMember(event.agentId)
      return { ...team, members: team.members.map((one) => (one.agentId === event.agentId ? { ...one, ...event.answer } : one)) }
    }
    case 'seal': {
      if (!team.proposal || !canFollow(teamTransitions, team.state, 'sealed')) throw teamWrongState(team.state, 'forming, with a proposal')
      const waiting = team.members.filter((one) => one.answer !== 'accepted').length
      if (waiting > 0) throw teamIncomplete(waiting)
      return { ...team, state: 'sealed', sealedAt: event.at, recordedAt: null }
    }
    case 'record': {
      const isNew = team.state === 'sealed' && team.recordedAt === null && (team.proposal?.version ?? 0) <= event.version
      return isNew ? { ...team, recordedAt: event.at } : team
    }
    case 'revert': {
      if (team.state !== 'sealed' || team.recordedAt !== null || team.proposal?.version !== event.version) return team
      const { charter } = event.inForce
      // Members of an earlier charter continue. Without one, the lead proposes another charter or does the work itself.
      if (stepsOfRoom(charter, team.roomId).length === 0)
        return { ...team, state: 'forming', proposal: null, members: [], sealedAt: null, recordedAt: null }
      const members = team.members.filter((one) => charter.steps.some((step) => step.agent_id === one.agentId))
      return { ...team, proposal: event.inForce, members, recordedAt: event.at }
    }
    case 'end':
      return { ...team, state: event.outcome === 'completed' ? team.state : 'disbanded', outcome: event.outcome, endedAt: event.at }
    default:
      return event satisfies never
  }
}
