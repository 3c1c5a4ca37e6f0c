/** Ed25519 keys as identifiers. @see SPEC.md#identity */
import { base58 } from '@scure/base'

/** The text of an Ed25519 public key: multicodec 0xed01, base58btc. */
export const keyDidPattern = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

/** `did:key` of a raw 32-byte Ed25519 public key. */
export function keyDid(publicKey: Uint8Array): `did:key:${string}` {
  return `did:key:z${base58.encode(Uint8Array.of(0xed, 0x01, ...publicKey))}`
}

/** The raw 32-byte Ed25519 public key in a `did:key`. @throws {RangeError} if it is another identifier. */
export function publicKeyOf(did: string): Uint8Array {
  if (!keyDidPattern.test(did)) throw new RangeError(`not an Ed25519 did:key: ${did}`)
  const bytes = base58.decode(did.slice('did:key:z'.length))
  if (bytes.length !== 34 || bytes[0] !== 0xed || bytes[1] !== 0x01) throw new RangeError(`not an Ed25519 did:key: ${did}`)
  return bytes.slice(2)
}
