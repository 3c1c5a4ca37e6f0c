/** A page of a list from its cursor, or the first page if the cursor is malformed, expired, or not readable for this reader (`isUnknownPlace`). */
export async function readPageOrFirst<Query extends { readonly after?: string | undefined }, Page>(
  query: Query,
  read: (query: Query) => Promise<Page>,
): Promise<{ readonly page: Page; readonly isUnknownPlace: boolean }> {
  try {
    return { page: await read(query), isUnknownPlace: false }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (query.after === undefined || (code !== 'BAD_REQUEST' && code !== 'NOT_FOUND')) throw error
    const { after: _, ...first } = query
    return { page: await read(first as Query), isUnknownPlace: true }
  }
}
