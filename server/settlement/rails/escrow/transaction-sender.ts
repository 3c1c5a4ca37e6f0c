import { type Hex, keccak256, type PublicClient } from 'viem'
import type { ChainSigner, EncodedCall, EscrowRail, MarketFees, RefusedCall } from '../../../ports.ts'
import { decodeBroadcastError, decodeRevert, mapRpcErrors } from '../map-rpc-errors.ts'

type Sending = 'sender' | 'simulate' | 'cancellation' | 'fees' | 'sign' | 'broadcast' | 'chainNonce'

/** The settler's transactions: simulated, signed and sent. */
export function createTransactionSender(client: PublicClient, chainId: number, settler: ChainSigner): Pick<EscrowRail, Sending> {
  return {
    sender: settler.address,
    simulate: (call) => mapRpcErrors(simulate(client, settler.address, call)),
    cancellation: () => mapRpcErrors(cancellation(client, settler.address)),
    fees: () => mapRpcErrors(fees(client)),
    async sign(call, nonce, price) {
      const raw = await settler.signTransaction({ chainId, nonce, ...call, ...price })
      return { raw, hash: keccak256(raw), nonce, sender: settler.address }
    },
    broadcast: (raw) => mapRpcErrors(broadcast(client, raw)),
    chainNonce: (depth = 0) => mapRpcErrors(chainNonce(client, settler.address, depth)),
  }
}

async function simulate(client: PublicClient, account: Hex, call: EncodedCall): Promise<RefusedCall | null> {
  try {
    await client.call({ account, ...call })
    return null
  } catch (error) {
    const refused = decodeRevert(error)
    if (refused === null) throw error
    return refused
  }
}

/** The fee covers three doublings of the base fee. The chain charges only the actual fee, and a higher one needs a replacement. */
async function fees(client: PublicClient): Promise<MarketFees> {
  const [block, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()])
  const baseFeePerGas = block.baseFeePerGas ?? 0n
  return { baseFeePerGas, maxFeePerGas: baseFeePerGas * 8n + tip, maxPriorityFeePerGas: tip }
}

/** Estimates gas, because on some rollups the cost of a transfer depends on the parent chain's gas price. */
async function cancellation(client: PublicClient, account: Hex): Promise<EncodedCall> {
  const nothing = { to: account, data: '0x', value: 0n } as const
  const gas = await client.estimateGas({ account, ...nothing })
  return { ...nothing, gas: (gas * 3n) / 2n }
}

async function broadcast(client: PublicClient, raw: Hex) {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    return 'sent'
  } catch (error) {
    const answer = decodeBroadcastError(error)
    if (answer === null) throw error
    return answer
  }
}

async function chainNonce(client: PublicClient, address: Hex, depth: number): Promise<number> {
  if (depth === 0) return client.getTransactionCount({ address, blockTag: 'latest' })
  const head = await client.getBlockNumber()
  const blockNumber = head > BigInt(depth) ? head - BigInt(depth) : 0n
  return client.getTransactionCount({ address, blockNumber })
}
