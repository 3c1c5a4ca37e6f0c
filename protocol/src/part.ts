/** Content of a message, in A2A's shape: text, data, or a file named by its hash. @see SPEC.md#parts */
import { z } from 'zod'

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A file that the server keeps by its hash. Bytes are fetched with `artifact.get`; the hash in the signed envelope proves them. */
export const ArtifactRef = z.looseObject({
  sha256: Sha256.describe('Of the bytes.'),
  name: z
    .string()
    .min(1)
    .max(120)
    .regex(/^[^/\\\p{Cc}]+$/u)
    .describe('File name to show.'),
  media_type: z
    .string()
    .max(120)
    .regex(/^[\w.+-]+\/[\w.+-]+(;\s?[\w-]+=[\w."-]+)*$/),
  size: z.int().nonnegative().describe('Bytes.'),
  artifact_type: z.string().max(80).describe("The type of a skill's output that this is, e.g. `table.annual`."),
})
export type ArtifactRef = z.infer<typeof ArtifactRef>

/** Exactly one of `text`, `data`, `artifact` is meaningful; a part with none of them known is carried and shown as unknown. */
export const Part = z.looseObject({
  text: z.string().max(65_536).optional().describe('Plain text or Markdown.'),
  data: z.record(z.string(), z.json()).optional().describe('Structured content; `kind` inside names it.'),
  artifact: ArtifactRef.optional(),
})
export type Part = z.infer<typeof Part>

/** Bytes on their way in, with a command: base64 in `content`. */
export const ArtifactUpload = z.looseObject({
  name: ArtifactRef.shape.name,
  media_type: ArtifactRef.shape.media_type,
  artifact_type: ArtifactRef.shape.artifact_type,
  content: z.base64().max(2_796_204).describe('Base64 of at most 2 MiB.'),
})
export type ArtifactUpload = z.infer<typeof ArtifactUpload>
