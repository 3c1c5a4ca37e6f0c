import { submissionTypedData } from '@parley/protocol'
import {
  BlockNotFoundError,
  createPublicClient,
  type Hex,
  keccak256,
  maxUint256,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import {
  channelIdOf,
  planEscrowAbi,
  planIdOf,
  receiveWithAuthorizationTypes,
  testUsdcAbi,
  testUsdcDomain,
  topUpNonceOf,
  voucherChannelsAbi,
} from '../../../contracts/abi/index.ts'
import type {
  ChainSigners,
  Depth,
  EncodedCall,
  EscrowEvent,
  EscrowRail,
  FeeCaps,
  Fees,
  MarketFees,
  PreparedTransaction,
  RefusedCall,
  TypedData,
} from '../../ports.ts'
import { chainUnavailable, channelsNotOffered } from '../errors.ts'
import { getTaggedBlock } from './block-tag.ts'
import { decodeEvent } from './decode-event.ts'
import { decodeBroadcastError, decodeRevert, mapRpcErrors } from './decode-rpc-error.ts'
import { encodeCall, signCharter } from './encode-call.ts'
import { domainOfToken, type TokenDomain } from './read-token.ts'
import { createRpcTransport } from './rpc-transport.ts'
import { isSignedByAuthorizer } from './verify-voucher.ts'

export type EscrowRailOptions = {
  readonly rpcUrl: string
  /** A second node that must agree. Unset: a single node is trusted. */
  readonly secondRpcUrl?: string | undefined
  readonly chainId: number
  readonly escrow: Hex
  readonly token: Hex
  /** Unset: no channels. */
  readonly channels?: Hex | null
  /** The settler pays gas and sends transactions; the evaluator signs charters and attestations; the arbitrator signs rulings. */
  readonly signers: ChainSigners
  readonly confirmations: number
  /** Confirmations required for higher amounts. Unset: `confirmations` for all. */
  readonly depths?: readonly Depth[]
  /** Block tag that makes a block final, in addition to the confirmations. Unset: confirmations only. */
  readonly finality?: 'confirmations' | 'safe' | 'finalized'
  /** Confirmations that replace an unsupported block tag. Unset: an unsupported tag is an error. */
  readonly fallbackConfirmations?: number | null
  /** Delay before a pending transaction is replaced. Unset: one minute. */
  readonly replaceAfterMs?: number
  /** Delay before a pending nonce is cancelled. Unset: ten times `replaceAfterMs`. */
  readonly cancelAfterMs?: number
  /** Unset: only the settler's balance limits the fee. */
  readonly feeCaps?: FeeCaps
  /** Unset: computed from the current gas price. */
  readonly lowBalance?: bigint | undefined
  /** Timeout of an RPC request. Unset: five seconds. */
  readonly timeoutMs?: number
  /** EIP-712 name and version of the token, see `readToken`. Unset: the test token's. */
  readonly tokenDomain?: TokenDomain
}

/** Up to this many blocks are queried one by one. */
const maxBlocksByHash = 16

/** `EscrowRail` over JSON-RPC. It is stateless, so a crash loses nothing. */
export function createEscrowRail(options: EscrowRailOptions): EscrowRail {
  const { chainId } = options
  const channels = options.channels ? lower(options.channels) : null
  const at = { chainId, escrow: lower(options.escrow), token: lower(options.token), channels }
  const contracts = channels === null ? [at.escrow] : [at.escrow, channels]
  const { signers } = options
  const { settler, evaluator } = signers
  const client = createPublicClient({ transport: createRpcTransport(options), cacheTime: 0 })
  const tokenDomain = options.tokenDomain ? domainOfToken(at, options.tokenDomain) : testUsdcDomain(at)

  async function simulate(call: EncodedCall): Promise<RefusedCall | null> {
    try {
      await client.call({ account: settler.address, ...call })
      return null
    } catch (error) {
      const refused = decodeRevert(error)
      if (refused === null) throw error
      return refused
    }
  }

  /** The fee covers three doublings of the base fee. The chain charges only the actual fee, and a higher one needs a replacement. */
  async function fees(): Promise<MarketFees> {
    const [block, tip] = await Promise.all([client.getBlock(), client.estimateMaxPriorityFeePerGas()])
    const baseFeePerGas = block.baseFeePerGas ?? 0n
    return { baseFeePerGas, maxFeePerGas: baseFeePerGas * 8n + tip, maxPriorityFeePerGas: tip }
  }

  /** Estimates gas, because on some rollups the cost of a transfer depends on the parent chain's gas price. */
  async function cancellation(): Promise<EncodedCall> {
    const nothing = { to: settler.address, data: '0x', value: 0n } as const
    const gas = await client.estimateGas({ account: settler.address, ...nothing })
    return { ...nothing, gas: (gas * 3n) / 2n }
  }

  async function sign(call: EncodedCall, nonce: number, price: Fees): Promise<PreparedTransaction> {
    const raw = await settler.signTransaction({ chainId, nonce, ...call, ...price })
    return { raw, hash: keccak256(raw), nonce, sender: settler.address }
  }

  async function broadcast(raw: Hex) {
    try {
      await client.sendRawTransaction({ serializedTransaction: raw })
      return 'sent'
    } catch (error) {
      const answer = decodeBroadcastError(error)
      if (answer === null) throw error
      return answer
    }
  }

  async function chainNonce(depth: number): Promise<number> {
    if (depth === 0) return client.getTransactionCount({ address: settler.address, blockTag: 'latest' })
    const head = await client.getBlockNumber()
    const blockNumber = head > BigInt(depth) ? head - BigInt(depth) : 0n
    return client.getTransactionCount({ address: settler.address, blockNumber })
  }

  async function receipt(hash: Hex) {
    const found: TransactionReceipt | null = await client.getTransactionReceipt({ hash }).catch(nullOn(TransactionReceiptNotFoundError))
    if (!found) return null
    const { blockNumber, blockHash, status, logs } = found
    const hasEvents = logs.some((log) => contracts.includes(lower(log.address)))
    return { hash, block: Number(blockNumber), blockHash, succeeded: status === 'success', hasEvents }
  }

  async function blockHash(number: number): Promise<Hex | null> {
    const block = await client.getBlock({ blockNumber: BigInt(number) }).catch(nullOn(BlockNotFoundError))
    return block?.hash ?? null
  }

  /**
   * Queries a short range block by block, by hash. A node without a block then returns an error, while a range query would
   * silently omit it.
   */
  async function readEvents(fromBlock: number, toBlock: number): Promise<EscrowEvent[]> {
    const numbers = Array.from(
      { length: Math.max(0, Math.min(toBlock - fromBlock + 1, maxBlocksByHash + 1)) },
      (_, index) => fromBlock + index,
    )
    if (numbers.length > maxBlocksByHash) return readLogs({ fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) })
    const blocks = await Promise.all(numbers.map((number) => client.getBlock({ blockNumber: BigInt(number) })))
    const torn = blocks.find((block, index) => index > 0 && block.parentHash !== blocks[index - 1]?.hash)
    if (torn) throw chainUnavailable(`block ${torn.number} does not follow the one before it`)
    return (await Promise.all(blocks.map((block) => readLogs({ blockHash: block.hash })))).flat()
  }

  async function readLogs(range: { fromBlock: bigint; toBlock: bigint } | { blockHash: Hex }): Promise<EscrowEvent[]> {
    const raw = await client.getLogs({ address: contracts, ...range })
    const logs = raw.flatMap((one) => decodeEvent(one, at))
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

  /** Typed data of an ERC-3009 `receiveWithAuthorization`. The nonce names the purpose and makes it single-use. */
  function receiveAuthorization(
    what: { from: Hex; to: Hex; value: bigint; nonce: Hex },
    validAfter: number,
    validBefore: number,
  ): TypedData {
    return {
      domain: tokenDomain,
      types: receiveWithAuthorizationTypes,
      primaryType: 'ReceiveWithAuthorization',
      message: { ...what, validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
    }
  }

  function channelsOf(): Hex {
    if (channels === null) throw channelsNotOffered()
    return channels
  }

  return {
    sender: settler.address,
    nodes: options.secondRpcUrl === undefined ? 1 : 2,
    confirmations: options.confirmations,
    depths: options.depths ?? [],
    replaceAfterMs: options.replaceAfterMs ?? 60_000,
    cancelAfterMs: options.cancelAfterMs ?? (options.replaceAfterMs ?? 60_000) * 10,
    feeCaps: options.feeCaps ?? { maxFeePerGas: maxUint256, maxPriorityFeePerGas: maxUint256, maxTransactionFee: maxUint256 },
    lowBalance: options.lowBalance ?? null,
    finality: options.finality ?? 'confirmations',
    taggedBlock: (tag) => mapRpcErrors(getTaggedBlock(client, tag, options.fallbackConfirmations ?? null)),
    planId: (terms) => planIdOf(at, terms),
    fundingTypedData: (terms, validAfter, validBefore) =>
      receiveAuthorization({ from: terms.client, to: at.escrow, value: terms.total, nonce: planIdOf(at, terms) }, validAfter, validBefore),
    encode: (call) => encodeCall(at, signers, call),
    simulate: (call) => mapRpcErrors(simulate(call)),
    cancellation: () => mapRpcErrors(cancellation()),
    fees: () => mapRpcErrors(fees()),
    sign,
    broadcast: (raw) => mapRpcErrors(broadcast(raw)),
    receipt: (hash) => mapRpcErrors(receipt(hash)),
    head: async () => {
      const { number, hash, timestamp } = await mapRpcErrors(client.getBlock())
      return { number: Number(number), hash, timestamp: Number(timestamp) }
    },
    blockHash: (number) => mapRpcErrors(blockHash(number)),
    genesis: async () => (await mapRpcErrors(client.getBlock({ blockNumber: 0n }))).hash,
    chainNonce: (depth = 0) => mapRpcErrors(chainNonce(depth)),
    readEvents: (fromBlock, toBlock) => mapRpcErrors(readEvents(fromBlock, toBlock)),
    balanceOf: (address) =>
      mapRpcErrors(client.readContract({ address: at.token, abi: testUsdcAbi, functionName: 'balanceOf', args: [address] })),
    etherOf: (address) => mapRpcErrors(client.getBalance({ address })),
    signCharter: (given) => signCharter(at, evaluator, given),
    signSubmission: (receipt) => evaluator.signTypedData(submissionTypedData(receipt)),
    isSigner: (account, signer) =>
      mapRpcErrors(client.readContract({ address: at.escrow, abi: planEscrowAbi, functionName: 'isSigner', args: [account, signer] })),
    plan: async (planId, block) => {
      const when = block === undefined ? {} : { blockNumber: BigInt(block) }
      const about = { address: at.escrow, abi: planEscrowAbi, args: [planId], ...when } as const
      const read = Promise.all([
        client.readContract({ ...about, functionName: 'plan' }),
        client.readContract({ ...about, functionName: 'marks' }),
      ])
      const [[status, remaining, codes, version, charterState, closing, vetoed, closeRequested], [submitted, , from]] =
        await mapRpcErrors(read)
      const charter = (['none', 'proposed', 'authorized'] as const)[charterState] ?? 'none'
      const payableFrom = charter === 'proposed' ? Number(from) : 0
      const refusesProposals = vetoed || closeRequested
      return { status, remaining, version, charter, codes, closing, refusesProposals, payableFrom, submitted }
    },
    channels,
    channelId: (config) => channelIdOf({ chainId, channels: channelsOf() }, config),
    openingTypedData: (config, deposit, validAfter, validBefore) => {
      const to = channelsOf()
      const nonce = channelIdOf({ chainId, channels: to }, config)
      return receiveAuthorization({ from: config.payer, to, value: deposit, nonce }, validAfter, validBefore)
    },
    topUpTypedData: (config, amount, salt, validAfter, validBefore) => {
      const to = channelsOf()
      const nonce = topUpNonceOf(channelIdOf({ chainId, channels: to }, config), salt)
      return receiveAuthorization({ from: config.payer, to, value: amount, nonce }, validAfter, validBefore)
    },
    channel: async (id, block) => {
      const when = block === undefined ? {} : { blockNumber: BigInt(block) }
      const about = { address: channelsOf(), abi: voucherChannelsAbi, args: [id], ...when } as const
      const read = client.readContract({ ...about, functionName: 'channel' })
      const [status, deposit, claimed, closeRequestedAt] = await mapRpcErrors(read)
      return { status, deposit, claimed, closeRequestedAt: Number(closeRequestedAt) }
    },
    isVoucherSigned: (voucher) => isSignedByAuthorizer({ chainId, channels: channelsOf() }, voucher),
    creditOf: (account, contract = 'escrow') => {
      const address = contract === 'escrow' ? at.escrow : channelsOf()
      // Both contracts have this function with the same signature.
      return mapRpcErrors(client.readContract({ address, abi: planEscrowAbi, functionName: 'credit', args: [at.token, account] }))
    },
    accountNonce: async (account) =>
      Number(await mapRpcErrors(client.readContract({ address: at.escrow, abi: planEscrowAbi, functionName: 'nonceOf', args: [account] }))),
  }
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex
}

/** Maps one kind of error to null. */
function nullOn(kind: abstract new (...args: never[]) => Error): (error: unknown) => null {
  return (error) => {
    if (error instanceof kind) return null
    throw error
  }
}
