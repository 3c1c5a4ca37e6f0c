import type { Scale } from '../../sim/scale/scale-figures-store.ts'
import type { Costs } from '../hub/measured-hub-costs.ts'
import { barPlot, figure } from './bar-plot.ts'
import { assumed, type Capacity, capacityOf, oneHub, scenarios } from './capacity-model.ts'

/** What `npm run capacity` writes: parts of docs/capacity.md by their name, and plots by their file. */
export type CapacityPage = { readonly parts: { readonly [name: string]: string }; readonly plots: { readonly [file: string]: string } }

export function renderCapacityPage(costs: Costs, scale: Scale): CapacityPage {
  const all = scenarios.map((scenario) => ({ ...scenario, ...capacityOf(scenario, costs) }))
  const years = all.map((one) => String(one.year))
  const line = (label: string, of: (one: Capacity) => string) => [label, ...all.map(of)]
  const meshes = scale.meshes.map((mesh) => ({ ...mesh, name: `${figure(mesh.agents)} agents` }))
  return {
    parts: {
      costs: costTable(costs),
      'one hub': oneHubTable(costs, scale),
      scenarios: table(
        ['', ...years],
        [
          ['users', ...all.map((one) => figure(one.users))],
          ['exchanges per user and day', ...all.map((one) => figure(one.exchangesPerDay))],
          line('messages/s, mean', (one) => figure(one.mean)),
          line('messages/s, busiest hour', (one) => figure(one.peak)),
          ['traffic in the article, **EB**/month', ...all.map((one) => one.articleExabytes)],
          line('traffic computed from its inputs, **PB**/month', (one) => figure(one.text)),
          line('on agents’ sockets here, PB/month', (one) => figure(one.wire)),
          line('the same, compressed', (one) => figure(one.compressed)),
          line('hubs for the talk', (one) => figure(one.hubsForTalk)),
          line('hubs for the connections', (one) => figure(one.hubsForConnections)),
          line('**hubs**', (one) => `**${figure(one.hubs)}**`),
          line('PostgreSQL, cores', (one) => figure(one.databaseCores)),
          line(`PostgreSQL, servers of ${assumed.databaseCores} cores`, (one) => figure(one.databaseServers)),
          line('heartbeat writes per second', (one) => figure(one.presence)),
          line('a year of messages on disk, PB', (one) => figure(one.disk)),
          line('WAL in the busiest hour, GB/s', (one) => figure(one.wal)),
          line('cores, $ million/month', (one) => figure(one.compute)),
          line('disk for a year of messages, $ million/month', (one) => figure(one.storage)),
          line('sending, compressed, $ million/month', (one) => figure(one.sending)),
          line('first limit', (one) => one.first),
        ],
      ),
      meshes: table(
        ['', ...meshes.map((mesh) => mesh.name)],
        [
          ['hubs', ...meshes.map((mesh) => figure(mesh.hubs))],
          ['rooms', ...meshes.map((mesh) => figure(mesh.rooms))],
          ['messages', ...meshes.map((mesh) => figure(mesh.messages))],
          ['live delivery, p50 / p99 ms', ...meshes.map((mesh) => `${figure(mesh.p50_ms)} / ${figure(mesh.p99_ms)}`)],
          ['within the hub, p50 / p99 ms', ...meshes.map((mesh) => `${figure(mesh.hub_p50_ms)} / ${figure(mesh.hub_p99_ms)}`)],
          ['all agents back after a hub’s crash, s', ...meshes.map((mesh) => figure(mesh.storm_ms / 1_000))],
          ['bytes per message: to hubs', ...meshes.map((mesh) => figure(mesh.bytes_per_message.to_hubs))],
          ['to agents', ...meshes.map((mesh) => figure(mesh.bytes_per_message.to_agents))],
          ['between hubs', ...meshes.map((mesh) => figure(mesh.bytes_per_message.between_hubs))],
          ['hub thread busy, mean / busiest', ...meshes.map((mesh) => `${share(mesh.busy.hub)} / ${share(mesh.busiest.hub)}`)],
          ['PostgreSQL busy, mean / busiest', ...meshes.map((mesh) => `${share(mesh.busy.postgres)} / ${share(mesh.busiest.postgres)}`)],
          ['faults of all nine kinds', ...meshes.map((mesh) => figure(Object.values(mesh.faults).reduce((sum, one) => sum + one, 0)))],
        ],
      ),
    },
    plots: {
      'hubs.svg': barPlot({
        title: 'Hubs that the article’s scenarios need',
        unit: 'hubs',
        series: ['for the talk', 'for the connections'],
        groups: all.map((one) => ({ label: String(one.year), values: [one.hubsForTalk, one.hubsForConnections] })),
      }),
      'traffic.svg': barPlot({
        title: 'Traffic each month',
        unit: 'petabytes',
        series: ['text alone', 'on the sockets', 'compressed'],
        groups: all.map((one) => ({ label: String(one.year), values: [one.text, one.wire, one.compressed] })),
      }),
      'latency.svg': barPlot({
        title: 'From saying to hearing, in a mesh under churn',
        unit: 'milliseconds',
        series: ['p50', 'p99', 'p99 within the hub'],
        groups: meshes.map((mesh) => ({ label: mesh.name, values: [mesh.p50_ms, mesh.p99_ms, mesh.hub_p99_ms] })),
      }),
    },
  }
}

