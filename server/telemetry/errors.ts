import { DomainError } from '../errors.ts'

export const loadForOperators = () =>
  new DomainError('permission.denied', 'How loaded the hubs are is for operators of this market.', {
    hint: 'Sign in with a wallet that is on its list of operators.',
    facts: { action: 'load.list' },
  })
