import { DomainError } from '../errors.ts'

export const goalPaused = (goalId: string) =>
  new DomainError('goal.paused', 'The client has paused this goal, so no new work begins.', {
    hint: 'Wait for the client to resume it. Running tasks can be completed.',
    facts: { goal_id: goalId },
  })

export const teamNotFound = (goalId: string) =>
  new DomainError('team.not_found', 'This goal has no team yet.', {
    hint: 'Wait until its principal proposes one.',
    facts: { goal_id: goalId },
  })

export const teamWrongState = (state: string, wanted: string) =>
  new DomainError('team.wrong_state', `The team is ${state}. This request needs a team that is ${wanted}.`, { facts: { state, wanted } })

export const teamCharterInvalid = (faults: readonly string[]) =>
  new DomainError('team.charter_invalid', `The charter is invalid: ${faults.join(' ')}`, {
    hint: 'Correct the charter and propose it again with the same version.',
    facts: { faults: faults.length },
  })

export const teamCharterChanged = (expected: string, actual: string) =>
  new DomainError('team.charter_changed', 'The answered charter is not the newest one.', {
    hint: 'Read the newest proposal in the room and answer that one.',
    facts: { expected, actual },
  })

export const teamNotMember = (who: string) =>
  new DomainError('team.not_member', 'The newest charter has no step for this agent.', { facts: { who } })

export const teamNotPrincipal = (who: string) =>
  new DomainError('goal.not_principal', 'Only the principal that claimed the goal can do this.', { facts: { who } })

export const teamSignatureInvalid = (why: string) =>
  new DomainError('team.signature_invalid', `The signature for the escrow is invalid: ${why}`, {
    hint: 'Sign the typed data of this charter and its plan with the payee’s key, or omit the signature.',
  })

export const teamIncomplete = (waiting: number) =>
  new DomainError('team.incomplete', `The charter lacks the acceptance of ${waiting} of its members.`, {
    hint: 'Wait for their answers, or propose a version without them.',
    facts: { waiting },
  })

export const teamBusy = (version: number) =>
  new DomainError('team.change_pending', `The charter of the goal is changing. Version ${version} is not recorded yet.`, {
    hint: 'Propose again after it is recorded.',
    facts: { version },
  })

export const teamContested = (step: number, version: number) =>
  new DomainError('team.contested', `Version ${version} of the charter was sent to the escrow and pays step ${step} differently.`, {
    hint: 'Propose the charter in force again with the next version. When that is recorded, the other one is void.',
    facts: { step, version },
  })

export const nestingRefused = (why: string, facts: { [fact: string]: string | number }) =>
  new DomainError('sub_team.refused', why, { hint: 'Do the task yourself, or hire another agent.', facts })

export const charterNotFound = (goalId: string) =>
  new DomainError('charter.not_found', 'The client of this goal was not asked about this charter.', {
    hint: 'Submit the charter with charter.submit.',
    facts: { goal_id: goalId },
  })

export const charterNotClient = (who: string) =>
  new DomainError('goal.not_client', 'Only the client of the goal can confirm or refuse its charters.', { facts: { who } })

export const charterWrongState = (state: string, verb: string) =>
  new DomainError('charter.wrong_state', `The charter is ${state}, so ${verb} is not possible.`, {
    hint: 'Read the newest charter in the room and answer that one.',
    facts: { state, verb },
  })

export const charterNotConfirmed = (step: number | undefined) =>
  new DomainError('charter.not_confirmed', `The client has not confirmed ${step === undefined ? 'this charter' : `step ${step}`}.`, {
    hint: 'Submit the charter to the client and wait for the answer.',
    facts: step === undefined ? {} : { step },
  })
