import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { hashOfWords } from './charter-typed-data.ts'
import { type EscrowTerms, escrowDomain, termsTypes } from './escrow-types.ts'

type Hex = `0x${string}`

const hashOfText = (text: string): bigint => BigInt(`0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`)
const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const termsType = `Terms(${termsTypes.Terms.map(({ name, type }) => `${type} ${name}`).join(',')})`

/**
 * The id of a plan in an escrow: the EIP-712 digest of its terms. A payment that is signed with it as nonce is for these terms only.
 * @throws {Error} for terms that lack a field, or with a field that is no number
 * @see SPEC.md#escrow
 */
export function escrowPlanId(terms: EscrowTerms, { chainId, escrow }: { readonly chainId: number; readonly escrow: string }): Hex {
  const { name, version, verifyingContract } = escrowDomain(chainId, escrow as Hex)
  const domain = hashOfWords([hashOfText(domainType), hashOfText(name), hashOfText(version), BigInt(chainId), BigInt(verifyingContract)])
  const struct = hashOfWords([hashOfText(termsType), ...termsTypes.Terms.map((field) => BigInt(terms[field.name]))])
  return `0x${bytesToHex(keccak_256(hexToBytes(`1901${domain.slice(2)}${struct.slice(2)}`)))}`
}
