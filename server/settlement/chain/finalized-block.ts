import type { EscrowRail } from '../../ports.ts'

/** The newest block that counts as final: with enough blocks on top, and with the chain's own mark where one is asked for. */
export async function getFinalizedBlock(rail: EscrowRail, head: number): Promise<number> {
  const buried = head - rail.confirmations
  if (rail.finality === 'confirmations') return buried
  return Math.min(buried, await rail.taggedBlock(rail.finality))
}
