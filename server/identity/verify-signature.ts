import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { publicKeyOf } from '@parley/protocol'

// RFC 8410: the fixed head of an SPKI document around an Ed25519 key.
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex')

/** Keys that were read lately: who says one thing says more. The one that was read first goes first. */
const keys = new Map<string, KeyObject>()
const maxKeys = 10_000

/**
 * Whether `value` is the signature of a `did:key` over the bytes, as `verifyBytes` of the protocol has it; the work is done
 * beside our own thread.
 */
export function verifySignature(did: string, bytes: Uint8Array, value: string): Promise<boolean> {
  try {
    const key = keyOf(did)
    const signature = Buffer.from(value, 'base64url')
    // One signature, one spelling.
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
  const key = createPublicKey({ key: Buffer.concat([spkiHead, publicKeyOf(did)]), format: 'der', type: 'spki' })
  keys.set(did, key)
  for (const oldest of keys.keys()) {
    if (keys.size <= maxKeys) break
    keys.delete(oldest)
  }
  return key
}
