import { batchTypes } from '@parley/protocol'
import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem'

/** What one key may sign. Everything else is refused for all callers. */
export type SigningPolicy = {
  readonly role: 'settler' | 'evaluator' | 'arbitrator'
  /** The maximum number of signatures per hour. */
  readonly perHour: number
  /** The maximum cost of a transaction, in wei. */
  readonly maxTransactionFee: bigint
  /** A contract wallet that the key signs for. Its own messages are then allowed. */
  readonly wallet: Hex | null
}
/** The chain and the contracts of all keys. Addresses in lower case. */
export type Site = { readonly chainId: number; readonly escrow: Hex; readonly channels: Hex | null }
export type AskedTransaction = {
  readonly chainId: number
  readonly to: Hex | null
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly maxFeePerGas: bigint
}
export type AskedTypedData = {
  readonly primaryType: string
  readonly domain: { readonly chainId?: number | string; readonly verifyingContract?: string }
  readonly types: { readonly [name: string]: readonly { readonly name: string; readonly type: string }[] }
  readonly message: { readonly [name: string]: unknown }
}

/** The typed data of each role. A key for one kind is of no use for another. */
export const signableTypes: { readonly [role in SigningPolicy['role']]: readonly string[] } = {
  settler: [],
  evaluator: ['Charter', 'Attestation', 'Batch', 'Submission'],
  arbitrator: ['Ruling'],
}

/** Why a transaction is refused; null if allowed. `own`: the key's address in lower case. */
export function refuseTransaction(policy: SigningPolicy, site: Site, own: Hex, asked: AskedTransaction): string | null {
  if (policy.role !== 'settler') return `the ${policy.role} signs no transactions`
  if (asked.chainId !== site.chainId) return `the transaction is for chain ${asked.chainId}`
  if (asked.value !== 0n) return 'the transaction moves coins'
  const to = asked.to?.toLowerCase()
  const isCancellation = to === own && asked.data === '0x'
  if (!isCancellation && to !== site.escrow && (site.channels === null || to !== site.channels))
    return `the transaction calls ${to ?? 'no address'}`
  if (asked.gas * asked.maxFeePerGas > policy.maxTransactionFee) return 'the transaction may cost more than is allowed'
  return null
}

/** Why typed data is refused; null if allowed. */
export function refuseTypedData(policy: SigningPolicy, site: Site, asked: AskedTypedData): string | null {
  const { primaryType, domain } = asked
  if (Number(domain.chainId) !== site.chainId) return `the data is for chain ${domain.chainId ?? 'none'}`
  const about = domain.verifyingContract?.toLowerCase()
  const isOfWallet = policy.wallet !== null && about === policy.wallet
  // A Safe asks for the signature of a hash, whose content cannot be checked here.
  if (isOfWallet && (primaryType === 'SafeMessage' || primaryType === 'Check')) return null
  if (about !== site.escrow) return `the data is for the contract ${about ?? 'none'}`
  if (!signableTypes[policy.role].includes(primaryType)) return `the ${policy.role} does not sign ${primaryType}`
  if (primaryType === 'Batch' && !isBatch(asked)) return 'the batch is not made of attestations'
  return null
}

/** The number of signatures that it counts as: each attestation of a batch counts separately. */
export function countWords({ primaryType, message }: AskedTypedData): number {
  return primaryType === 'Batch' && Array.isArray(message.attestations) ? message.attestations.length : 1
}

/** Only attestations: the escrow's own types determine what is signed. */
function isBatch(asked: AskedTypedData): boolean {
  const { attestations } = asked.message
  if (!Array.isArray(attestations) || attestations.length === 0) return false
  const data = asked as TypedDataDefinition
  try {
    return hashTypedData(data) === hashTypedData({ ...data, types: batchTypes } as TypedDataDefinition)
  } catch {
    // The message does not fit the types.
    return false
  }
}
