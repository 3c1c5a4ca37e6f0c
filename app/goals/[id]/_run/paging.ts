/** Messages fetched at once. */
export const pageSize = 200
