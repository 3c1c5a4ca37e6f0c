/** Which gateway to ask first: by what it has yielded so far, without forgetting those that were asked little. Pure. */

/** `asked`: questions put to it. `yielded`: those it answered with something of use. `until`: not asked before, Unix milliseconds. */
export type GatewayStats = { readonly asked: number; readonly yielded: number; readonly failures: number; readonly until: number }
export type StatsByGateway = ReadonlyMap<string, GatewayStats>

const unasked: GatewayStats = { asked: 0, yielded: 0, failures: 0, until: 0 }
const shortestPauseMs = 1_000
const longestPauseMs = 300_000

/** UCB1: the mean yield, and a bonus that falls with each question. Who was never asked comes first; who is gone waits its pause. */
export function rankGateways(gateways: readonly string[], yields: StatsByGateway, now: number): string[] {
  const of = (gateway: string) => yields.get(gateway) ?? unasked
  const all = gateways.reduce((sum, gateway) => sum + of(gateway).asked, 0)
  const worth = (gateway: string) => {
    const { asked, yielded } = of(gateway)
    return asked === 0 ? Number.POSITIVE_INFINITY : yielded / asked + Math.sqrt((2 * Math.log(all)) / asked)
  }
  const there = gateways.filter((gateway) => of(gateway).until <= now)
  const order = (a: string, b: string) => worth(b) - worth(a) || gateways.indexOf(a) - gateways.indexOf(b)
  return there.toSorted((a, b) => (worth(a) === worth(b) ? gateways.indexOf(a) - gateways.indexOf(b) : order(a, b)))
}

export function recordOutcome(
  yields: StatsByGateway,
  gateway: string,
  outcome: 'useful' | 'useless' | 'gone',
  now: number,
): StatsByGateway {
  const { asked, yielded, failures } = yields.get(gateway) ?? unasked
  const isGone = outcome === 'gone'
  const next: GatewayStats = {
    asked: asked + 1,
    yielded: yielded + (outcome === 'useful' ? 1 : 0),
    failures: isGone ? failures + 1 : 0,
    until: isGone ? now + Math.min(shortestPauseMs * 2 ** failures, longestPauseMs) : 0,
  }
  return new Map([...yields, [gateway, next]])
}
