import type { Translate } from '../../_messages/translate.ts'
import type { DraftAttachment } from '../../goals/new/_draft/goal-draft.ts'
import { attachmentFault, convertToUtf8, mediaTypeOfFile } from '../../goals/new/_wizard/attachment-policy.ts'

/** The file, or the reason for its rejection. */
export async function readAttachment(file: File, t: Translate<'views.attachment'>): Promise<DraftAttachment | string> {
  const read = new Uint8Array(await file.arrayBuffer())
  const converted = convertToUtf8(file.name, read)
  const bytes = converted ?? read
  const fault = attachmentFault(file.name, bytes, t)
  if (fault !== null) return fault
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192) binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  const mediaType = mediaTypeOfFile(file.name, bytes) ?? 'text/plain'
  return { name: file.name, mediaType, content: btoa(binary), size: bytes.length, ...(converted && { isConverted: true }) }
}
