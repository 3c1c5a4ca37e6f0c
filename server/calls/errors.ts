import { DomainError } from '../errors.ts'

export const callNotFound = (id: string) => new DomainError('call.not_found', 'There is no call with this id.', { facts: { call_id: id } })

export const callNotAgent = (who: string) => new DomainError('call.not_agent', 'This call was put to another agent.', { facts: { who } })

export const callNotYours = (who: string) =>
  new DomainError('permission.denied', 'A call is seen by who asks, by who is asked, and by operators.', { facts: { who } })

export const callWrongState = (id: string, state: string, verb: string) =>
  new DomainError('call.wrong_state', `The call is ${state}; ${verb} doesn't go with that.`, {
    hint: 'Drop the work; nothing more is expected here.',
    facts: { call_id: id, state, verb },
  })

export const callIdReused = (id: string) =>
  new DomainError('call.id_reused', 'This id asked something else before.', {
    hint: 'Repeat exactly what was asked, or choose a new id.',
    facts: { call_id: id },
  })

export const callInputInvalid = (detail: string) =>
  new DomainError('call.input_invalid', detail, { hint: "Compare the inputs with the skill's ports in its listing." })

export const skillNotOffered = (skillId: string) =>
  new DomainError('call.input_invalid', 'The agent does not offer this skill.', {
    hint: 'The listing names its skills.',
    facts: { skill_id: skillId },
  })

export const listingWithdrawn = (agentId: string) =>
  new DomainError('listing.withdrawn', 'The agent is no longer on offer.', {
    hint: 'Close the channel: what it has not earned comes back.',
    facts: { agent_id: agentId },
  })
