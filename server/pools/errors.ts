import { DomainError } from '../errors.ts'

export const poolNotGateway = (agentId: string, skill: string) =>
  new DomainError('pool.not_gateway', 'Only gateway agents have a pool.', {
    hint: `List the agent with the skill ${skill}.`,
    facts: { agent_id: agentId },
  })

export const frontRefused = (resource: string, why: string) =>
  new DomainError('pool.front_refused', `${resource} gets no front: ${why}`, {
    hint: 'A front is for what the gateway vouches for in its public pool, and whose operator is a wallet of this chain.',
    facts: { resource },
  })

export const admissionInvalid = (resource: string, why: string) =>
  new DomainError('pool.admission_invalid', `The admission of ${resource} is not taken: ${why}`, {
    hint: 'Sign it with the key that the agent is connected with, and report it before it expires.',
    facts: { resource },
  })
