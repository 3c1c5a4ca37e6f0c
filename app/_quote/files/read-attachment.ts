import { shownName } from '@parley/protocol'
import type { Translate } from '../../_messages/translate-types.ts'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'
import { attachmentFault, convertToUtf8, mediaTypeOfFile } from '../../goals/new/_wizard/attachment-policy.ts'
import { convertDocument } from './convert-document.ts'
import { encodeBase64 } from './encode-base64.ts'

type ReadAttachments = {
  readonly files: readonly DraftAttachment[]
  /** One sentence for each rejected file. */
  readonly faults: readonly string[]
}

/** A chosen file as attachments: itself, or the tables and texts that a document was converted to. */
export async function readAttachment(file: File, t: Translate<'views.attachment'>): Promise<ReadAttachments> {
  const read = new Uint8Array(await file.arrayBuffer())
  const converted = await convertDocument(file.name, read)
  if (typeof converted === 'string') return { files: [], faults: [`${shownName(file.name)}: ${t(`conversion.${converted}`)}`] }
  const sources = converted ?? [{ name: file.name, bytes: convertToUtf8(file.name, read) ?? read }]
  const result = sources.map(({ name, bytes }) => toAttachment(name, bytes, { isConverted: bytes !== read, t }))
  return { files: result.filter((one) => typeof one !== 'string'), faults: result.filter((one) => typeof one === 'string') }
}

type Conversion = { readonly isConverted: boolean; readonly t: Translate<'views.attachment'> }

/** The attachment, or the reason for its rejection. */
function toAttachment(name: string, bytes: Uint8Array, { isConverted, t }: Conversion): DraftAttachment | string {
  const fault = attachmentFault(name, bytes, t)
  if (fault !== null) return fault
  const mediaType = mediaTypeOfFile(name, bytes) ?? 'text/plain'
  return { name, mediaType, content: encodeBase64(bytes), size: bytes.length, ...(isConverted && { isConverted }) }
}
