/** A step as people number it, where the contract counts from zero. */
export const stepWords = (index: number): string => `Step ${index + 1} (index ${index} on chain)`
