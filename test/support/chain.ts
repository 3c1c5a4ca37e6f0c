import { inject } from 'vitest'
import { startDeployedChain, type TestChain } from './deployed-chain.ts'

export type { TestChain } from './deployed-chain.ts'

/** A chain with the contracts. `chainId`: another one than that of local chains. */
export const startChain = (options: { chainId?: number } = {}): Promise<TestChain> => startDeployedChain(inject('deployedChain'), options)
