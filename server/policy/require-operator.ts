import { type Context, mayOperate } from '../context.ts'
import { operatorsOnly } from './errors.ts'

/**
 * Admits operators and the server's own jobs.
 * @throws permission.denied
 */
export function requireOperator(ctx: Context, action: string): void {
  if (!mayOperate(ctx)) throw operatorsOnly(action)
}
