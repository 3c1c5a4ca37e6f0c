import type { Context } from '../context.ts'
import { policyOperatorsOnly } from './errors.ts'

/**
 * Admits operators and the server's own jobs.
 * @throws permission.denied
 */
export function requireOperator({ actor }: Context, action: string): void {
  if (actor.kind !== 'system' && !(actor.kind === 'person' && actor.isOperator)) throw policyOperatorsOnly(action)
}
