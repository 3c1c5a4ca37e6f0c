/** Ed25519 and SHA-256 in JavaScript, for engines without WebCrypto. */
import { getPublicKey, hashes, sign, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { keyDid, publicKeyOf, type Signer } from '@parley/protocol'
import { base64Decode, base64Encode } from '../base64.ts'
import { seedInvalid } from '../errors.ts'

const seedPattern = /^[0-9a-f]{64}$/i

/** A new seed of 32 random bytes as hex digits, from the engine's source of randomness. */
export function newEd25519Seed(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}

/** A signer of a seed of 64 hex digits. @throws {ProblemError} `session.seed_invalid` */
export function ed25519Signer(seed: string): Signer {
  if (!seedPattern.test(seed)) throw seedInvalid()
  hashes.sha512 = sha512
  const secret = hexToBytes(seed)
  return {
    did: keyDid(getPublicKey(secret)),
    sign: async (bytes) => toBase64Url(sign(bytes, secret)),
  }
}

/** Whether `value`, in base64url, is the signature of this `did:key` over the bytes. False for a malformed key or signature. */
export function isEd25519Signature(did: string, bytes: Uint8Array, value: string): boolean {
  hashes.sha512 = sha512
  try {
    const signature = fromBase64Url(value)
    // A signature has one encoding: the unused bits of its base64url must be zero.
    return toBase64Url(signature) === value && verify(signature, bytes, publicKeyOf(did), { zip215: false })
  } catch {
    return false
  }
}

/** SHA-256 of the bytes, in lower-case hex digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes))
}

const toBase64Url = (bytes: Uint8Array) => base64Encode(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** The bytes of a base64url text without padding. @throws {RangeError} if it is none */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return base64Decode(text.replaceAll('-', '+').replaceAll('_', '/'))
}
