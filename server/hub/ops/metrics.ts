import type { Histogram, MessageWriteMetrics } from '../../conversations/index.ts'
import type { SearchMetrics } from '../../search/listing-search.ts'
import type { ClusterMetrics } from '../cluster/cluster.ts'

/** The metrics of the hub at one moment. */
export type HubMetrics = {
  readonly writes: MessageWriteMetrics
  readonly connections: number
  /** Consumer lag: subscriptions that have not received the newest message of their room. They read the log. */
  readonly behind: number
  /** Unsent bytes in sockets. */
  readonly unsentBytes: number
  /** Messages pushed to connections when committed, and messages read from the log for them. */
  readonly pushed: number
  readonly fetched: number
  /** Readers that were disconnected because they were too slow. */
  readonly slow: number
  readonly cluster: ClusterMetrics
}

/** The metrics in the Prometheus text format. The consumer lag is `lagging_subscriptions`. */
export function prometheusText(figures: HubMetrics): string {
  const { writes } = figures
  return [
    ...gauge('connections', 'Agents that are connected.', figures.connections),
    ...gauge('queued_messages', 'Messages that wait to be written.', writes.queued),
    ...gauge(
      'lagging_subscriptions',
      'Subscriptions that have not received the newest message of their room (consumer lag). They read the log.',
      figures.behind,
    ),
    ...head('peers', 'gauge', 'Connections to other hubs, by direction.'),
    `parley_hub_peers{direction="outbound"} ${figures.cluster.ownerPeers}`,
    `parley_hub_peers{direction="inbound"} ${figures.cluster.clientPeers}`,
    ...head('forwarded_messages_total', 'counter', 'Messages that this hub forwarded to the hubs that own their rooms.'),
    `parley_hub_forwarded_messages_total ${figures.cluster.forwarded}`,
    ...gauge('unsent_bytes', 'Bytes that wait in the sockets of readers.', figures.unsentBytes),
    ...head('writes_total', 'counter', 'Writes of messages, by path: optimistic, or with locks on the rooms.'),
    `parley_hub_writes_total{path="optimistic"} ${writes.optimistic}`,
    `parley_hub_writes_total{path="locked"} ${writes.locked}`,
    ...histogram('write_messages', 'Messages in one write.', writes.sizes),
    ...histogram('commit_seconds', 'Time from the start of a write to its commit.', writes.seconds),
    ...head('deliveries_total', 'counter', 'Messages sent to connections: live after their commit, or read from the log.'),
    `parley_hub_deliveries_total{source="live"} ${figures.pushed}`,
    `parley_hub_deliveries_total{source="log"} ${figures.fetched}`,
    ...head('slow_consumers_total', 'counter', 'Readers that were disconnected because they read nothing for too long.'),
    `parley_hub_slow_consumers_total ${figures.slow}`,
    '',
  ].join('\n')
}

/** The metrics of the search index in the same format. An index that was never loaded has no age. */
export function searchMetricsText({ listings, ageMs, heapBytes, seconds, unanswered }: SearchMetrics): string {
  return [
    ...gauge('search_listings', 'Listings in the search index.', listings),
    ...gauge('search_bytes', 'Bytes of the search index.', heapBytes),
    ...(ageMs === null ? [] : gauge('search_age_seconds', 'Time since the search index had all changes.', ageMs / 1_000)),
    ...head('search_unanswered_total', 'counter', 'Searches that the index did not answer. PostgreSQL answered them.'),
    `parley_hub_search_unanswered_total ${unanswered}`,
    ...histogram('search_seconds', 'Time of a search in the index.', seconds),
    '',
  ].join('\n')
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP parley_hub_${name} ${help}`, `# TYPE parley_hub_${name} ${type}`]
}

function gauge(name: string, help: string, value: number): string[] {
  return [...head(name, 'gauge', help), `parley_hub_${name} ${value}`]
}

function histogram(name: string, help: string, { upTo, counts, sum, count }: Histogram): string[] {
  let below = 0
  const lines = upTo.map((bound, index) => {
    below += counts[index] ?? 0
    return `parley_hub_${name}_bucket{le="${bound}"} ${below}`
  })
  const full = `parley_hub_${name}`
  return [...head(name, 'histogram', help), ...lines, `${full}_bucket{le="+Inf"} ${count}`, `${full}_sum ${sum}`, `${full}_count ${count}`]
}
