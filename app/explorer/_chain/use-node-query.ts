'use client'
import { useQuery } from '@tanstack/react-query'
import { useMarket } from '../../_components/market-provider.tsx'

/** Answers of the local chain's node. On other chains there are no requests: those have public explorers. */
export function useNodeQuery<T>(key: readonly string[], ask: () => Promise<T>, refetchInterval: number | false = false) {
  const { isLocalChain } = useMarket()
  return useQuery({ queryKey: ['chain', ...key], queryFn: ask, enabled: isLocalChain, refetchInterval })
}
