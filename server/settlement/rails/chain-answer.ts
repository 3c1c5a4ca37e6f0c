import { BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { planEscrowAbi, testUsdcAbi } from '../../../contracts/abi/index.ts'
import { DomainError } from '../../errors.ts'
import { chainUnavailable } from '../errors.ts'

/** Awaits the node's answer; every failure to get one is `hold.chain_unavailable`. */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof DomainError ? error : chainUnavailable(error)
  }
}

/** What refused calls mean for a reader; the rest is named as the contract names it. */
const sentences: { readonly [error: string]: string } = {
  ERC20InsufficientBalance: "The client's wallet holds less than the goal sets aside.",
  ERC3009UsedAuthorization: "The client's authorization was used or canceled before.",
  ERC3009InvalidAuthorizationTime: "The client's authorization has run out.",
  ERC3009InvalidSignature: "The token does not take the signature for the client's.",
  BadDeadlines: 'The deadline of the work has passed.',
  AlreadyFunded: 'The escrow holds this plan already.',
  AlreadyClosed: 'The escrow has closed this plan.',
  NotFunded: 'The escrow holds no money for this plan.',
  BadPayee: 'A payee is the zero address, the escrow or the evaluator.',
  OverAllocated: 'The steps and their fee come to more than the hold.',
  StepsAlreadyPaid: 'A step was paid, so the charter in force stays.',
  StaleVersion: 'The escrow has sealed this or a later version of the charter.',
  TooLate: 'The plan has expired.',
  TooEarly: 'The plan has not expired yet.',
  MintTooLarge: 'The test token mints less than that at once.',
}

/** The refusal in a sentence, or null where the failure is none of the contract's: then the chain could not be asked. */
export function readRefusal(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null
  let data: Hex | null = null
  let isRevert = false
  error.walk((one) => {
    if (hasRevertData(one)) data ??= one.data
    if (one instanceof BaseError && one.name === 'ExecutionRevertedError') isRevert = true
    return false
  })
  if (data !== null && data !== '0x') return nameRefusal(data)
  return isRevert ? 'The contract refuses the call without saying why.' : null
}

function hasRevertData(error: unknown): error is { readonly data: Hex } {
  return typeof error === 'object' && error !== null && 'data' in error && isHex(error.data)
}

function nameRefusal(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: [...planEscrowAbi, ...testUsdcAbi], data })
    return sentences[errorName] ?? `The contract refuses: ${errorName}(${(args ?? []).join(', ')}).`
  } catch {
    return `The contract refuses with ${data.slice(0, 10)}.`
  }
}
