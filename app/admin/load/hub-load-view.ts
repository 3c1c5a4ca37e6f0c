import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '@/server/trpc/app-router.ts'

type HubLoad = inferRouterOutputs<AppRouter>['telemetry']['listLoad']['reported'][number]

/** The load of a hub between two reports: rates per second, milliseconds, or current numbers. */
export type LoadPoint = {
  readonly at: number
  readonly messages: number
  readonly deliveries: number
  /** Messages per write, and the duration of a write. Null without writes. */
  readonly perWrite: number | null
  readonly writeMs: number | null
  readonly queued: number
  readonly behind: number
}
export type HubView = {
  readonly hub: string
  readonly name: string
  /** Seconds since its last report. */
  readonly silentFor: number
  readonly isSilent: boolean
  readonly connections: number
  readonly unsentBytes: number
  readonly slow: number
  readonly points: readonly LoadPoint[]
}

/** A hub reports every five seconds. After three missing reports it counts as silent. */
const silentAfter = 16

/** The hubs by name, each with its reports; oldest first. */
export function hubsOf(loads: readonly HubLoad[], now: Date): HubView[] {
  const views = [...Map.groupBy(loads, (one) => one.hub)].map(([hub, words]): HubView => {
    const last = words.at(-1) as HubLoad
    const silentFor = Math.max(0, Math.round((now.getTime() - last.at.getTime()) / 1_000))
    const { connections, unsentBytes, slow } = last.figures
    return { hub, name: last.name, silentFor, isSilent: silentFor > silentAfter, connections, unsentBytes, slow, points: pointsOf(words) }
  })
  return views.sort((a, b) => a.name.localeCompare(b.name) || a.hub.localeCompare(b.hub))
}

function pointsOf(words: readonly HubLoad[]): LoadPoint[] {
  return words.slice(1).flatMap((word, index) => {
    const before = words[index]
    const seconds = before ? (word.at.getTime() - before.at.getTime()) / 1_000 : 0
    if (!before || seconds <= 0) return []
    const since = (name: 'messages' | 'deliveries' | 'writes' | 'writeSeconds') => word.figures[name] - before.figures[name]
    const writes = since('writes')
    return [
      {
        at: word.at.getTime(),
        messages: since('messages') / seconds,
        deliveries: since('deliveries') / seconds,
        perWrite: writes > 0 ? since('messages') / writes : null,
        writeMs: writes > 0 ? (since('writeSeconds') / writes) * 1_000 : null,
        queued: word.figures.queued,
        behind: word.figures.behind,
      },
    ]
  })
}

/** The current sums over all hubs. Silent ones are omitted. */
export function sumOverHubs(hubs: readonly HubView[]) {
  const alive = hubs.filter((hub) => !hub.isSilent)
  const sum = (of: (hub: HubView) => number) => alive.reduce((total, hub) => total + of(hub), 0)
  const now = (name: 'messages' | 'deliveries' | 'queued' | 'behind') => sum((hub) => hub.points.at(-1)?.[name] ?? 0)
  return {
    hubs: alive.length,
    silent: hubs.length - alive.length,
    connections: sum((hub) => hub.connections),
    messages: now('messages'),
    deliveries: now('deliveries'),
    queued: now('queued'),
    behind: now('behind'),
  }
}

/** The line segments of a plot in a box of `width` × `height`. Missing values leave gaps. */
export function plotLines(
  points: readonly { readonly at: number; readonly value: number | null }[],
  box: { readonly from: number; readonly to: number; readonly max: number; readonly width: number; readonly height: number },
): string[] {
  const x = (at: number) => ((at - box.from) / (box.to - box.from)) * box.width
  const y = (value: number) => box.height - (value / (box.max || 1)) * box.height
  const lines: string[][] = [[]]
  for (const { at, value } of points) {
    if (value === null) lines.push([])
    else if (at >= box.from) lines.at(-1)?.push(`${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  }
  return lines.filter((line) => line.length > 0).map((line) => line.join(' '))
}
