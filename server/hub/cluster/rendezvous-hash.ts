import { hash } from 'node:crypto'

/**
 * Which of these hubs a room is at home at (rendezvous hashing): every hub that sees the same others chooses the same, and where
 * one comes or goes, only its own rooms move.
 */
export function rendezvousOwner(hubs: Iterable<string>, groupId: string): string | null {
  let [owner, maxWeight]: [string | null, string] = [null, '']
  for (const hub of hubs) {
    const weight = hash('sha256', `${hub} ${groupId}`)
    if (weight > maxWeight) [owner, maxWeight] = [hub, weight]
  }
  return owner
}
