/** Which gateway to ask first: a multi-armed bandit (UCB1) over the outcomes so far, with a circuit breaker for each gateway. */

/** `asked`: queries sent. `yielded`: queries with a useful answer. `failures`: consecutive. `until`: not asked before, Unix milliseconds. */
export type GatewayStats = { readonly asked: number; readonly yielded: number; readonly failures: number; readonly until: number }
/** By DID. */
export type StatsByGateway = ReadonlyMap<string, GatewayStats>

const noStats: GatewayStats = { asked: 0, yielded: 0, failures: 0, until: 0 }
const minPauseMs = 1_000
const maxPauseMs = 300_000

/** UCB1: the mean yield, plus a bonus that falls with each query. A gateway without queries is first. Circuit breaker: one that failed is skipped for an exponential time. */
export function rankGateways(gateways: readonly string[], stats: StatsByGateway, now: number): string[] {
  const statsOf = (gateway: string) => stats.get(gateway) ?? noStats
  const total = gateways.reduce((sum, gateway) => sum + statsOf(gateway).asked, 0)
  const scoreOf = (gateway: string) => {
    const { asked, yielded } = statsOf(gateway)
    return asked === 0 ? Number.POSITIVE_INFINITY : yielded / asked + Math.sqrt((2 * Math.log(total)) / asked)
  }
  const available = gateways.filter((gateway) => statsOf(gateway).until <= now)
  const order = (a: string, b: string) => gateways.indexOf(a) - gateways.indexOf(b)
  // Infinity minus infinity is not a number, so equal scores are compared first.
  return available.toSorted((a, b) => (scoreOf(a) === scoreOf(b) ? order(a, b) : scoreOf(b) - scoreOf(a) || order(a, b)))
}

export function recordGatewayOutcome(
  stats: StatsByGateway,
  gateway: string,
  outcome: 'useful' | 'useless' | 'gone',
  now: number,
): StatsByGateway {
  const { asked, yielded, failures } = stats.get(gateway) ?? noStats
  const isGone = outcome === 'gone'
  const next: GatewayStats = {
    asked: asked + 1,
    yielded: yielded + (outcome === 'useful' ? 1 : 0),
    failures: isGone ? failures + 1 : 0,
    until: isGone ? now + Math.min(minPauseMs * 2 ** failures, maxPauseMs) : 0,
  }
  return new Map([...stats, [gateway, next]])
}
