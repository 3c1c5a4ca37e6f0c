import type { EscrowRail } from '../../ports.ts'

/** The newest final block: it has enough confirmations and, if configured, the chain's `safe` or `finalized` tag. */
export async function getFinalizedBlock(rail: EscrowRail, head: number): Promise<number> {
  const buried = head - rail.confirmations
  if (rail.finality === 'confirmations') return buried
  return Math.min(buried, await rail.taggedBlock(rail.finality))
}
