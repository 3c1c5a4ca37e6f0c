/**
 * Owns teams and the teams within them: the charter, its client's word where that is asked, its members' answers, and the steps
 * it pays for.
 * Never moves money (settlement does), and never knows how a step is worked on.
 * Reads settlement, registry, conversations, delivery, policy, audit.
 */
export { acceptTeam } from './accept-team.ts'
export { authorizeTeam } from './authorize-team.ts'
export { type CharterDraft, findCharterDraft, requireConfirmedStep } from './charter-draft.ts'
export { confirmCharter } from './confirm-charter.ts'
export { declineTeam } from './decline-team.ts'
export { disbandTeam } from './disband-team.ts'
export { endSubTeam } from './end-sub-team.ts'
export { nestingRefused, teamCharterInvalid } from './errors.ts'
export { depthOf, openSubTeam } from './open-sub-team.ts'
export { proposeTeam } from './propose-team.ts'
export { recordTeam } from './record-team.ts'
export { refuseCharter } from './refuse-charter.ts'
export { requireUncontested } from './require-uncontested.ts'
export { revertTeam } from './revert-team.ts'
export { sealTeam } from './seal-team.ts'
export { listShownSteps, listSteps, moveStep, type StepView } from './steps.ts'
export { findTeam, getTeam } from './store.ts'
export type { SubTeam, SubTeamOutcome } from './sub-team.ts'
export { findSubTeam, findSubTeamOf, listSubRooms, listSubTeams } from './sub-team-store.ts'
export { submitCharter } from './submit-charter.ts'
export type { Team, TeamMember } from './team.ts'
export { vetoTeam } from './veto-team.ts'
