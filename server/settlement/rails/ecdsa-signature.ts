import { type Hex, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'
import type { TypedData } from '../../ports.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Half the order of secp256k1. The contracts refuse a greater s. */
const halfOrder = order / 2n

export type KeySigned = { readonly address: Hex; readonly typedData: TypedData; readonly signature: Hex }

/**
 * Whether the contracts accept the signature now and for ever: 65 bytes by the address's own key, in canonical form. They try the key
 * before they ask any code, so this holds for accounts with code under EIP-7702 too. What code answers (ERC-1271, ERC-6492) can
 * change after it was asked, so it never counts here. Asks no node.
 */
export async function isSignedByKey({ address, typedData, signature }: KeySigned): Promise<boolean> {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return false
  const { s, v } = partsOf(signature)
  if (s > halfOrder || (v !== 27 && v !== 28)) return false
  // viem infers the message from literal types; these are known at run time only.
  const recovered = await recoverTypedDataAddress({ ...(typedData as TypedDataDefinition), signature }).catch(() => null)
  return recovered?.toLowerCase() === address.toLowerCase()
}

/** A signature of 65 bytes as the contracts take it: some wallets give v as 0 or 1, or the upper s. Any other stays as it is. */
export function canonicalSignature(signature: Hex): Hex {
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
