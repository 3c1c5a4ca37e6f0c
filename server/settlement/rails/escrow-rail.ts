import { submissionTypedData } from '@parley/protocol'
import { createPublicClient, type Hex, maxUint256 } from 'viem'
import { channelIdOf, planIdOf, testUsdcDomain, topUpNonceOf } from '../../../contracts/abi/index.ts'
import type { ChainSigners, Depth, EscrowRail, FeeCaps } from '../../ports.ts'
import { type ContractAddresses, encodeContractCall, signCharterAsEvaluator } from './encode-contract-call.ts'
import { createChainReader } from './escrow/chain-reader.ts'
import { createContractReader, requireChannels } from './escrow/contract-reader.ts'
import { receiveAuthorizationTypedData } from './escrow/receive-authorization-typed-data.ts'
import { createTransactionSender } from './escrow/transaction-sender.ts'
import { isVoucherSignedByAuthorizer } from './is-voucher-signed-by-authorizer.ts'
import { createQuorumTransport } from './quorum-transport.ts'
import { domainOfToken, type TokenDomain } from './read-token-domain.ts'

export type EscrowRailOptions = {
  readonly rpcUrl: string
  /** A second node that must agree. Unset: a single node is trusted. */
  readonly confirmingRpcUrl?: string | undefined
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
  /** EIP-712 name and version of the token, see `readTokenDomain`. Unset: the test token's. */
  readonly tokenDomain?: TokenDomain
}

/** `EscrowRail` over JSON-RPC. It is stateless, so a crash loses nothing. */
export function createEscrowRail(options: EscrowRailOptions): EscrowRail {
  const { chainId, signers } = options
  const channels = options.channels ? lower(options.channels) : null
  const at = { chainId, escrow: lower(options.escrow), token: lower(options.token), channels }
  const client = createPublicClient({ transport: createQuorumTransport(options), cacheTime: 0 })
  return {
    ...settingsOf(options),
    ...createTransactionSender(client, chainId, signers.settler),
    ...createChainReader(client, at, options.fallbackConfirmations ?? null),
    ...createContractReader(client, at),
    ...createTypedData(at, options.tokenDomain ? domainOfToken(at, options.tokenDomain) : testUsdcDomain(at)),
    encode: (call) => encodeContractCall(at, signers, call),
    signCharter: (given) => signCharterAsEvaluator(at, signers.evaluator, given),
    signSubmission: (receipt) => signers.evaluator.signTypedData(submissionTypedData(receipt)),
    isVoucherSigned: (voucher) => isVoucherSignedByAuthorizer({ chainId, channels: requireChannels(at) }, voucher),
  }
}

type RailSettings = 'nodes' | 'confirmations' | 'depths' | 'finality' | 'replaceAfterMs' | 'cancelAfterMs' | 'feeCaps' | 'lowBalance'

function settingsOf(options: EscrowRailOptions): Pick<EscrowRail, RailSettings> {
  const replaceAfterMs = options.replaceAfterMs ?? 60_000
  return {
    nodes: options.confirmingRpcUrl === undefined ? 1 : 2,
    confirmations: options.confirmations,
    depths: options.depths ?? [],
    finality: options.finality ?? 'confirmations',
    replaceAfterMs,
    cancelAfterMs: options.cancelAfterMs ?? replaceAfterMs * 10,
    feeCaps: options.feeCaps ?? { maxFeePerGas: maxUint256, maxPriorityFeePerGas: maxUint256, maxTransactionFee: maxUint256 },
    lowBalance: options.lowBalance ?? null,
  }
}

type TypedDataPart = 'planId' | 'channelId' | 'fundingTypedData' | 'openingTypedData' | 'topUpTypedData'

/** Ids of plans and channels, and what payers sign. Makes no request. */
function createTypedData(at: ContractAddresses, tokenDomain: ReturnType<typeof domainOfToken>): Pick<EscrowRail, TypedDataPart> {
  const channelId: EscrowRail['channelId'] = (config) => channelIdOf({ chainId: at.chainId, channels: requireChannels(at) }, config)
  return {
    planId: (terms) => planIdOf(at, terms),
    channelId,
    fundingTypedData: (terms, window) =>
      receiveAuthorizationTypedData(
        tokenDomain,
        { from: terms.client, to: at.escrow, value: terms.total, nonce: planIdOf(at, terms) },
        window,
      ),
    openingTypedData: (config, value, window) =>
      receiveAuthorizationTypedData(tokenDomain, { from: config.payer, to: requireChannels(at), value, nonce: channelId(config) }, window),
    topUpTypedData(config, { amount, salt }, window) {
      const nonce = topUpNonceOf(channelId(config), salt)
      return receiveAuthorizationTypedData(tokenDomain, { from: config.payer, to: requireChannels(at), value: amount, nonce }, window)
    },
  }
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex
}
