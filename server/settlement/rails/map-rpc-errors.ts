import { BaseError, decodeErrorResult, type Hex, isHex, NonceTooLowError, RpcRequestError } from 'viem'
import { planEscrowAbi, testUsdcAbi, voucherChannelsAbi } from '../../../contracts/abi/index.ts'
import { DomainError } from '../../errors.ts'
import type { RefusedCall } from '../../ports.ts'
import { chainUnavailable } from '../errors.ts'

/** Awaits a node's response. Maps every failure to `hold.chain_unavailable`. */
export async function mapRpcErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw findDomainError(error) ?? chainUnavailable(error)
  }
}

/** The domain error inside viem's chain of causes. */
function findDomainError(error: unknown): DomainError | null {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (one instanceof DomainError) return one
  return null
}

/** User-facing sentences for contract errors. Other errors show their contract name. */
const sentences: { readonly [error: string]: string } = {
  ERC20InsufficientBalance: "The balance of the client's wallet is too low.",
  ERC3009UsedAuthorization: "The client's authorization is already used or canceled.",
  ERC3009InvalidAuthorizationTime: "The client's authorization has expired.",
  ERC3009InvalidSignature: "The token does not accept the client's signature.",
  BadDeadlines: 'The deadline of the goal has passed.',
  AlreadyFunded: 'The plan is already funded.',
  AlreadyClosed: 'The plan is already closed.',
  NotFunded: 'The escrow holds no money for this plan.',
  BadPayee: 'A payee is the zero address, the escrow or the evaluator.',
  OverAllocated: 'The steps and their fee need more than the hold.',
  StepsTouched: 'A step is already paid or disputed, so the charter in force cannot change.',
  StepsHandedIn: 'A step is already submitted on chain, so the charter in force cannot change.',
  CharterAgreed: 'A charter is in force on chain. It stays in force until its members have signed another.',
  CharterAuthorized: 'The client has approved the charter in force, so a proposal does not replace it.',
  ProposalRefused: 'The client accepts only approved teams.',
  StaleVersion: 'The escrow has already sealed this or a later version of the charter.',
  TooLate: 'The time limit of the escrow for this call has passed.',
  TooEarly: 'The escrow accepts this call only later.',
  StepNotPending: 'The step is already paid, ended or disputed.',
  StepNotDisputed: 'The step is not disputed.',
  NoArbitrator: 'The terms have no arbitrator.',
  NotParty: 'This account is not a party of the step.',
  NothingToWithdraw: 'The account has no credit.',
  AlreadyOpened: 'The channel is already open.',
  NotOpen: 'The channel is not open.',
  ClaimRefused: 'The voucher is already claimed, or its signature is no longer valid.',
  MintTooLarge: 'The amount is more than one transaction can mint.',
}

/** Permanent errors: no later chain state makes the call succeed, so there is no retry. */
const permanentErrors = new Set([
  'ERC3009UsedAuthorization',
  'ERC3009InvalidSignature',
  'BadSignature',
  'BadDeadlines',
  'BadPayee',
  'BadTerms',
  'AlreadyFunded',
  'AlreadyClosed',
  'OverAllocated',
  'StepsTouched',
  'StepsHandedIn',
  'CharterAgreed',
  'StaleVersion',
  'CharterMismatch',
  'TooLate',
  'NoArbitrator',
  'NotParty',
  'StepNotDisputed',
  'NothingToWithdraw',
  'AlreadyOpened',
  'NotOpen',
  'MintTooLarge',
])

/** Decodes a contract revert. Null if the error is not a revert, so the chain could not be queried. */
export function decodeRevert(error: unknown): RefusedCall | null {
  if (!(error instanceof BaseError)) return null
  let data: Hex | null = null
  let isRevert = false
  error.walk((one) => {
    if (hasRevertData(one)) data ??= one.data
    if (one instanceof BaseError && one.name === 'ExecutionRevertedError') isRevert = true
    return false
  })
  if (data !== null && data !== '0x') return decodeRevertData(data)
  return isRevert ? { refused: 'The contract refuses the call without a reason.', isFinal: false } : null
}

/** Classifies a node's broadcast error. Null: unknown, so the node counts as unavailable. */
export function decodeBroadcastError(error: unknown): 'known' | 'nonce_used' | 'underpriced' | 'refused' | null {
  const text = error instanceof BaseError ? `${error.details} ${error.message}` : String(error)
  if (/already known|already imported|already exists/i.test(text)) return 'known'
  if (/nonce too low|nonce is too low/i.test(text)) return 'nonce_used'
  if (error instanceof BaseError && error.walk((one) => one instanceof NonceTooLowError)) return 'nonce_used'
  // An invalid gas limit of this transaction (EIP-7825 cap, block limit or intrinsic gas), not a rate limit.
  if (/gas[ _]?limit|intrinsic gas|gas required exceeds/i.test(text)) return 'refused'
  if (/underpriced|fee too low|less than (the )?block base fee|fee cap/i.test(text)) return 'underpriced'
  if (
    error instanceof BaseError &&
    error.walk((one) => one instanceof RpcRequestError && !/rate|limit|too many|timeout/i.test(one.details))
  )
    return 'refused'
  return null
}

function hasRevertData(error: unknown): error is { readonly data: Hex } {
  return typeof error === 'object' && error !== null && 'data' in error && isHex(error.data)
}

function decodeRevertData(data: Hex): RefusedCall {
  try {
    const { errorName, args } = decodeErrorResult({ abi: [...planEscrowAbi, ...testUsdcAbi, ...voucherChannelsAbi], data })
    const refused = sentences[errorName] ?? `The contract refuses the call: ${errorName}(${(args ?? []).join(', ')}).`
    return { refused, isFinal: permanentErrors.has(errorName) }
  } catch {
    return { refused: `The contract refuses the call with the error ${data.slice(0, 10)}.`, isFinal: false }
  }
}
