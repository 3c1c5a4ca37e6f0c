import { attestationTypes, charterTypes, escrowDomain, receiveWithAuthorizationTypes, termsTypes } from '@parley/protocol'
import { expect, it } from 'vitest'

/** EIP-712's `encodeType`, which the contract hashes as text: one changed name or order and no signature holds. */
const encode = (types: Record<string, readonly { name: string; type: string }[]>) =>
  Object.entries(types).map(([name, fields]) => `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`)

it('the typed data is what the contract hashes', () => {
  expect(encode(termsTypes)).toEqual([
    'Terms(address client,address token,uint96 total,uint40 workBy,uint40 expiry,uint16 feeBps,address feeTo,address evaluator,bytes32 briefHash,uint256 salt)',
  ])
  expect(encode(charterTypes)).toEqual(['Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 charterHash)'])
  expect(encode(attestationTypes)).toEqual(['Attestation(bytes32 planId,uint24 version,uint64 bits,bool close,bytes32 conclusionHash)'])
  expect(encode(receiveWithAuthorizationTypes)).toEqual([
    'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ])
  expect(escrowDomain(31_337, '0x01')).toEqual({ name: 'Parley PlanEscrow', version: '1', chainId: 31_337, verifyingContract: '0x01' })
})
