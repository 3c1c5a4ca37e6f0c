import { inject } from 'vitest'
import { startDeployedChain, type TestChain } from './chain-state.ts'

export type { TestChain } from './chain-state.ts'

/** A chain with the contracts. `chainId`: another one than that of local chains. */
export const startChain = (options: { chainId?: number } = {}): Promise<TestChain> => startDeployedChain(inject('deployedChain'), options)
