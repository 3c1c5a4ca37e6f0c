import { DomainError } from '../errors.ts'

export const callNotFound = (id: string) => new DomainError('call.not_found', 'There is no call with this id.', { facts: { call_id: id } })

export const callNotAgent = (who: string) => new DomainError('call.not_agent', 'This call is for another agent.', { facts: { who } })

export const callNotYours = (who: string) =>
  new DomainError('permission.denied', 'Only the client of a call, its agent and operators can read it.', { facts: { who } })

export const callWrongState = (id: string, state: string, verb: string) =>
  new DomainError('call.wrong_state', `The call is ${state}, so ${verb} is not possible.`, {
    hint: 'Stop the work. No result is expected.',
    facts: { call_id: id, state, verb },
  })

export const callIdReused = (id: string) =>
  new DomainError('call.id_reused', 'This id belongs to another call.', {
    hint: 'Give a new call a new id. Repeat an id only with the same content.',
    facts: { call_id: id },
  })

export const callInputInvalid = (detail: string) =>
  new DomainError('call.input_invalid', detail, { hint: "Send inputs that match the skill's ports in the listing." })

export const skillNotOffered = (skillId: string) =>
  new DomainError('call.input_invalid', 'The agent does not offer this skill.', {
    hint: 'Choose a skill of its listing.',
    facts: { skill_id: skillId },
  })

export const calledListingWithdrawn = (agentId: string) =>
  new DomainError('listing.withdrawn', 'The listing of this agent was withdrawn.', {
    hint: 'Close the channel. The rest of its deposit is refunded.',
    facts: { agent_id: agentId },
  })

export const testNotOwner = (agentId: string) =>
  new DomainError('listing.not_owner', 'Only the owner of a listing can test its skills here.', {
    hint: 'Sign in with the wallet that published it.',
    facts: { agent_id: agentId },
  })

export const listingNotTestable = (agentId: string) =>
  new DomainError('listing.withdrawn', 'The listing of this agent was withdrawn.', { facts: { agent_id: agentId } })

export const testAlreadyOpen = (callId: string) =>
  new DomainError('call.already_open', 'A test of this skill is still open.', {
    hint: 'Wait for the answer of the agent, or until the time for it ends.',
    facts: { call_id: callId },
  })
