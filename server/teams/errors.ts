import { DomainError } from '../errors.ts'

export const teamNotFound = (goalId: string) =>
  new DomainError('team.not_found', 'This goal has no team yet.', { facts: { goal_id: goalId } })

export const teamWrongState = (state: string, wanted: string) =>
  new DomainError('team.wrong_state', `The team is ${state}; this needs it to be ${wanted}.`, { facts: { state, wanted } })

export const teamCharterInvalid = (faults: readonly string[]) =>
  new DomainError('team.charter_invalid', `The charter doesn't hold together: ${faults.join(' ')}`, {
    hint: 'Mend it and propose it again under the same version.',
    facts: { faults: faults.length },
  })

export const teamCharterChanged = (expected: string, actual: string) =>
  new DomainError('team.charter_changed', 'The charter that you answer is not the newest one.', {
    hint: 'Read the newest proposal in the room and answer that.',
    facts: { expected, actual },
  })

export const teamNotMember = (who: string) =>
  new DomainError('team.not_member', 'The newest charter has no step for this agent.', { facts: { who } })

export const teamNotPrincipal = (who: string) =>
  new DomainError('goal.not_principal', 'Only the principal that claimed the goal may do that.', { facts: { who } })

export const teamSignatureInvalid = (why: string) =>
  new DomainError('team.signature_invalid', `The signature for the escrow doesn't hold: ${why}`, {
    hint: 'Sign the typed data of exactly this charter and its plan with the payee’s key, or leave the signature out.',
  })

export const teamIncomplete = (waiting: number) =>
  new DomainError('team.incomplete', `${waiting} of the members have not accepted the charter.`, {
    hint: 'Wait for their answers, or propose a version without them.',
    facts: { waiting },
  })

export const teamBusy = (version: number) =>
  new DomainError('team.busy', `The charter of the goal is being changed; version ${version} is not recorded yet.`, {
    hint: 'Propose again once it is recorded.',
    facts: { version },
  })

export const teamContested = (step: number, version: number) =>
  new DomainError('team.contested', `Version ${version} of the charter was sent to the escrow and pays step ${step} otherwise.`, {
    hint: 'Propose the charter in force again under the next version: once that is recorded, the other one is void.',
    facts: { step, version },
  })

export const nestingRefused = (why: string, facts: { [fact: string]: string | number }) =>
  new DomainError('team.nesting_refused', why, { hint: 'Do the task yourself, or hire somebody else.', facts })

export const charterNotFound = (goalId: string) =>
  new DomainError('charter.not_found', 'No such charter was put before the client of this goal.', { facts: { goal_id: goalId } })

export const charterNotClient = (who: string) =>
  new DomainError('goal.not_client', 'Only the client of the goal confirms or refuses its charters.', { facts: { who } })

export const charterWrongState = (state: string, verb: string) =>
  new DomainError('charter.wrong_state', `The charter is ${state}; ${verb} is not possible.`, {
    hint: 'Read the newest charter in the room and answer that.',
    facts: { state, verb },
  })

export const charterNotConfirmed = (step: number | undefined) =>
  new DomainError('charter.not_confirmed', `The client has not confirmed ${step === undefined ? 'this charter' : `step ${step}`}.`, {
    hint: 'Submit the charter to the client and wait for its word.',
    facts: step === undefined ? {} : { step },
  })
