/** Who was the first to name a payee. Any number of owners can name the same one. */
import type { ListingIndex } from './listing-index.ts'

/**
 * The owner who was the first to name a payee: the payee itself if it is an owner, otherwise the one whose listing has named it longest.
 * Of owners at the same time, the one with the first id. -1 if no current listing names it.
 */
export function firstOwnerOfPayee({ columns, lastOfPayout, ids }: ListingIndex, payout: number): number {
  const { isLive, owner, paysOwner, payoutSince, previousOfPayout } = columns
  let first = -1
  for (let at = lastOfPayout.data[payout] ?? 0; at > 0; at = previousOfPayout.data[at - 1] as number) {
    const slot = at - 1
    if (isLive.data[slot] !== 1) continue
    if (paysOwner.data[slot] === 1) return owner.data[slot] as number
    const [since, best] = [payoutSince.data[slot] as number, first < 0 ? Number.POSITIVE_INFINITY : (payoutSince.data[first] as number)]
    if (since < best || (since === best && (ids[slot] as string) < (ids[first] as string))) first = slot
  }
  return first < 0 ? -1 : (owner.data[first] as number)
}
