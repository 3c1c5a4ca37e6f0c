/**
 * The escrow's typed data and hashes as its interface describes them. This second version is independent of contracts/abi, so that an error
 * in one of the two shows.
 */
import {
  type Address,
  encodeAbiParameters,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  type LocalAccount,
  parseAbiParameters,
  zeroHash,
} from 'viem'
import type { Charter, Message, Terms } from './types.ts'

export const chainId = 31_337

const fields = {
  Terms:
    'address client,address token,uint96 total,uint40 workBy,uint40 reviewBy,uint40 expiry,uint16 feeBps,address feeTo,address evaluator,address arbitrator,address authorizer,uint32 vetoSeconds,uint8 onSilence,bytes32 charter,bytes32 briefHash,uint256 salt',
  Charter: 'bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash',
  CharterAuthorization: 'bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash',
  CharterVeto: 'bytes32 planId,uint24 version',
  CloseRequest: 'bytes32 planId,uint24 version',
  StepSubmission: 'bytes32 planId,uint24 version,uint64 bits,bytes32 outputsHash',
  Attestation: 'bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash',
  HalfAttestation: 'bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash',
  Release: 'bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash',
  Submission: 'bytes32 planId,bytes32 charter,uint64 bits,bytes32 outputsHash,uint40 receivedAt',
  DisputeOpened: 'bytes32 planId,uint24 version,uint8 step,bytes32 evidenceHash',
  Ruling: 'bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,bytes32 rulingHash',
  SettlementOffer: 'bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,uint40 deadline',
  CreditWithdrawal: 'address account,address token,address to,uint256 nonce,uint256 deadline',
  SetSigner: 'address account,address signer,bool allowed,uint256 nonce,uint256 deadline',
  ReceiveWithAuthorization: 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
} as const

type TypedFields = { name: string; type: string }[]

/** viem's form of each type above. */
export const types: Record<string, TypedFields> = Object.fromEntries(
  Object.entries(fields).map(([name, list]) => [
    name,
    list.split(',').map((field) => {
      const [type = '', fieldName = ''] = field.split(' ')
      return { name: fieldName, type }
    }),
  ]),
)

/** The types that the escrow itself checks; the last two are the token's. */
export const escrowTypes = Object.keys(fields).slice(0, -2)

export type Domain = { name: string; version: string; chainId: number; verifyingContract: Address }
export const escrowDomain = (escrow: Address): Domain => ({ name: 'Parley PlanEscrow', version: '1', chainId, verifyingContract: escrow })
export const usdcDomain = (token: Address): Domain => ({ name: 'Test USD Coin', version: '1', chainId, verifyingContract: token })

/** The typed data of a message, as viem takes it; the token's types are of the token's domain. */
export function typedDataOf(message: Message, escrow: Address, token: Address) {
  const { type, ...values } = message
  const domain = escrowTypes.includes(type) ? escrowDomain(escrow) : usdcDomain(token)
  return { domain, types: { [type]: types[type] as TypedFields }, primaryType: type, message: values }
}

export const sign = (key: LocalAccount, message: Message, escrow: Address, token: Address): Promise<Hex> =>
  key.signTypedData(typedDataOf(message, escrow, token))

/** One signature over several attestations. */
export function signBatch(key: LocalAccount, attestations: readonly Message[], escrow: Address): Promise<Hex> {
  const batch = { Batch: [{ name: 'attestations', type: 'Attestation[]' }], Attestation: types.Attestation as TypedFields }
  return key.signTypedData({ domain: escrowDomain(escrow), types: batch, primaryType: 'Batch', message: { attestations } })
}

export const hashAttestation = (message: Message): Hex =>
  hashStruct({ types: { Attestation: types.Attestation as TypedFields }, primaryType: 'Attestation', data: message })

const planIds = new WeakMap<Terms, Hex>()

/** The plan's id. Remembered: terms never change, and one test asks about one escrow. */
export function planIdOf(escrow: Address, terms: Terms): Hex {
  const known = planIds.get(terms)
  if (known) return known
  const id = hashTypedData({
    domain: escrowDomain(escrow),
    types: { Terms: types.Terms as TypedFields },
    primaryType: 'Terms',
    message: terms,
  })
  planIds.set(terms, id)
  return id
}

const stepsParameter = parseAbiParameters(['Step[] steps', 'struct Step { address payee; uint96 amount; }'])
const royaltiesParameter = parseAbiParameters(['Royalty[] royalties', 'struct Royalty { uint8 step; address to; uint16 bps; }'])
const threeHashes = parseAbiParameters('bytes32, bytes32, bytes32')

type CharterHashes = { stepsHash: Hex; royaltiesHash: Hex; charterHash: Hex }
const hashes = new WeakMap<Charter, CharterHashes>()

/** The three hashes that name a charter. Remembered: charters never change. */
export function hashCharter(charter: Charter): CharterHashes {
  const known = hashes.get(charter)
  if (known) return known
  const made = {
    stepsHash: keccak256(encodeAbiParameters(stepsParameter, [charter.steps])),
    royaltiesHash: keccak256(encodeAbiParameters(royaltiesParameter, [charter.royalties])),
    charterHash: charter.charterHash,
  }
  hashes.set(charter, made)
  return made
}

export function bindCharter(charter: Charter): Hex {
  const { stepsHash, royaltiesHash, charterHash } = hashCharter(charter)
  return keccak256(encodeAbiParameters(threeHashes, [stepsHash, royaltiesHash, charterHash]))
}

/** What an attestation, a release or a submission is over: nothing where the plan has no charter. */
export const settledCharter = (charter: Charter): Hex => (charter.steps.length === 0 ? zeroHash : bindCharter(charter))
