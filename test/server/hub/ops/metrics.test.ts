import { expect, it } from 'vitest'
import { createMessageWriteMetrics } from '../../../../server/conversations/messaging/message-write-metrics.ts'
import { prometheusText, searchMetricsText } from '../../../../server/hub/ops/metrics.ts'

it('writes figures as collectors read them: each bucket holds those below it too', () => {
  const writes = createMessageWriteMetrics()
  writes.record('optimistic', 1, 1)
  writes.record('optimistic', 5, 30)
  writes.record('locked', 600, 9_000)
  const figures = {
    writes: writes.read(7),
    connections: 2,
    behind: 1,
    unsentBytes: 64,
    pushed: 40,
    fetched: 3,
    slow: 1,
    cluster: { ownerPeers: 1, clientPeers: 2, forwarded: 5 },
  }
  const lines = prometheusText(figures).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'parley_hub_connections 2',
      'parley_hub_queued_messages 7',
      'parley_hub_lagging_subscriptions 1',
      'parley_hub_unsent_bytes 64',
      'parley_hub_writes_total{path="optimistic"} 2',
      'parley_hub_writes_total{path="locked"} 1',
      'parley_hub_write_messages_bucket{le="1"} 1',
      'parley_hub_write_messages_bucket{le="4"} 1',
      'parley_hub_write_messages_bucket{le="16"} 2',
      'parley_hub_write_messages_bucket{le="512"} 2',
      'parley_hub_write_messages_bucket{le="+Inf"} 3',
      'parley_hub_write_messages_sum 606',
      'parley_hub_commit_seconds_bucket{le="0.001"} 1',
      'parley_hub_commit_seconds_bucket{le="5"} 2',
      'parley_hub_commit_seconds_count 3',
      'parley_hub_deliveries_total{source="live"} 40',
      'parley_hub_deliveries_total{source="log"} 3',
      'parley_hub_slow_consumers_total 1',
      'parley_hub_peers{direction="outbound"} 1',
      'parley_hub_peers{direction="inbound"} 2',
      'parley_hub_forwarded_messages_total 5',
    ]),
  )
  const named = new Set(
    lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.replace(/(_bucket|_sum|_count)?(\{.*)? .*$/, '')),
  )
  for (const name of named)
    for (const word of ['HELP', 'TYPE']) expect(lines.filter((line) => line.startsWith(`# ${word} ${name} `))).toHaveLength(1)
  expect(lines.at(-1)).toBe('')
})

it('writes the age and the latency of the search index', () => {
  const seconds = { upTo: [0.01, 0.05], counts: [3, 1], sum: 0.07, count: 5 }
  const lines = searchMetricsText({ listings: 9, ageMs: 250, heapBytes: 64, seconds, unanswered: 2 }).split('\n')
  for (const line of [
    'parley_hub_search_listings 9',
    'parley_hub_search_age_seconds 0.25',
    'parley_hub_search_unanswered_total 2',
    'parley_hub_search_seconds_bucket{le="0.05"} 4',
    'parley_hub_search_seconds_count 5',
  ])
    expect(lines).toContain(line)
  expect(searchMetricsText({ listings: 0, ageMs: null, heapBytes: 0, seconds, unanswered: 0 })).not.toContain('age')
})
