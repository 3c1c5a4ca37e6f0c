import { voucherTypedData } from '@parley/protocol'
import type { Hex } from 'viem'
import type { Eip712TypedData } from '../../ports.ts'
import { isSignedByKey } from './ecdsa-signature.ts'

export type SignedVoucher = { readonly channelId: Hex; readonly authorizer: Hex; readonly amount: bigint; readonly signature: Hex }

/** Whether the contract will pay this voucher at any time: only if the authorizer's own key signed it. */
export async function isVoucherSignedByAuthorizer(
  at: { readonly chainId: number; readonly channels: Hex },
  { channelId, authorizer, amount, signature }: SignedVoucher,
): Promise<boolean> {
  const typedData: Eip712TypedData = voucherTypedData(at, { channelId, maxClaimableAmount: amount })
  return isSignedByKey({ address: authorizer, typedData, signature })
}
