import type { Hex } from 'viem'
import { receiveWithAuthorizationTypes } from '../../../../contracts/abi/index.ts'
import type { AuthorizationWindow, Eip712TypedData } from '../../../ports.ts'

/** Typed data of an ERC-3009 `receiveWithAuthorization`. The nonce names the purpose and makes it single-use. */
export function receiveAuthorizationTypedData(
  domain: Eip712TypedData['domain'],
  transfer: { readonly from: Hex; readonly to: Hex; readonly value: bigint; readonly nonce: Hex },
  { validAfter, validBefore }: AuthorizationWindow,
): Eip712TypedData {
  return {
    domain,
    types: receiveWithAuthorizationTypes,
    primaryType: 'ReceiveWithAuthorization',
    message: { ...transfer, validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
  }
}
