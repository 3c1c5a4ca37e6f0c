/** Files sent to and read from the server: base64 on the wire, identified by the SHA-256 of their bytes. */
import { type ArtifactRef, type ArtifactUpload, sha256 } from '@parley/protocol'

/** A file as a program has it. `content`: bytes, or text that is encoded as UTF-8. `artifact_type`: for example `report.markdown`. */
export type ArtifactFile = {
  readonly name: string
  readonly media_type: string
  readonly artifact_type: string
  readonly content: string | Uint8Array
}

/** The bytes of a content: a text as UTF-8, bytes as a copy. */
export function bytesOf(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
}

/** RFC 4648 base64 of the bytes, with padding, as artifacts are uploaded. */
export function base64Encode(bytes: Uint8Array): string {
  let binary = ''
  // Chunks, because a call with one argument per byte overflows the stack.
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(binary)
}

/**
 * The bytes of a base64 text.
 * @throws {DOMException} if the text is not base64
 */
export function base64Decode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** The file as commands carry it: the content in base64. */
export function toArtifactUpload({ name, media_type, artifact_type, content }: ArtifactFile): ArtifactUpload {
  return { name, media_type, artifact_type, content: base64Encode(bytesOf(content)) }
}

/** The reference by which messages name the file: its hash, size in bytes and names, without content. */
export async function toArtifactRef({ name, media_type, artifact_type, content }: ArtifactUpload): Promise<ArtifactRef> {
  const bytes = base64Decode(content)
  return { sha256: await sha256(bytes), name, media_type, size: bytes.length, artifact_type }
}
