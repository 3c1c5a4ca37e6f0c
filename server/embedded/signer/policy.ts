import { batchTypes } from '@parley/protocol'
import { type Hex, hashTypedData, type TypedDataDefinition } from 'viem'

/** What one key may sign. Everything else is refused, whoever asks. */
export type KeyPolicy = {
  readonly role: 'settler' | 'evaluator' | 'arbitrator'
  /** Signatures of this key in any hour, at most. */
  readonly perHour: number
  /** Of transactions: what one may cost at most, wei. */
  readonly maxTransactionFee: bigint
  /** A contract wallet that the key signs for: then messages of its own are allowed. */
  readonly wallet: Hex | null
}
/** Which chain and contracts all keys are for. Addresses in lower case. */
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

/** What each role says on the chain. A key that signs one kind of word is of no use for another. */
export const wordsOf: { readonly [role in KeyPolicy['role']]: readonly string[] } = {
  settler: [],
  evaluator: ['Charter', 'Attestation', 'Batch', 'Submission'],
  arbitrator: ['Ruling'],
}

/** Why the transaction is not signed; null where it is. `own`: the key's address, in lower case. */
export function refuseTransaction(policy: KeyPolicy, site: Site, own: Hex, asked: AskedTransaction): string | null {
  if (policy.role !== 'settler') return `the ${policy.role} signs no transactions`
  if (asked.chainId !== site.chainId) return `the transaction is for chain ${asked.chainId}`
  if (asked.value !== 0n) return 'the transaction moves coins'
  const to = asked.to?.toLowerCase()
  const isCancellation = to === own && asked.data === '0x'
  if (!isCancellation && to !== site.escrow && (site.channels === null || to !== site.channels))
    return `the transaction calls ${to ?? 'nobody'}`
  if (asked.gas * asked.maxFeePerGas > policy.maxTransactionFee) return 'the transaction may cost more than is allowed'
  return null
}

/** Why the typed data is not signed; null where it is. */
export function refuseTypedData(policy: KeyPolicy, site: Site, asked: AskedTypedData): string | null {
  const { primaryType, domain } = asked
  if (Number(domain.chainId) !== site.chainId) return `the data is for chain ${domain.chainId ?? 'none'}`
  const about = domain.verifyingContract?.toLowerCase()
  const isOfWallet = policy.wallet !== null && about === policy.wallet
  // A Safe asks for a hash in a message of its own: what it stands for cannot be told here.
  if (isOfWallet && (primaryType === 'SafeMessage' || primaryType === 'Check')) return null
  if (about !== site.escrow) return `the data is for the contract ${about ?? 'none'}`
  if (!wordsOf[policy.role].includes(primaryType)) return `the ${policy.role} does not sign ${primaryType}`
  if (primaryType === 'Batch' && !isBatch(asked)) return 'the batch is not made of attestations'
  return null
}

/** How many signatures it stands for: each attestation of a batch counts as if it were signed alone. */
export function countWords({ primaryType, message }: AskedTypedData): number {
  return primaryType === 'Batch' && Array.isArray(message.attestations) ? message.attestations.length : 1
}

/** Attestations and nothing else: what is signed is the same by the types that the escrow knows. */
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
