import type { Address, Hex } from 'viem'
import { inject } from 'vitest'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import { startAnvil } from './chain-state.ts'
import { developmentKeys } from './development-keys.ts'

/** A chain of the test's own on which the contracts stand. Disposing ends it. */
export type TestChain = AsyncDisposable & {
  rpcUrl: string
  chainId: number
  token: Address
  escrow: Address
  channels: Address
  /** Private keys of ten accounts that hold ether. The first has deployed the contracts. */
  keys: Hex[]
  /** Lets chain time pass: the next block, mined at once, is that much later. */
  warp: (seconds: number) => Promise<void>
  stop: () => Promise<void>
}

/** `chainId`: another one than local chains have; what stands on the chain is the same. */
export async function startChain(options: { chainId?: number } = {}): Promise<TestChain> {
  const { stateFile, chainId: localId, token, escrow, channels } = inject('deployedChain')
  const { chainId = localId } = options
  const { rpcUrl, stop } = await startAnvil({ loadState: stateFile, chainId })
  const warp = async (seconds: number): Promise<void> => {
    await callChain(rpcUrl, 'evm_increaseTime', [seconds])
    await callChain(rpcUrl, 'evm_mine')
  }
  return { rpcUrl, chainId, token, escrow, channels, keys: developmentKeys, warp, stop, [Symbol.asyncDispose]: stop }
}
