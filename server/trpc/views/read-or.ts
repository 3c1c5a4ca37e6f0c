import { ZodError } from 'zod'
import type { Context } from '../../context.ts'

/**
 * What a page shows of a stored record, or `otherwise` where the record does not have its form: it takes no page from its readers.
 * Commands read the same record strictly, and refuse to act on it.
 */
export async function readOrFallback<T, Otherwise>(
  ctx: Context,
  record: { readonly what: string; readonly id: string; readonly otherwise: Otherwise },
  read: () => Promise<T>,
): Promise<T | Otherwise> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    ctx.log.error({ err: error, what: record.what, id: record.id }, 'a stored record can not be read')
    return record.otherwise
  }
}
