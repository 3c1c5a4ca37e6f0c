/**
 * One signature of the server for many messages: it signs the root of a Merkle tree over them. Each message carries its path to the
 * root, so each can be verified separately. @see SPEC.md#signatures
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import { base64urlDecode, base64urlEncode, verifyBytes } from './signature.ts'
import { utf8Bytes } from './utf8-bytes.ts'

/** The maximum height of a tree. */
const maxLevels = 16
const hashBytes = 32

/** What the server signs for all messages under this root: { purpose, root }, in canonical form. */
export function merkleRootBytes(root: Uint8Array): Uint8Array<ArrayBuffer> {
  return utf8Bytes(`{"purpose":"parley-vouch-v1","root":"${bytesToHex(root)}"}`)
}

/**
 * The hashed bytes of two sibling nodes: one byte that no envelope begins with, then the smaller hash, then the larger. So a path needs
 * no left or right.
 */
export function merkleNodeBytes(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + 2 * hashBytes)
  let at = 0
  while (at < hashBytes && one[at] === other[at]) at++
  const isFirst = (one[at] ?? 0) < (other[at] ?? 0)
  bytes[0] = 1
  bytes.set(isFirst ? one : other, 1)
  bytes.set(isFirst ? other : one, 1 + hashBytes)
  return bytes
}

/** Cache of verified roots, newest last: messages of one batch share a root. */
const held = new Set<string>()
const maxHeld = 256

/** Whether `value` is `did`'s signature over the tree that has these bytes at the end of `path`. */
export async function verifyMerkleSignature(did: string, bytes: Uint8Array<ArrayBuffer>, path: string, value: string): Promise<boolean> {
  const siblings = decodePath(path)
  if (siblings === null) return false
  let root = await digest(bytes)
  for (const sibling of siblings) root = await digest(merkleNodeBytes(root, sibling))
  const key = `${did} ${bytesToHex(root)} ${value}`
  if (held.has(key)) return true
  if (!(await verifyBytes(did, merkleRootBytes(root), value))) return false
  held.add(key)
  for (const oldest of held) {
    if (held.size <= maxHeld) break
    held.delete(oldest)
  }
  return true
}

/** The hashes of a path, lowest first; null if it is malformed. A path has one encoding. */
function decodePath(path: string): Uint8Array[] | null {
  try {
    const bytes = base64urlDecode(path)
    const levels = bytes.length / hashBytes
    if (!Number.isInteger(levels) || levels < 1 || levels > maxLevels || base64urlEncode(bytes) !== path) return null
    return Array.from({ length: levels }, (_, level) => bytes.subarray(level * hashBytes, (level + 1) * hashBytes))
  } catch {
    return null
  }
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
