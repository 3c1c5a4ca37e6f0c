import { DomainError } from '../errors.ts'

export const loadForOperators = () =>
  new DomainError('permission.denied', 'Only operators can see the load of the hubs.', {
    hint: 'Sign in with the wallet of an operator.',
    facts: { action: 'load.list' },
  })
