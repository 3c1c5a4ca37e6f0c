import { type Hex, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import type { Eip712TypedData } from '../../ports.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Half the order of secp256k1. The contracts reject a higher s (signature malleability). */
const halfOrder = order / 2n

export type KeySigned = { readonly address: Hex; readonly typedData: Eip712TypedData; readonly signature: Hex }

/**
 * Whether the contracts accept this signature permanently: 65 bytes, canonical, by the address's own key. The contracts try the
 * key before any code, so this also holds under EIP-7702. Contract signatures (ERC-1271, ERC-6492) can become invalid, so they
 * never count. Queries no node.
 */
export async function isSignedByKey({ address, typedData, signature }: KeySigned): Promise<boolean> {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return false
  const { s, v } = partsOf(signature)
  if (s > halfOrder || (v !== 27 && v !== 28)) return false
  // viem infers the message from literal types; ours are known only at run time.
  const recovered = await recoverTypedDataAddress({ ...(typedData as TypedDataDefinition), signature }).catch(() => null)
  return recovered?.toLowerCase() === address.toLowerCase()
}

/** Normalizes a 65-byte signature as the contracts require: low s, and v of 27 or 28. Returns others unchanged. */
export function canonicalEcdsaSignature(signature: Hex): Hex {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return signature
  const { s, v } = partsOf(signature)
  if (s === 0n || s >= order || ![0, 1, 27, 28].includes(v)) return signature
  const isUpper = s > halfOrder
  const parity = (v % 27) ^ (isUpper ? 1 : 0)
  const lowS = isUpper ? order - s : s
  return `0x${signature.slice(2, 66)}${lowS.toString(16).padStart(64, '0')}${(27 + parity).toString(16)}`
}

function partsOf(signature: Hex): { s: bigint; v: number } {
  return { s: BigInt(`0x${signature.slice(66, 130)}`), v: Number.parseInt(signature.slice(130), 16) }
}
