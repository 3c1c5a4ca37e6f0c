import type { Translate } from '../../_messages/translate-types.ts'
import type { DraftAttachment } from '../../goals/new/_draft/goal-draft.ts'
import { attachmentFault, convertToUtf8, mediaTypeOfFile } from '../../goals/new/_wizard/attachment-policy.ts'
import { encodeBase64 } from './encode-base64.ts'

/** The file, or the reason for its rejection. */
export async function readAttachment(file: File, t: Translate<'views.attachment'>): Promise<DraftAttachment | string> {
  const read = new Uint8Array(await file.arrayBuffer())
  const converted = convertToUtf8(file.name, read)
  const bytes = converted ?? read
  const fault = attachmentFault(file.name, bytes, t)
  if (fault !== null) return fault
  const mediaType = mediaTypeOfFile(file.name, bytes) ?? 'text/plain'
  return { name: file.name, mediaType, content: encodeBase64(bytes), size: bytes.length, ...(converted && { isConverted: true }) }
}
