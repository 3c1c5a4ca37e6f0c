/** Places for connections that have not authenticated. Those of many addresses must not keep another address out. */
import { rateNetwork } from '../../network/peer-address.ts'

export type UnprovenLimits = {
  readonly inAll: number
  /** Of one source: an IPv4 address, or an IPv6 /64. */
  readonly ofOne: number
}
/** A /48 has many /64: together they get so many times the places of one. */
const networkShare = 2

export type Unproven = {
  /** Whether one more may come from here, be it in the place of another. */
  hasRoomFor(source: string): boolean
  /** Takes a place. `drop`: it is the oldest of the network that has the most, and another needs the place. */
  take(source: string, drop: () => void): () => void
  readonly size: number
}

type Network = { readonly ofSource: Map<string, number>; readonly open: Set<() => void> }

export function createUnproven({ inAll, ofOne }: UnprovenLimits): Unproven {
  const networks = new Map<string, Network>()
  let size = 0
  const networkOf = (source: string) => rateNetwork(source) ?? source
  const countOf = (name: string) => networks.get(name)?.open.size ?? 0

  function largest(): string {
    let [found, most] = ['', 0]
    for (const [name, { open }] of networks) if (open.size > most) [found, most] = [name, open.size]
    return found
  }

  function dropOldest(name: string): void {
    const [oldest] = networks.get(name)?.open ?? []
    oldest?.()
  }

  return {
    hasRoomFor(source) {
      const name = networkOf(source)
      const isWide = rateNetwork(source) !== null
      if ((networks.get(name)?.ofSource.get(source) ?? 0) >= ofOne) return false
      if (isWide && countOf(name) >= ofOne * networkShare) return false
      return size < inAll || countOf(largest()) > countOf(name)
    },
    take(source, drop) {
      if (size >= inAll) dropOldest(largest())
      const name = networkOf(source)
      const network = networks.get(name) ?? { ofSource: new Map<string, number>(), open: new Set<() => void>() }
      networks.set(name, network)
      const dropIt = () => {
        giveBack()
        drop()
      }
      function giveBack(): void {
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
      return giveBack
    },
    get size() {
      return size
    },
  }
}
