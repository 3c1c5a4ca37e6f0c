/** The server's clock, the only source of time. Tests inject their own. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Unix time in whole seconds, as contracts use it. */
export function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
