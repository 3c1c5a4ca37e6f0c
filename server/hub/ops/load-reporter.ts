import { hostname } from 'node:os'
import type { Context } from '../../context.ts'
import { forgetLoad, type LoadFigures, noteLoad } from '../../telemetry/index.ts'
import type { HubMetrics } from './metrics.ts'

/** How often a hub writes down how it stands. */
const everyMs = 5_000

/** Tells operators how this hub stands, until it is called: then the hub has ended in order, and is forgotten. */
export function startLoadReporter(
  ctx: Context,
  { hub, port, link }: { readonly hub: string; readonly port: number; readonly link: string | null },
  figures: () => HubMetrics,
): () => Promise<void> {
  const name = `${hostname()}:${port}`
  let telling = Promise.resolve()
  const tell = () => {
    const own = toLoadFigures(figures())
    telling = telling
      .then(() => noteLoad(ctx, { hub, name, link, figures: own }))
      .catch((error: unknown) => ctx.log.debug({ err: error }, 'the load was not written down'))
  }
  tell()
  const timer = setInterval(tell, everyMs)
  return async () => {
    clearInterval(timer)
    await telling
    await forgetLoad(ctx, hub).catch((error: unknown) => ctx.log.debug({ err: error }, 'the load was not cleared away'))
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
