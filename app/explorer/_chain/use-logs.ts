'use client'
import { useMarket } from '../../_components/market-provider.tsx'
import { callChainRpc } from './call-chain-rpc.ts'
import { RpcLog } from './decode-logs-and-calls.ts'
import { useNodeQuery } from './use-node-query.ts'

/** Logs that a contract wrote, and logs of the market's contracts that name the address; newest first. */
export function useLogs(address: string) {
  const { escrow, token } = useMarket()
  return useNodeQuery(
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
