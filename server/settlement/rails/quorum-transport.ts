import { http, type Transport } from 'viem'
import { requireRpcQuorum } from './rpc-quorum.ts'

export type RpcOptions = {
  readonly rpcUrl: string
  /** A second node of the same chain: then both must agree. */
  readonly confirmingRpcUrl?: string | undefined
  /** Timeout of a request. Unset: five seconds. */
  readonly timeoutMs?: number | undefined
}

/** HTTP transport with a timeout for every request. With two nodes it returns only what both confirm. */
export function createQuorumTransport({ rpcUrl, confirmingRpcUrl, timeoutMs = 5_000 }: RpcOptions): Transport {
  const settings = { timeout: timeoutMs, retryCount: 1 }
  const first = http(rpcUrl, settings)
  if (confirmingRpcUrl === undefined) return first
  const second = http(confirmingRpcUrl, settings)
  return (options) => {
    const [one, other] = [first(options), second(options)]
    return { ...one, request: requireRpcQuorum(one.request, other.request) as typeof one.request }
  }
}
