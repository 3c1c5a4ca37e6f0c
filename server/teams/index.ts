/**
 * Owns teams and sub-teams: the charter, the client's confirmation, the members' answers, and the paid steps.
 * Never moves money (settlement does), and never knows how a step is done.
 * Reads settlement, registry, conversations, delivery, policy, audit.
 */

export { acceptTeam } from './accept-team.ts'
export { authorizeTeam } from './authorize-team.ts'
export { type CharterDraft, findCharterDraft, requireConfirmedStep } from './charters/charter-draft.ts'
export { confirmCharter } from './charters/confirm-charter.ts'
export { refuseCharter } from './charters/refuse-charter.ts'
export { requireUnchangeableStepPay } from './charters/require-unchangeable-step-pay.ts'
export { listShownSteps, listSteps, moveStep, type StepView } from './charters/step-store.ts'
export { submitCharter } from './charters/submit-charter.ts'
export { declineTeam } from './decline-team.ts'
export { disbandTeam } from './disband-team.ts'
export { nestingRefused, teamCharterInvalid } from './errors.ts'
export { charterVersionAfter, formSoloTeamOfEntry } from './form-solo-team-of-entry.ts'
export { proposeTeam } from './propose-team.ts'
export { putCharterInForce } from './put-charter-in-force.ts'
export { revertToCharterInForce } from './revert-to-charter-in-force.ts'
export { sealTeam } from './seal-team.ts'
export { endSubTeam } from './sub-teams/end-sub-team.ts'
export { depthOf, recordSubTeam } from './sub-teams/record-sub-team.ts'
export type { SubTeam, SubTeamOutcome } from './sub-teams/sub-team.ts'
export { findSubTeam, findSubTeamOf, listSubRooms, listSubTeams } from './sub-teams/sub-team-store.ts'
export type { Team, TeamMember } from './team.ts'
export { findTeam, getTeam } from './team-store.ts'
export { getTeamTerms, requireNotPaused, savePause, saveTeamPreferences, type TeamTerms } from './team-terms-store.ts'
export { vetoTeam } from './veto-team.ts'
