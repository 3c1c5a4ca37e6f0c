/** How the processes, the neighbours and the books are after a round: what no single answer shows. */
import { reconcile } from '../../../server/settlement/index.ts'
import { type Bystander, lostMs } from '../ground/bystander.ts'
import type { Installation } from '../ground/installation.ts'
import { slowness } from '../ground/slowness.ts'
import { type Fault, type Looks, limits, lookAt } from './oracles.ts'

/** Below it the machine's scheduler decides, not the hub. */
const minP99Ms = 25

export const mb = (bytes: number) => Math.round(bytes / 2 ** 20)

/** `most`: what was seen at most in this run, kept here. */
export type Memory = {
  readonly base: Looks
  readonly maxHeld: { web: number; hub: number }
  readonly maxRss: { web: number; hub: number }
}

export async function memoryFaults(installation: Installation, { base, maxHeld, maxRss }: Memory): Promise<Fault[]> {
  const looks = await lookAt(installation, true)
  return (['web', 'hub'] as const).flatMap((name) => {
    const { held, rss } = looks[name]
    maxHeld[name] = Math.max(maxHeld[name], held)
    maxRss[name] = Math.max(maxRss[name], rss)
    const grown = held - base[name].held
    if (grown <= limits.heldBytes && rss - base[name].rss <= limits.rssBytes) return []
    const detail = `${mb(grown)} MB more than at the beginning, with everything freed that can be; rss ${mb(rss)} MB`
    return [{ oracle: 'bounded memory', subject: name, detail }]
  })
}

/** Measured again where it was too much: a neighbour on this machine is no fault, one that lasts is. */
export async function neighbourFaults(bystander: Bystander, idleP99: number): Promise<{ p99: number; faults: Fault[] }> {
  const max = () => Math.max(2 * idleP99, minP99Ms) * slowness()
  let p99 = await bystander.p99()
  for (let again = 0; again < 4 && p99 > max() && p99 < lostMs; again++) p99 = Math.min(p99, await bystander.p99())
  const detail = `${p99.toFixed(1)} ms, idle ${idleP99.toFixed(1)} ms`
  return { p99, faults: p99 > max() ? [{ oracle: 'an unrelated room stays fast', subject: 'p99', detail }] : [] }
}

/** Ledger against chain and Stripe, once the jobs are through. */
export async function bookFaults({ world }: Installation): Promise<Fault[]> {
  const differences = async () => {
    const { onlyLedger, onlyChain, onlyStripe, differing, stripeDiffering, heldDiffering } = await reconcile(world.system)
    return [...onlyLedger, ...onlyChain, ...onlyStripe, ...differing, ...stripeDiffering, ...heldDiffering]
  }
  await world.until('the books', async () => (await differences()).length === 0, 20_000).catch(() => undefined)
  const left = await differences()
  return left.slice(0, 3).map((one) => ({ oracle: 'ledger equals chain', subject: 'reconcile', detail: JSON.stringify(one) }))
}
