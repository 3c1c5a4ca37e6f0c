import { type Charter, canFollow, type TeamState, teamTransitions } from '@parley/protocol'
import { teamCharterChanged, teamIncomplete, teamNotMember, teamWrongState } from './errors.ts'

export type TeamMember = {
  readonly agentId: string
  readonly did: string
  readonly answer: 'invited' | 'accepted' | 'declined'
  readonly reason: string | null
  readonly envelopeId: string | null
}

/** A charter that the rail has recorded. */
export type CharterInForce = Pick<Team, 'version' | 'charter' | 'charterHash' | 'agreed'> & {
  readonly sealedAt: Date | null
  readonly recordedAt: Date
}

/** The team of a goal under its newest charter. `members` excludes the principal, whose proposal is its signature. */
export type Team = {
  readonly goalId: string
  readonly roomId: string
  readonly state: TeamState
  readonly version: number
  readonly charter: Charter
  readonly charterHash: string
  readonly principalId: string
  readonly members: readonly TeamMember[]
  readonly sealedAt: Date | null
  /** When the rail recorded this version. Work starts only then. */
  readonly recordedAt: Date | null
  /** Whether the escrow has it with the signature of every payee; otherwise with the evaluator's. */
  readonly agreed: boolean
  /** The recorded charter while a newer version is being agreed or recorded; else null. */
  readonly inForce: CharterInForce | null
  readonly rowVersion: number
}

export type TeamEvent =
  | { readonly type: 'team.accept'; readonly agentId: string; readonly charterHash: string; readonly envelopeId: string }
  | { readonly type: 'team.decline'; readonly agentId: string; readonly reason: string; readonly envelopeId: string }
  | { readonly type: 'team.seal'; readonly at: Date }
  | { readonly type: 'team.disband' }
  | { readonly type: 'team.record'; readonly version: number; readonly agreed: boolean; readonly at: Date }
  | { readonly type: 'team.revert'; readonly version: number }

function transitionTo(team: Team, state: TeamState): Team {
  if (!canFollow(teamTransitions, team.state, state)) throw teamWrongState(team.state, teamTransitions[team.state].join(' or ') || 'open')
  return { ...team, state }
}

function answered(team: Team, agentId: string, answer: Partial<TeamMember>): Team {
  if (team.state !== 'forming') throw teamWrongState(team.state, 'forming')
  if (!team.members.some((member) => member.agentId === agentId)) throw teamNotMember(agentId)
  return { ...team, members: team.members.map((member) => (member.agentId === agentId ? { ...member, ...answer } : member)) }
}

/** The only state transition function of a team. */
export function advanceTeam(team: Team, event: TeamEvent): Team {
  switch (event.type) {
    case 'team.accept':
      if (event.charterHash !== team.charterHash) throw teamCharterChanged(team.charterHash, event.charterHash)
      return answered(team, event.agentId, { answer: 'accepted', reason: null, envelopeId: event.envelopeId })
    case 'team.decline':
      return answered(team, event.agentId, { answer: 'declined', reason: event.reason, envelopeId: event.envelopeId })
    case 'team.seal': {
      const waiting = team.members.filter((member) => member.answer !== 'accepted').length
      if (waiting > 0) throw teamIncomplete(waiting)
      return { ...transitionTo(team, 'sealed'), sealedAt: event.at, recordedAt: null, agreed: false }
    }
    case 'team.disband':
      return transitionTo(team, 'disbanded')
    case 'team.record':
      return team.state === 'sealed' && team.version === event.version && team.recordedAt === null
        ? { ...team, recordedAt: event.at, agreed: event.agreed, inForce: null }
        : team
    case 'team.revert': {
      const isOnItsWay = team.state === 'sealed' && team.version === event.version && team.recordedAt === null
      return isOnItsWay && team.inForce ? { ...team, ...team.inForce, inForce: null } : team
    }
    default:
      return event satisfies never
  }
}

/** The recorded charter of the team; null before the first. */
export function inForceOf(team: Team): CharterInForce | null {
  const { version, charter, charterHash, agreed, sealedAt, recordedAt } = team
  return recordedAt === null ? team.inForce : { version, charter, charterHash, agreed, sealedAt, recordedAt }
}

/** The distinct agents of a charter with their DIDs, without the principal. */
export function membersOf(charter: Charter): { agentId: string; did: string }[] {
  const members = new Map<string, string>()
  for (const step of charter.steps)
    if (step.sender_id !== charter.principal_id && !step.canceled) members.set(step.agent_id, step.sender_id)
  return [...members].map(([agentId, did]) => ({ agentId, did }))
}

/** The advisers of a charter: they only talk, and sign nothing. */
export function advisersOf(charter: Charter): { agentId: string; did: string }[] {
  return (charter.advisers ?? []).map((adviser) => ({ agentId: adviser.agent_id, did: adviser.sender_id }))
}
