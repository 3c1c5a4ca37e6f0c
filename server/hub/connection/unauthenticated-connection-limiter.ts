/** A limiter of unauthenticated connections. A source with many addresses must not exhaust the places of others. */
import { rateNetwork } from '../../http/client-ip-address.ts'

export type UnauthenticatedLimits = {
  readonly maxTotal: number
  /** Per source: an IPv4 address, or an IPv6 /64. */
  readonly maxPerSource: number
}
/** A /48 contains many /64. Together they get this multiple of one source's places. */
const networkShare = 2

export type UnauthenticatedLimiter = {
  /** Whether this source may open one more, possibly by replacing another. */
  hasCapacityFor(source: string): boolean
  /**
   * Takes a place and returns its release. `drop`: called if this is the oldest connection of the largest network and its place is
   * needed.
   */
  acquire(source: string, drop: () => void): () => void
  readonly size: number
}

type Network = { readonly ofSource: Map<string, number>; readonly open: Set<() => void> }

export function createUnauthenticatedConnectionLimiter({ maxTotal, maxPerSource }: UnauthenticatedLimits): UnauthenticatedLimiter {
  const networks = new Map<string, Network>()
  let size = 0
  const networkOf = (source: string) => rateNetwork(source) ?? source
  const countOf = (name: string) => networks.get(name)?.open.size ?? 0

  function largest(): string {
    let [found, maxOpen] = ['', 0]
    for (const [name, { open }] of networks) if (open.size > maxOpen) [found, maxOpen] = [name, open.size]
    return found
  }

  function dropOldest(name: string): void {
    const [oldest] = networks.get(name)?.open ?? []
    oldest?.()
  }

  return {
    hasCapacityFor(source) {
      const name = networkOf(source)
      const isWide = rateNetwork(source) !== null
      if ((networks.get(name)?.ofSource.get(source) ?? 0) >= maxPerSource) return false
      if (isWide && countOf(name) >= maxPerSource * networkShare) return false
      return size < maxTotal || countOf(largest()) > countOf(name)
    },
    acquire(source, drop) {
      if (size >= maxTotal) dropOldest(largest())
      const name = networkOf(source)
      const network = networks.get(name) ?? { ofSource: new Map<string, number>(), open: new Set<() => void>() }
      networks.set(name, network)
      const dropIt = () => {
        release()
        drop()
      }
      function release(): void {
        if (!network.open.delete(dropIt)) return
        size--
        const left = (network.ofSource.get(source) ?? 1) - 1
        if (left > 0) network.ofSource.set(source, left)
        else network.ofSource.delete(source)
        if (network.open.size === 0 && networks.get(name) === network) networks.delete(name)
      }
      network.open.add(dropIt)
      network.ofSource.set(source, (network.ofSource.get(source) ?? 0) + 1)
      size++
      return release
    },
    get size() {
      return size
    },
  }
}
