import {
  BaseError,
  BlockNotFoundError,
  createPublicClient,
  type Hex,
  http,
  keccak256,
  NonceTooLowError,
  parseEventLogs,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { planEscrowAbi, planIdOf, receiveWithAuthorizationTypes, testUsdcAbi, testUsdcDomain } from '../../../contracts/abi/index.ts'
import type { EscrowCall, EscrowEvent, EscrowRail, PreparedTransaction, RefusedCall } from '../../ports.ts'
import { answered, readRefusal } from './chain-answer.ts'
import { encodeCall } from './encode-call.ts'

export type EscrowRailOptions = {
  readonly rpcUrl: string
  readonly chainId: number
  readonly escrow: Hex
  readonly token: Hex
  /** Pays gas and sends. */
  readonly settlerKey: Hex
  /** Signs charters and attestations; need not hold ether. */
  readonly evaluatorKey: Hex
  readonly confirmations: number
  /** EIP-712 name and version of the token. Unset: those of the test token. */
  readonly tokenDomain?: { readonly name: string; readonly version: string }
}

/** `EscrowRail` over JSON-RPC. Keeps no state: a lost process loses nothing. */
export function createEscrowRail(options: EscrowRailOptions): EscrowRail {
  const { chainId } = options
  const at = { chainId, escrow: lower(options.escrow), token: lower(options.token) }
  const settler = privateKeyToAccount(options.settlerKey)
  const evaluator = privateKeyToAccount(options.evaluatorKey)
  const client = createPublicClient({ transport: http(options.rpcUrl, { timeout: 5_000, retryCount: 1 }), cacheTime: 0 })
  const tokenDomain = { ...testUsdcDomain(at), ...options.tokenDomain }

  /** The call as the chain would answer it now. */
  async function tryCall(call: { to: Hex; data: Hex; value: bigint; gas: bigint }): Promise<RefusedCall | null> {
    try {
      await client.call({ account: settler.address, ...call })
      return null
    } catch (error) {
      const refused = readRefusal(error)
      if (refused === null) throw error
      return { refused }
    }
  }

  /** Room for four doublings of the base fee: the same bytes must stay good for hours, and no more is paid than is due. */
  async function fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
    const [block, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()])
    return { maxFeePerGas: (block.baseFeePerGas ?? 0n) * 16n + tip, maxPriorityFeePerGas: tip }
  }

  async function prepare(call: EscrowCall, nonce: number): Promise<PreparedTransaction | RefusedCall> {
    const encoded = await encodeCall(at, evaluator, call)
    const [refused, price] = await Promise.all([tryCall(encoded), fees()])
    if (refused) return refused
    const raw = await settler.signTransaction({ type: 'eip1559', chainId, nonce, ...encoded, ...price })
    return { raw, hash: keccak256(raw), nonce, sender: lower(settler.address) }
  }

  async function broadcast(raw: Hex): Promise<'sent' | 'known' | 'nonce_used'> {
    try {
      await client.sendRawTransaction({ serializedTransaction: raw })
      return 'sent'
    } catch (error) {
      const text = error instanceof BaseError ? `${error.details} ${error.message}` : String(error)
      if (/already known|already imported|already exists/i.test(text)) return 'known'
      if (/nonce too low|nonce is too low/i.test(text)) return 'nonce_used'
      if (error instanceof BaseError && error.walk((one) => one instanceof NonceTooLowError)) return 'nonce_used'
      throw error
    }
  }

  async function receipt(hash: Hex) {
    const found: TransactionReceipt | null = await client.getTransactionReceipt({ hash }).catch(orNull(TransactionReceiptNotFoundError))
    if (!found) return null
    const { blockNumber, blockHash, status } = found
    return { hash, block: Number(blockNumber), blockHash, succeeded: status === 'success' }
  }

  async function blockHash(number: number): Promise<Hex | null> {
    const block = await client.getBlock({ blockNumber: BigInt(number) }).catch(orNull(BlockNotFoundError))
    return block?.hash ?? null
  }

  async function readEvents(fromBlock: number, toBlock: number): Promise<EscrowEvent[]> {
    const raw = await client.getLogs({ address: at.escrow, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) })
    const logs = parseEventLogs({ abi: planEscrowAbi, logs: raw, strict: true })
    const times = new Map<bigint, number>()
    for (const { blockNumber } of logs) {
      if (times.has(blockNumber)) continue
      const block = await client.getBlock({ blockNumber })
      times.set(blockNumber, Number(block.timestamp))
    }
    return logs.map((log) => ({
      name: log.eventName,
      planId: 'planId' in log.args ? lower(log.args.planId) : null,
      args: plainArgs(log.args),
      txHash: log.transactionHash,
      logIndex: log.logIndex,
      block: Number(log.blockNumber),
      blockHash: log.blockHash,
      at: times.get(log.blockNumber) ?? 0,
    }))
  }

  return {
    sender: lower(settler.address),
    confirmations: options.confirmations,
    planId: (terms) => planIdOf(at, terms),
    fundingTypedData: (terms, validAfter, validBefore) => ({
      domain: tokenDomain,
      types: receiveWithAuthorizationTypes,
      primaryType: 'ReceiveWithAuthorization',
      message: {
        from: terms.client,
        to: at.escrow,
        value: terms.total,
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        nonce: planIdOf(at, terms),
      },
    }),
    prepare: (call, nonce) => answered(prepare(call, nonce)),
    broadcast: (raw) => answered(broadcast(raw)),
    receipt: (hash) => answered(receipt(hash)),
    head: async () => {
      const { number, hash, timestamp } = await answered(client.getBlock())
      return { number: Number(number), hash, timestamp: Number(timestamp) }
    },
    blockHash: (number) => answered(blockHash(number)),
    genesis: async () => (await answered(client.getBlock({ blockNumber: 0n }))).hash,
    chainNonce: () => answered(client.getTransactionCount({ address: settler.address, blockTag: 'latest' })),
    readEvents: (fromBlock, toBlock) => answered(readEvents(fromBlock, toBlock)),
    balanceOf: (address) =>
      answered(client.readContract({ address: at.token, abi: testUsdcAbi, functionName: 'balanceOf', args: [address] })),
    etherOf: (address) => answered(client.getBalance({ address })),
    plan: async (planId) => {
      const read = client.readContract({ address: at.escrow, abi: planEscrowAbi, functionName: 'plan', args: [planId] })
      const [status, remaining, , version] = await answered(read)
      return { status, remaining, version }
    },
  }
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex
}

/** Turns one kind of error into null. */
function orNull(kind: abstract new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof kind) return null
    throw error
  }
}

/** Amounts to decimal strings, addresses and hashes to lower case: what a row holds. */
function plainArgs(args: object): EscrowEvent['args'] {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, string | number | boolean] => {
      if (typeof value === 'number' || typeof value === 'boolean') return [name, value]
      return [name, String(value).toLowerCase()]
    }),
  )
}
