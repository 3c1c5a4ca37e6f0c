import { encodeAbiParameters, encodeEventTopics, keccak256, numberToHex } from 'viem'
import { planEscrowAbi } from '../../contracts/abi/index.ts'
import { callChain } from '../../server/embedded/chain/anvil.ts'
import type { Call } from '../faulty-rpc-proxy.ts'

type Hex = `0x${string}`
type Block = { readonly number: Hex; readonly hash: Hex; readonly parentHash: Hex }
type Log = { readonly blockNumber: Hex; readonly blockHash: Hex; readonly logIndex: Hex }
type Receipt = { readonly blockNumber: Hex; readonly status: Hex; readonly logs: readonly unknown[] }
type Lie = (call: Call, truth: unknown) => unknown

export const lieKinds = ['lie_forged_logs', 'lie_forged_receipts', 'lie_withheld_logs', 'lie_stale_head', 'lie_other_chain'] as const
export type LieKind = (typeof lieKinds)[number]
/** The facts for a false answer. `planId`: of a goal that is not funded yet, or of any. */
export type LieFacts = { readonly rpcUrl: string; readonly escrow: Hex; readonly token: Hex; readonly planId: Hex; readonly client: Hex }

/** The kinds of false answers. `head`: the last block that a stopped node knows. */
export async function falseRpcAnswerOf(kind: LieKind, facts: LieFacts): Promise<{ readonly lie: Lie; readonly head: number }> {
  const latest = (await callChain(facts.rpcUrl, 'eth_getBlockByNumber', ['latest', false])) as Block
  const head = Number(latest.number)
  switch (kind) {
    case 'lie_forged_logs':
      return { lie: forgedLogs(facts), head }
    case 'lie_forged_receipts':
      return { lie: forgedReceipts, head }
    case 'lie_withheld_logs':
      return { lie: ({ method }) => (method === 'eth_getLogs' ? [] : undefined), head }
    case 'lie_stale_head':
      return { lie: staleHead(latest), head }
    case 'lie_other_chain':
      return { lie: otherChain, head }
    default:
      return kind satisfies never
  }
}

/** Every answer has one more log: a funding that did not happen. */
function forgedLogs({ escrow, token, planId, client }: LieFacts): Lie {
  const topics = encodeEventTopics({ abi: planEscrowAbi, eventName: 'PlanFunded', args: { planId, client, token } })
  const data = encodeAbiParameters([{ type: 'uint96' }], [8_000_000n])
  return ({ method, params }, truth) => {
    if (method !== 'eth_getLogs' || !Array.isArray(truth)) return undefined
    const [last] = (truth as Log[]).slice(-1)
    const { blockHash } = (params?.[0] ?? {}) as { blockHash?: Hex }
    const forged = {
      address: escrow,
      topics,
      data,
      blockNumber: last?.blockNumber ?? '0x1',
      blockHash: last?.blockHash ?? blockHash ?? keccak256('0x01'),
      transactionHash: keccak256(planId),
      transactionIndex: '0x0',
      logIndex: numberToHex(last ? Number(last.logIndex) + 1 : 0),
      removed: false,
    }
    return [...(truth as Log[]), forged]
  }
}

/** Success and failure are swapped. */
const forgedReceipts: Lie = ({ method }, truth) => {
  if (method !== 'eth_getTransactionReceipt' || truth === null || truth === undefined) return undefined
  const receipt = truth as Receipt
  return { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1', logs: [] }
}

function staleHead(latest: Block): Lie {
  const head = Number(latest.number)
  return ({ method, params }, truth) => {
    if (method === 'eth_blockNumber') return latest.number
    if (method === 'eth_getTransactionReceipt') return truth && Number((truth as Receipt).blockNumber) > head ? null : undefined
    if (method === 'eth_getLogs')
      return Array.isArray(truth) ? (truth as Log[]).filter((log) => Number(log.blockNumber) <= head) : undefined
    if (method !== 'eth_getBlockByNumber') return undefined
    const [which] = params ?? []
    if (which === 'latest' || which === 'pending') return latest
    return Number(which) > head ? null : undefined
  }
}

const otherHash = (hash: Hex): Hex => keccak256(`${hash}01`)

/** Another chain id, other blocks from the first one on, and none of our contracts. */
const otherChain: Lie = ({ method }, truth) => {
  if (method === 'eth_chainId') return '0x2105'
  if (method === 'eth_getLogs') return []
  if (method === 'eth_getTransactionReceipt') return null
  if (method !== 'eth_getBlockByNumber' || truth === null || truth === undefined) return undefined
  const block = truth as Block
  return { ...block, hash: otherHash(block.hash), parentHash: otherHash(block.parentHash) }
}
