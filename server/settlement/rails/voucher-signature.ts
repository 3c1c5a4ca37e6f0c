import { voucherTypedData } from '@parley/protocol'
import { type Hex, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'

/** Half the order of secp256k1. The contract refuses a greater s. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export type SignedVoucher = { readonly channelId: Hex; readonly authorizer: Hex; readonly amount: bigint; readonly signature: Hex }

/**
 * Whether the contract accepts the signature now and for ever: 65 bytes by the authorizer's own key, in canonical form. A
 * contract wallet may answer another way when the claim comes, so its signature does not count.
 */
export async function isSignedByAuthorizer(
  at: { readonly chainId: number; readonly channels: Hex },
  voucher: SignedVoucher,
): Promise<boolean> {
  const { channelId, authorizer, amount, signature } = voucher
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return false
  const [s, v] = [BigInt(`0x${signature.slice(66, 130)}`), Number.parseInt(signature.slice(130), 16)]
  if (s > halfOrder || (v !== 27 && v !== 28)) return false
  // viem infers the message from literal types; these are known at run time only.
  const typedData = voucherTypedData(at, { channelId, maxClaimableAmount: amount }) as TypedDataDefinition
  const recovered = await recoverTypedDataAddress({ ...typedData, signature }).catch(() => null)
  return recovered?.toLowerCase() === authorizer.toLowerCase()
}
