/** Messages per request. */
export const pageSize = 200
