'use client'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useMarket } from '../../_components/market-provider.tsx'
import { callChainRpc } from './call-chain-rpc.ts'
import { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from './decode-logs-and-calls.ts'

/** Answers of the local chain's node. On other chains there are no requests: those have public explorers. */
function useNode<T>(key: readonly string[], ask: () => Promise<T>, refetchInterval: number | false = false) {
  const { isLocalChain } = useMarket()
  return useQuery({ queryKey: ['chain', ...key], queryFn: ask, enabled: isLocalChain, refetchInterval })
}

export function useTransaction(hash: string) {
  return useNode(['tx', hash], async () => {
    const [transaction, receipt] = await Promise.all([
      callChainRpc('eth_getTransactionByHash', [hash]),
      callChainRpc('eth_getTransactionReceipt', [hash]),
    ])
    return { transaction: RpcTransaction.nullable().parse(transaction), receipt: RpcReceipt.nullable().parse(receipt) }
  })
}

export function useLatestBlocks(count: number) {
  return useNode(
    ['blocks', String(count)],
    async () => {
      const head = Number(z.string().parse(await callChainRpc('eth_blockNumber', [])))
      const numbers = Array.from({ length: Math.min(count, head + 1) }, (_, index) => head - index)
      const blocks = await Promise.all(numbers.map((number) => callChainRpc('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])))
      return blocks.map((block) => RpcBlock.parse(block))
    },
    5_000,
  )
}

/** Logs that a contract wrote, and logs of the market's contracts that name the address; newest first. */
export function useLogs(address: string) {
  const { escrow, token } = useMarket()
  return useNode(
    ['logs', address.toLowerCase()],
    async () => {
      const word = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
      const range = { fromBlock: '0x0', toBlock: 'latest' }
      const named = [1, 2, 3].map((place) => ({ ...range, address: [escrow, token], topics: [...Array(place).fill(null), word] }))
      const answers = await Promise.all([{ ...range, address }, ...named].map((filter) => callChainRpc('eth_getLogs', [filter])))
      const logs = answers.flatMap((answer) => RpcLog.array().parse(answer))
      const unique = new Map(logs.map((log) => [`${log.transactionHash}-${log.logIndex}`, log]))
      return [...unique.values()].sort((a, b) => Number(b.blockNumber) - Number(a.blockNumber) || Number(b.logIndex) - Number(a.logIndex))
    },
    10_000,
  )
}