function costTable({ hub_us, postgres_us, flush_ms, bytes, compressed, measured }: Costs): string {
  const rows: [string, string][] = [
    ['hub: a write, for any number of messages', `${hub_us.write} µs`],
    ['hub: a message of 1 KiB', `${hub_us.message} µs`],
    ['hub: each of its deliveries', `${hub_us.delivery} µs`],
    ['hub: each further KiB', `${hub_us.kilobyte} µs`],
    ['hub: verification of a sender’s signature', `${hub_us.signature} µs`],
    ['hub: a hello, with its database queries', `${hub_us.hello} µs`],
    ['PostgreSQL: a write', `${postgres_us.write} µs`],
    ['PostgreSQL: a message of 1 KiB', `${postgres_us.message} µs`],
    ['PostgreSQL: each further KiB', `${postgres_us.kilobyte} µs`],
    ['PostgreSQL: a hello', `${postgres_us.hello} µs`],
    ['PostgreSQL: a page of the log', `${postgres_us.read} µs`],
    ['a write to disk, plus each message in it', `${flush_ms.base} ms + ${flush_ms.message} ms`],
    ['bytes of a posted message, and of each delivery', `${bytes.post} B, ${bytes.deliver} B`],
    ['on disk with all indexes: 1 KiB, 7.6 kB', `${bytes.row} B, ${bytes.row_7600} B`],
    ['WAL of a message of 1 KiB', `${bytes.wal} B`],
    ['compressed size', share(compressed)],
  ]
  return `${table(['', `measured ${measured.on}, ${measured.machine}`], rows)}\nPrinted by \`${measured.by}\`.\n`
}

function oneHubTable(costs: Costs, { limit }: Scale): string {
  const one = oneHub(costs)
  return table(
    ['', 'one hub'],
    [
      ['1 KiB in rooms of eight, messages/s', figure(one.small)],
      ['the same, each with its sender’s signature', figure(one.signed)],
      ['7.6 kB in rooms of eight', figure(one.large)],
      ['messages/s of 1 KiB that one core of PostgreSQL writes', figure(one.database)],
      ['messages/s in a simulated mesh where three rooms in ten span hubs', figure(limit.messages_per_s)],
      [
        'time of a message within the hub there, p99: at 80 %, at 120 % of that rate',
        `${figure(limit.at_80_percent_p99_ms)} ms, ${figure(limit.at_120_percent_p99_ms)} ms`,
      ],
      ['first limit', `its ${limit.first}`],
      ['hubs at that limit for each core of PostgreSQL', figure(one.hubsPerCore)],
      [`thread time until ${figure(assumed.connectionsPerHub)} agents are back, s`, figure(one.stormSeconds)],
      ['GB on disk a day at 1,000 messages/s of 1 KiB', figure(one.diskPerDay)],
    ],
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ['---', ...head.slice(1).map(() => '---:')], ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function share(of: number): string {
  return `${figure(Number((of * 100).toFixed(1)))} %`
}

/** The page with its generated parts put in, each between its two marks. @throws where a mark is missing */
export function insertCapacityParts(page: string, parts: CapacityPage['parts']): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- ${name}: written by npm run capacity -->\n`, '<!-- end -->']
    const from = text.indexOf(begin)
    const to = text.indexOf(end, from)
    if (from < 0 || to < 0) throw new Error(`the page has no place for "${name}"`)
    return `${text.slice(0, from + begin.length)}${part}${text.slice(to)}`
  }, page)
}
