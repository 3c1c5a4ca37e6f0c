import { hostname } from 'node:os'
import type { Context } from '../../context.ts'
import { deleteLoad, type LoadFigures, recordLoad } from '../../telemetry/index.ts'
import type { HubMetrics } from './metrics.ts'

/** The reporting interval. */
const everyMs = 5_000

/** Stores the load of this hub for operators. The returned function stops it and removes the record. */
export function startLoadReporter(
  ctx: Context,
  { hub, port, peerUrl }: { readonly hub: string; readonly port: number; readonly peerUrl: string | null },
  figures: () => HubMetrics,
): () => Promise<void> {
  const name = `${hostname()}:${port}`
  let reporting = Promise.resolve()
  const report = () => {
    const own = toLoadFigures(figures())
    reporting = reporting
      .then(() => recordLoad(ctx, { hub, name, peerUrl, figures: own }))
      .catch((error: unknown) => ctx.log.debug({ event: 'hub.load_write_failed', err: error }, 'The load of the hub was not stored.'))
  }
  report()
  const timer = setInterval(report, everyMs)
  return async () => {
    clearInterval(timer)
    await reporting
    await deleteLoad(ctx, hub).catch((error: unknown) =>
      ctx.log.debug({ event: 'hub.load_delete_failed', err: error }, 'The load of the hub was not deleted.'),
    )
  }
}

export function toLoadFigures({ writes, connections, behind, unsentBytes, pushed, fetched, slow }: HubMetrics): LoadFigures {
  return {
    messages: writes.sizes.sum,
    writes: writes.seconds.count,
    writeSeconds: writes.seconds.sum,
    deliveries: pushed + fetched,
    connections,
    queued: writes.queued,
    behind,
    unsentBytes,
    slow,
  }
}
