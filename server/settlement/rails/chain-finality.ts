import { chainPreset, localChainIds } from '../../../contracts/deploy/chain-presets.ts'
import type { Environment } from '../../env.ts'

export type Finality = {
  readonly finality: 'confirmations' | 'safe' | 'finalized'
  readonly confirmations: number
  /** Confirmations that replace an unsupported block tag; null if no number is known to be safe. */
  readonly fallbackConfirmations: number | null
}

/**
 * Finality rule of the settlement chain. Unset values come from the chain's preset. Rejects zero confirmations on a chain with
 * real money: otherwise a reorganization could cause a double payment.
 * @throws {Error} with the setting to change
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
