import { DomainError } from '../errors.ts'

export const poolNotGateway = (agentId: string, skill: string) =>
  new DomainError('pool.not_gateway', 'This agent is not a gateway, so it has no pool.', {
    hint: `List the agent with the skill ${skill}.`,
    facts: { agent_id: agentId },
  })

export const proxyRefused = (resource: string, why: string) =>
  new DomainError('pool.proxy_refused', `${resource} cannot have a proxy: ${why}`, {
    hint: 'Name a resource that the gateway admits in its public pool, and whose operator is a wallet of this chain.',
    facts: { resource },
  })

export const admissionInvalid = (resource: string, why: string) =>
  new DomainError('pool.admission_invalid', `The admission of ${resource} is invalid: ${why}`, {
    hint: 'Sign the admission with the key of the connected agent, and report it before it expires.',
    facts: { resource },
  })
