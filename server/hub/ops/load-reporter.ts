import { hostname } from 'node:os'
import type { Context } from '../../context.ts'
import { forgetLoad, type LoadFigures, noteLoad } from '../../telemetry/index.ts'
import type { HubFigures } from './metrics.ts'

/** How often a hub writes down how it stands. */
const everyMs = 5_000

/** Tells operators how this hub stands, until it is called: then the hub has ended in order, and is forgotten. */
export function tellLoad(
  ctx: Context,
  { hub, port, link }: { readonly hub: string; readonly port: number; readonly link: string | null },
  figures: () => HubFigures,
): () => Promise<void> {
  const name = `${hostname()}:${port}`
  let telling = Promise.resolve()
  const tell = () => {
    const own = loadOf(figures())
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

export function loadOf({ flushes, connections, behind, unsentBytes, pushed, fetched, slow }: HubFigures): LoadFigures {
  return {
    messages: flushes.sizes.sum,
    writes: flushes.seconds.count,
    writeSeconds: flushes.seconds.sum,
    deliveries: pushed + fetched,
    connections,
    queued: flushes.queued,
    behind,
    unsentBytes,
    slow,
  }
}
