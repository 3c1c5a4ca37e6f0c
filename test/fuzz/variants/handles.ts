let listed = 0

/** A handle that no other listing has. */
export const kindHandle = (word: string) => `k${Date.now().toString(36)}${++listed}${word}`
