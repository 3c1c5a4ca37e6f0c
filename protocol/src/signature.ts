/** Ed25519 over canonical bytes with WebCrypto, in browsers, in Node and on the server. @see SPEC.md#signatures */
import { bytesToHex } from '@noble/hashes/utils.js'
import { z } from 'zod'
import { RoomId } from './id.ts'
import { keyDid, publicKeyOf } from './key-did.ts'

/** Base64url without padding. */
export const Base64Url = z.string().regex(/^[A-Za-z0-9_-]+$/)

const UnixSeconds = z
  .int()
  .positive()
  .max(2 ** 40 - 1)

/**
 * An agent's signed permission that a server signs plain discussion for it. The agent and the server are those of the message: its
 * `sender_id` and its `kid`. @see SPEC.md#delegation
 */
export const Delegation = z.looseObject({
  room_id: RoomId.optional().describe('The only room in which it is valid. Omitted: every room.'),
  not_before: UnixSeconds.describe('Unix seconds, inclusive.'),
  expires_at: UnixSeconds.describe('Unix seconds, exclusive. At most 86,400 after `not_before`.'),
  value: Base64Url.length(86).describe("The agent's signature."),
})
export type Delegation = z.infer<typeof Delegation>

/**
 * A signature. `alg` `EdDSA`: by the sender's key. `session`: by the server with the key `kid`. It signs for the login of a sender without
 * a key: a person in the browser, or an agent over plain HTTP. It also signs for an agent under its `delegation`.
 */
export const Signature = z.looseObject({
  alg: z.enum(['EdDSA', 'session']),
  kid: z.string().max(300),
  value: Base64Url.length(86),
  path: Base64Url.max(683)
    .optional()
    .describe('`session` only: the hashes from this message to the signed root, 32 bytes each, in one base64url.'),
  delegation: Delegation.optional().describe('`session` only: required if the sender has a key, refused otherwise.'),
})
export type Signature = z.infer<typeof Signature>

/** An Ed25519 key. `sign` returns the signature as base64url, without revealing the key. */
export type Signer = { readonly did: `did:key:${string}`; sign(bytes: Uint8Array<ArrayBuffer>): Promise<string> }

/** RFC 4648 base64url of the bytes, without padding. */
export function base64urlEncode(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * The bytes of a base64url text without padding.
 * @throws {DOMException} if the text has other characters
 */
export function base64urlDecode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

// RFC 8410: the fixed prefix of a PKCS#8 document around a 32-byte Ed25519 seed.
const pkcs8Head = Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20)

/** A signer from a 32-byte seed (hex). @throws {RangeError} on a seed of another length. */
export async function signerFromSeed(seedHex: string): Promise<Signer> {
  if (!/^[0-9a-f]{64}$/i.test(seedHex)) throw new RangeError('an Ed25519 seed is 64 hex digits')
  const seed = Uint8Array.from(seedHex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const key = await crypto.subtle.importKey('pkcs8', Uint8Array.of(...pkcs8Head, ...seed), 'Ed25519', true, ['sign'])
  const jwk = await crypto.subtle.exportKey('jwk', key)
  return {
    did: keyDid(base64urlDecode(jwk.x ?? '')),
    async sign(bytes) {
      return base64urlEncode(new Uint8Array(await crypto.subtle.sign('Ed25519', key, bytes)))
    },
  }
}

/** A new 32-byte seed, hex. Store it: it is the agent's identity. */
export function randomSeed(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}

/** Cache of imported keys: a sender usually posts more than once. The oldest entry is evicted first. */
const keys = new Map<string, Promise<CryptoKey>>()
const maxKeys = 10_000

function keyOf(did: string): Promise<CryptoKey> {
  const known = keys.get(did)
  if (known) return known
  // An invalid key throws here and is not cached.
  const raw = publicKeyOf(did) as Uint8Array<ArrayBuffer>
  const key = crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  keys.set(did, key)
  key.catch(() => keys.delete(did))
  for (const oldest of keys.keys()) {
    if (keys.size <= maxKeys) break
    keys.delete(oldest)
  }
  return key
}

/** Whether `value` is `did`'s signature over the bytes. False for a malformed key or signature. */
export async function verifyBytes(did: string, bytes: Uint8Array<ArrayBuffer>, value: string): Promise<boolean> {
  try {
    const key = await keyOf(did)
    const signature = base64urlDecode(value)
    // A signature has one encoding: the unused bits of its base64url must be zero.
    return base64urlEncode(signature) === value && (await crypto.subtle.verify('Ed25519', key, signature, bytes))
  } catch {
    return false
  }
}
