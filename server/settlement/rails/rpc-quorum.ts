import { chainInconsistent, chainUnavailable } from '../errors.ts'

/** Sends one JSON-RPC request to one node. */
export type JsonRpcCall = (request: { readonly method: string; readonly params?: unknown }) => Promise<unknown>
type Block = { readonly number: string; readonly hash: string }

/** Index of the block parameter of state queries. */
const blockParameterIndex: { readonly [method: string]: number } = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_estimateGas: 1,
  eth_getStorageAt: 2,
}
const movingBlockTags = new Set<unknown>([undefined, 'latest', 'pending', 'safe', 'finalized'])
/** Node-specific estimates without payment: the lower answer counts. */
const lowestAnswerMethods = new Set(['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blockNumber'])
const logFields = ['address', 'topics', 'data', 'blockNumber', 'blockHash', 'transactionHash', 'logIndex']
const receiptFields = ['transactionHash', 'blockNumber', 'blockHash', 'status']

/**
 * Combines two nodes of one chain into a quorum that returns only what both confirm. State queries use the lower of both block
 * heights, so a node that is one block behind does not cause a conflict. Data that one node lacks does not exist yet. Transactions
 * go to both. Any difference is `hold.chain_inconsistent`.
 */
export function requireRpcQuorum(one: JsonRpcCall, other: JsonRpcCall): JsonRpcCall {
  const both = <T>(request: Parameters<JsonRpcCall>[0]) => askBoth<T>(one, other, request)

  async function commonHeight(): Promise<string> {
    const [a, b] = await both<string>({ method: 'eth_blockNumber' })
    return minHex(a, b)
  }

  async function blockBy(params: readonly unknown[]): Promise<unknown> {
    const method = 'eth_getBlockByNumber'
    const [tag, ...rest] = params
    let [a, b] = await both<Block | null>({ method, params })
    if (a === null || b === null) return null
    if (movingBlockTags.has(tag) && a.number !== b.number) {
      const height = minHex(a.number, b.number)
      ;[a, b] = await both<Block | null>({ method, params: [height, ...rest] })
      if (a === null || b === null) throw chainUnavailable(`one of the nodes does not have block ${Number(height)}`)
    }
    if (a.hash !== b.hash) throw chainInconsistent(`block ${Number(a.number)}`, a.hash, b.hash)
    return a
  }

  async function same(request: Parameters<JsonRpcCall>[0], read: (answer: unknown) => unknown = (answer) => answer): Promise<unknown> {
    const [a, b] = await both(request)
    // Data that one node lacks does not exist yet.
    if (a === null || b === null) return null
    requireEqual(request.method, read(a), read(b))
    return a
  }

  return async (request) => {
    const { method } = request
    const params = Array.isArray(request.params) ? request.params : []
    if (method === 'eth_sendRawTransaction') return broadcastToBoth(one, other, request)
    if (method === 'eth_getBlockByNumber') return blockBy(params)
    if (method === 'eth_getBlockByHash') return same(request, (block) => (block as Block).hash)
    if (method === 'eth_getLogs') return same(request, (logs) => (logs as object[]).map((log) => pick(log, logFields)))
    if (method === 'eth_getTransactionReceipt') return same(request, readReceipt)
    if (lowestAnswerMethods.has(method)) {
      const [a, b] = await both<string>(request)
      return minHex(a, b)
    }
    const place = blockParameterIndex[method]
    if (place === undefined || !movingBlockTags.has(params[place])) return same(request)
    const pinned = [...params]
    pinned[place] = await commonHeight()
    if (method !== 'eth_estimateGas') return same({ method, params: pinned })
    const [a, b] = await both<string>({ method, params: pinned })
    return minHex(a, b) === a ? b : a
  }
}

/** Both answers. If both revert, it is a revert. If only one does, the nodes disagree or one is unreachable. */
async function askBoth<T>(one: JsonRpcCall, other: JsonRpcCall, request: Parameters<JsonRpcCall>[0]): Promise<readonly [T, T]> {
  const [a, b] = await Promise.allSettled([one(request), other(request)])
  if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value as T, b.value as T]
  const reasons = [a, b].flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  if (reasons.length === 1 && isRevert(reasons[0])) throw chainInconsistent(request.method, describeAnswer(a), describeAnswer(b))
  // A revert counts only if both nodes were reachable.
  throw reasons.find((reason) => !isRevert(reason)) ?? reasons[0]
}

/** One accepting node is enough, because nodes gossip transactions. */
async function broadcastToBoth(one: JsonRpcCall, other: JsonRpcCall, request: Parameters<JsonRpcCall>[0]): Promise<unknown> {
  const [a, b] = await Promise.allSettled([one(request), other(request)])
  if (a.status === 'fulfilled') return a.value
  if (b.status === 'fulfilled') return b.value
  throw a.reason
}

function readReceipt(receipt: unknown): unknown {
  const { logs } = receipt as { readonly logs: readonly object[] }
  return { ...pick(receipt as object, receiptFields), logs: logs.map((log) => pick(log, logFields)) }
}

function requireEqual(what: string, one: unknown, other: unknown): void {
  const [a, b] = [JSON.stringify(one)?.toLowerCase(), JSON.stringify(other)?.toLowerCase()]
  if (a !== b) throw chainInconsistent(what, a ?? 'nothing', b ?? 'nothing')
}

function pick(of: object, fields: readonly string[]): object {
  const values = new Map(Object.entries(of))
  return Object.fromEntries(fields.map((field) => [field, values.get(field)]))
}

function minHex(a: string, b: string): string {
  return BigInt(a) <= BigInt(b) ? a : b
}

function describeAnswer(answer: PromiseSettledResult<unknown>): string {
  return answer.status === 'fulfilled' ? JSON.stringify(answer.value) : 'refused'
}

/** A reverted call: JSON-RPC code 3, or a message of some nodes. */
function isRevert(reason: unknown): boolean {
  for (let error: unknown = reason; typeof error === 'object' && error !== null; error = 'cause' in error ? error.cause : null) {
    if ('code' in error && error.code === 3) return true
    if ('details' in error && typeof error.details === 'string' && /revert/i.test(error.details)) return true
  }
  return false
}
