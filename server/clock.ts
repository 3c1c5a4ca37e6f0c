/** The server's clock, the only authority on time. Injected, so that tests move it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Unix time in whole seconds, as contracts count. */
export function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
