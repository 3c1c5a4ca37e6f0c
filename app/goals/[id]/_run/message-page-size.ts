/** Messages per request. */
export const messagePageSize = 200
