/** A delivered message as a small agent reads it: the fields that it acts on, checked by hand, and its signature. */
import { sha256 } from '@noble/hashes/sha2.js'
import { merkleNodeBytes, merkleRootBytes, signedBytes, type TaskInput } from '@parley/protocol'
import { messageSignatureInvalid, messageUnreadable, type ProblemError } from '../errors.ts'
import type { DeliveredMessage } from '../transport/transport.ts'
import { fromBase64Url, isEd25519Signature } from './ed25519-signer.ts'
import { hasFields } from './read-frame-without-schema.ts'

type Fields = { readonly [name: string]: unknown }

/** The fields of a message on which a small agent acts. `data`: that of the part that names the message's kind. */
export type SmallMessage = {
  readonly room_id: string
  readonly sender_id: string
  readonly type: string
  readonly to: readonly unknown[]
  readonly kind: string
  readonly data: Fields
}

/** A field as a text; empty for any other value. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The message with the first data part of one of these kinds; undefined if it has none. Its signature is not checked. */
export function readSmallMessage({ room_id, envelope }: DeliveredMessage, kinds: readonly string[]): SmallMessage | undefined {
  if (!hasFields(envelope) || !Array.isArray(envelope.parts)) return undefined
  for (const part of envelope.parts as unknown[]) {
    if (!hasFields(part) || !hasFields(part.data)) continue
    const { kind } = part.data
    if (typeof kind !== 'string' || !kinds.includes(kind)) continue
    const to = Array.isArray(envelope.to) ? envelope.to : []
    return { room_id, sender_id: fieldText(envelope.sender_id), type: fieldText(envelope.type), to, kind, data: part.data }
  }
  return undefined
}

/** Why a message must not be acted on; undefined if its signature is valid and it needs no unknown extension. */
export function messageFault({ room_id, seq, envelope }: DeliveredMessage, server: string): ProblemError | undefined {
  const fields = hasFields(envelope) ? envelope : {}
  if (Array.isArray(fields.crit) && fields.crit.length > 0)
    return messageUnreadable(room_id, seq, `it needs the extension ${fields.crit[0]}.`)
  return hasValidSmallSignature(fields, server) ? undefined : messageSignatureInvalid(room_id, seq)
}

/** Plain discussion under a delegation is not acted on, so a signature of the server for a sender with a key is never valid here. */
function hasValidSmallSignature(fields: Fields, server: string): boolean {
  const { sig, sender_id } = fields
  if (!hasFields(sig) || sig.delegation !== undefined || typeof sender_id !== 'string') return false
  const [kid, value] = [fieldText(sig.kid), fieldText(sig.value)]
  if (sig.alg === 'EdDSA') {
    // The server checks that this key is bound to a sender with another name.
    const isOfSender = kid === sender_id || sender_id.startsWith('did:web:')
    return isOfSender && sig.path === undefined && isEd25519Signature(kid, signedBytes(fields), value)
  }
  if (sig.alg !== 'session' || kid !== server || sender_id.startsWith('did:key:')) return false
  if (sig.path === undefined) return isEd25519Signature(server, signedBytes(fields), value)
  const root = merkleRoot(signedBytes(fields), fieldText(sig.path))
  return root !== undefined && isEd25519Signature(server, merkleRootBytes(root), value)
}

/** Bytes of one hash, and the maximum height of a tree. */
const hashBytes = 32
const maxLevels = 16

function merkleRoot(bytes: Uint8Array, path: string): Uint8Array | undefined {
  let siblings: Uint8Array
  try {
    siblings = fromBase64Url(path)
  } catch {
    return undefined
  }
  const levels = siblings.length / hashBytes
  if (!Number.isInteger(levels) || levels < 1 || levels > maxLevels) return undefined
  let root: Uint8Array = sha256(bytes)
  for (let at = 0; at < siblings.length; at += hashBytes) root = sha256(merkleNodeBytes(root, siblings.subarray(at, at + hashBytes)))
  return root
}

/** The inputs of a task or call. Those without a port or a value are left out. */
export function readSmallInputs(value: unknown): TaskInput[] {
  if (!Array.isArray(value)) return []
  return (value as unknown[]).filter((input): input is TaskInput => {
    if (!hasFields(input) || typeof input.port !== 'string' || typeof input.type !== 'string') return false
    const { artifact, data } = input
    if (artifact === undefined) return data === undefined || hasFields(data)
    return (
      hasFields(artifact) &&
      typeof artifact.sha256 === 'string' &&
      typeof artifact.media_type === 'string' &&
      Number.isSafeInteger(artifact.size)
    )
  })
}
