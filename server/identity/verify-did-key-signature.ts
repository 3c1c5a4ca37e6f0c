import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { publicKeyOf } from '@parley/protocol'

// RFC 8410: the fixed head of an SPKI document around an Ed25519 key.
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex')

/** A cache of parsed keys, because most senders sign often. The oldest entry goes first. */
const keys = new Map<string, KeyObject>()
const maxKeys = 10_000

/**
 * Whether `value` is the signature of a `did:key` over the bytes, as `verifyBytes` of the protocol defines it. Runs in the thread pool.
 */
export function verifyDidKeySignature(did: string, bytes: Uint8Array, value: string): Promise<boolean> {
  return verifyBy(() => keyOf(did), bytes, value)
}

/** The same for a single signature such as hello. The key is not cached, because thousands of connections would fill the cache. */
export function verifyDidKeySignatureOnce(did: string, bytes: Uint8Array, value: string): Promise<boolean> {
  return verifyBy(() => readKey(did), bytes, value)
}

function verifyBy(getKey: () => KeyObject, bytes: Uint8Array, value: string): Promise<boolean> {
  try {
    const key = getKey()
    const signature = Buffer.from(value, 'base64url')
    // A signature has exactly one encoding.
    if (signature.toString('base64url') !== value) return Promise.resolve(false)
    return new Promise((resolve) => {
      verify(null, bytes, key, signature, (error, isGenuine) => resolve(!error && isGenuine))
    })
  } catch {
    return Promise.resolve(false)
  }
}

function keyOf(did: string): KeyObject {
  const known = keys.get(did)
  if (known) return known
  const key = readKey(did)
  keys.set(did, key)
  for (const oldest of keys.keys()) {
    if (keys.size <= maxKeys) break
    keys.delete(oldest)
  }
  return key
}

function readKey(did: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([spkiHead, publicKeyOf(did)]), format: 'der', type: 'spki' })
}
