import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { admitRate, requireRateLeft } from '../../policy/index.ts'

/**
 * Rate limit on failed authentication, by source address. A source with too many failures is rejected before anything is looked
 * up. Other sources are not affected.
 * @throws rate.exceeded with the seconds to wait, or the reason why authentication failed
 */
export async function limitFailedLogins<T>(base: Context, source: string, authenticate: () => Promise<T>): Promise<T> {
  requireRateLeft(base, 'unproven', source)
  try {
    return await authenticate()
  } catch (error) {
    // An unavailable database does not count as a failed attempt.
    if (error instanceof DomainError && error.code !== 'server.unavailable') await admitRate(base, 'unproven', source)
    throw error
  }
}
