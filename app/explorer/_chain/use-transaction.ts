'use client'
import { callChainRpc } from './call-chain-rpc.ts'
import { RpcReceipt, RpcTransaction } from './decode-logs-and-calls.ts'
import { useNodeQuery } from './use-node-query.ts'

export function useTransaction(hash: string) {
  return useNodeQuery(['tx', hash], async () => {
    const [transaction, receipt] = await Promise.all([
      callChainRpc('eth_getTransactionByHash', [hash]),
      callChainRpc('eth_getTransactionReceipt', [hash]),
    ])
    return { transaction: RpcTransaction.nullable().parse(transaction), receipt: RpcReceipt.nullable().parse(receipt) }
  })
}
