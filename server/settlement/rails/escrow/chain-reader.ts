import { BlockNotFoundError, type Hex, type PublicClient, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { ChainReceipt, EscrowEvent, EscrowRail } from '../../../ports.ts'
import { chainUnavailable } from '../../errors.ts'
import { decodeContractEvent } from '../decode-contract-event.ts'
import type { ContractAddresses } from '../encode-contract-call.ts'
import { getTaggedBlock } from '../get-tagged-block.ts'
import { mapRpcErrors } from '../map-rpc-errors.ts'

/** Up to this many blocks are queried one by one. */
const maxBlocksByHash = 16

type Reading = 'taggedBlock' | 'receipt' | 'head' | 'blockHash' | 'genesis' | 'readEvents' | 'etherOf'
type Range = { readonly fromBlock: bigint; readonly toBlock: bigint } | { readonly blockHash: Hex }

/** Blocks, receipts and events. `fallbackConfirmations`: see `getTaggedBlock`. */
export function createChainReader(
  client: PublicClient,
  at: ContractAddresses,
  fallbackConfirmations: number | null,
): Pick<EscrowRail, Reading> {
  return {
    taggedBlock: (tag) => mapRpcErrors(getTaggedBlock(client, tag, fallbackConfirmations)),
    receipt: (hash) => mapRpcErrors(readReceipt(client, at, hash)),
    async head() {
      const { number, hash, timestamp } = await mapRpcErrors(client.getBlock())
      return { number: Number(number), hash, timestamp: Number(timestamp) }
    },
    async blockHash(number) {
      const block = await mapRpcErrors(client.getBlock({ blockNumber: BigInt(number) }).catch(nullOn(BlockNotFoundError)))
      return block?.hash ?? null
    },
    genesis: async () => (await mapRpcErrors(client.getBlock({ blockNumber: 0n }))).hash,
    readEvents: (fromBlock, toBlock) => mapRpcErrors(readEvents(client, at, fromBlock, toBlock)),
    etherOf: (address) => mapRpcErrors(client.getBalance({ address })),
  }
}

async function readReceipt(client: PublicClient, at: ContractAddresses, hash: Hex): Promise<ChainReceipt | null> {
  const found: TransactionReceipt | null = await client.getTransactionReceipt({ hash }).catch(nullOn(TransactionReceiptNotFoundError))
  if (!found) return null
  const { blockNumber, blockHash, status, logs } = found
  const contracts = contractsOf(at)
  const hasEvents = logs.some((log) => contracts.includes(log.address.toLowerCase() as Hex))
  return { hash, block: Number(blockNumber), blockHash, succeeded: status === 'success', hasEvents }
}

/**
 * Queries a short range block by block, by hash. A node without a block then returns an error, while a range query would
 * silently omit it.
 */
async function readEvents(client: PublicClient, at: ContractAddresses, fromBlock: number, toBlock: number): Promise<EscrowEvent[]> {
  const numbers = Array.from(
    { length: Math.max(0, Math.min(toBlock - fromBlock + 1, maxBlocksByHash + 1)) },
    (_, index) => fromBlock + index,
  )
  if (numbers.length > maxBlocksByHash) return readLogs(client, at, { fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) })
  const blocks = await Promise.all(numbers.map((number) => client.getBlock({ blockNumber: BigInt(number) })))
  const torn = blocks.find((block, index) => index > 0 && block.parentHash !== blocks[index - 1]?.hash)
  if (torn) throw chainUnavailable(`block ${torn.number} does not follow the one before it`)
  return (await Promise.all(blocks.map((block) => readLogs(client, at, { blockHash: block.hash })))).flat()
}

async function readLogs(client: PublicClient, at: ContractAddresses, range: Range): Promise<EscrowEvent[]> {
  const raw = await client.getLogs({ address: contractsOf(at), ...range })
  const logs = raw.flatMap((one) => decodeContractEvent(one, at))
  const times = new Map<bigint, number>()
  for (const { blockNumber } of logs) {
    if (times.has(blockNumber)) continue
    const block = await client.getBlock({ blockNumber })
    times.set(blockNumber, Number(block.timestamp))
  }
  return logs.map((log) => ({
    ...log.event,
    txHash: log.transactionHash,
    logIndex: log.logIndex,
    block: Number(log.blockNumber),
    blockHash: log.blockHash,
    at: times.get(log.blockNumber) ?? 0,
    raw: { address: log.address, topics: log.topics, data: log.data },
  }))
}

function contractsOf({ escrow, channels }: ContractAddresses): Hex[] {
  return channels === null ? [escrow] : [escrow, channels]
}

/** Maps one kind of error to null. */
function nullOn(kind: abstract new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof kind) return null
    throw error
  }
}
