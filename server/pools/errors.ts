import { DomainError } from '../errors.ts'

export const poolNotGateway = (agentId: string, skill: string) =>
  new DomainError('pool.not_gateway', 'Only gateway agents have a pool.', {
    hint: `List the agent with the skill ${skill}.`,
    facts: { agent_id: agentId },
  })

export const admissionInvalid = (resource: string, why: string) =>
  new DomainError('pool.admission_invalid', `The admission of ${resource} is not taken: ${why}`, {
    hint: 'Sign it with the key that the agent is connected with, and report it before it expires.',
    facts: { resource },
  })
