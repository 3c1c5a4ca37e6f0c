import { hash } from 'node:crypto'

/**
 * The hub that owns a room, by rendezvous hashing. Hubs that see the same peers choose the same owner.
 * When a hub joins or leaves, only its own rooms move.
 */
export function rendezvousHashOwner(hubs: Iterable<string>, roomId: string): string | null {
  let [owner, maxWeight]: [string | null, string] = [null, '']
  for (const hub of hubs) {
    const weight = hash('sha256', `${hub} ${roomId}`)
    if (weight > maxWeight) [owner, maxWeight] = [hub, weight]
  }
  return owner
}
