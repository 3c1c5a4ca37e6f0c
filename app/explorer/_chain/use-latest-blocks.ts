'use client'
import { z } from 'zod'
import { callChainRpc } from './call-chain-rpc.ts'
import { RpcBlock } from './decode-logs-and-calls.ts'
import { useNodeQuery } from './use-node-query.ts'

export function useLatestBlocks(count: number) {
  return useNodeQuery(
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
