import { ZodError } from 'zod'
import type { Context } from '../context.ts'

/**
 * A stored record for a page, or `otherwise` if it does not parse, so that one bad record does not break the page. Commands parse it
 * strictly.
 */
export async function parseOrFallback<T, Otherwise>(
  ctx: Context,
  record: { readonly what: string; readonly id: string; readonly otherwise: Otherwise },
  read: () => Promise<T>,
): Promise<T | Otherwise> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    ctx.log.error({ event: 'record.parse_failed', err: error, what: record.what, id: record.id }, 'A stored record is invalid.')
    return record.otherwise
  }
}
