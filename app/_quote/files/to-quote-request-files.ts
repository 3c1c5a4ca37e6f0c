import { artifactTypeOf, type DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'

/** As much of a file as the quote needs to know its columns and cells, and of all files together. Bytes. */
const maxHead = 30_000
const maxHeads = 90_000

/** The files of a quote request: names, types and the beginning of each text file. */
export function toQuoteRequestFiles(attachments: readonly DraftAttachment[]) {
  const size = Math.min(maxHead, maxHeads / Math.max(1, attachments.length))
  return attachments.map((file) => ({
    name: file.name,
    media_type: file.mediaType,
    artifact_type: artifactTypeOf(file),
    ...(file.mediaType.startsWith('image/') ? {} : headOf(file.content, size)),
  }))
}

/** The beginning of a Base64 text file. A character that is cut in two becomes a replacement character. */
function headOf(content: string, size: number) {
  const length = Math.floor(size / 3) * 4
  const bytes = Uint8Array.from(atob(content.slice(0, length)), (char) => char.charCodeAt(0))
  return { head: new TextDecoder().decode(bytes), is_whole: content.length <= length }
}
