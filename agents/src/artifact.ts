/** Files sent to and read from the server: base64 on the wire, identified by the SHA-256 of their bytes. */
import { type ArtifactRef, type ArtifactUpload, sha256, utf8Bytes } from '@parley/protocol'
import { base64Decode, base64Encode } from './base64.ts'

/** A file as a program has it. `content`: bytes, or text that is encoded as UTF-8. `artifact_type`: for example `report.markdown`. */
export type ArtifactFile = {
  readonly name: string
  readonly media_type: string
  readonly artifact_type: string
  readonly content: string | Uint8Array
}

/** The bytes of a content: a text as UTF-8, bytes as a copy. */
export function bytesOf(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? utf8Bytes(content) : new Uint8Array(content)
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
