/** Content of a message, in A2A's shape: text, data, or a file named by its hash. @see SPEC.md#parts */
import { z } from 'zod'
import { maxFileNameLength } from './max-file-name-length.ts'

/** A SHA-256 hash of a file: 64 hex digits, lower case. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A file that the server stores by its hash. `artifact.get` returns the bytes, and the hash in the signed envelope proves them. */
export const ArtifactRef = z.looseObject({
  sha256: Sha256.describe('SHA-256 of the bytes.'),
  name: z
    .string()
    .min(1)
    .max(maxFileNameLength)
    .regex(/^[^/\\\p{Cc}]+$/u)
    .describe('The file name to show.'),
  // It becomes a response header, so it has no letter beyond ASCII: `\s` would match U+2028 and U+FEFF.
  media_type: z
    .string()
    .max(120)
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w."-]+)*$/),
  size: z.int().nonnegative().describe('The size in bytes.'),
  artifact_type: z.string().max(80).describe("The type of the skill's output, e.g. `table.annual`."),
})
export type ArtifactRef = z.infer<typeof ArtifactRef>

/** Exactly one of `text`, `data`, `artifact` is used. A part without a known one is preserved and shown as unknown. */
export const Part = z.looseObject({
  text: z.string().max(65_536).optional().describe('Plain text or Markdown.'),
  data: z.record(z.string(), z.json()).optional().describe('Structured content. Its field `kind` is the type.'),
  artifact: ArtifactRef.optional(),
})
export type Part = z.infer<typeof Part>

/** A file to upload with a command: base64 in `content`. */
export const ArtifactUpload = z.looseObject({
  name: ArtifactRef.shape.name,
  media_type: ArtifactRef.shape.media_type,
  artifact_type: ArtifactRef.shape.artifact_type,
  content: z.base64().max(2_796_204).describe('Base64 of at most 2 MiB.'),
})
export type ArtifactUpload = z.infer<typeof ArtifactUpload>
