import { chainPreset, localChainIds } from '../../../contracts/deploy/chain-presets.ts'
import type { Environment } from '../../env.ts'

export type Finality = {
  readonly finality: 'confirmations' | 'safe' | 'finalized'
  readonly confirmations: number
  /** Blocks on top that count instead, where the node knows no such mark; null where none is known to be enough. */
  readonly fallbackConfirmations: number | null
}

/**
 * When a block of the settlement chain counts as final. Unset, the chain's preset says it. A chain of value whose every new block would
 * count as final is refused: whoever can have one block removed could be paid twice.
 * @throws {Error} whose message says what to set
 */
export function chainFinality(env: Pick<Environment, 'CHAIN_ID' | 'CHAIN_FINALITY' | 'CHAIN_CONFIRMATIONS'>): Finality {
  const { CHAIN_ID: chainId, CHAIN_CONFIRMATIONS: confirmations } = env
  const preset = chainPreset(chainId)
  const finality = env.CHAIN_FINALITY ?? preset?.finality ?? 'confirmations'
  const isLocal = localChainIds.includes(chainId)
  if (!isLocal && finality === 'confirmations' && confirmations === 0)
    throw new Error(
      `Chain ${chainId} is not the local one, and CHAIN_FINALITY=confirmations with CHAIN_CONFIRMATIONS=0 takes every new block for final. ` +
        'Set CHAIN_FINALITY to safe or finalized, or CHAIN_CONFIRMATIONS to 1 or more.',
    )
  return { finality, confirmations, fallbackConfirmations: preset?.confirmations ?? (confirmations > 0 ? confirmations : null) }
}
