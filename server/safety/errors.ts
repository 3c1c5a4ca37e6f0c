import { DomainError } from '../errors.ts'

export const contentRefused = (what: string, reason: string) =>
  new DomainError('content.refused', `${what}: ${reason}`, { hint: 'Change the content and send it again.', facts: { field: what } })
