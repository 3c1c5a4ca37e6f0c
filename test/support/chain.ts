import { inject } from 'vitest'
import { startDeployedChain, type TestChain } from './chain-state.ts'

export type { TestChain } from './chain-state.ts'

/** `chainId`: another one than local chains have; what stands on the chain is the same. */
export const startChain = (options: { chainId?: number } = {}): Promise<TestChain> => startDeployedChain(inject('deployedChain'), options)
