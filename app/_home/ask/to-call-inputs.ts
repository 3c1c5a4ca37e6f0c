import { type ArtifactUpload, sha256, type TaskInput } from '@parley/protocol'
import type { QuoteStep } from '../../_quote/use-request-quote.ts'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'

/** The maximum size of all files of a call, characters of Base64. The server has the same limit. */
const maxFiles = 5_600_000

/** Whether a call can carry the files. A goal carries more. */
export const fitsCall = (files: readonly DraftAttachment[]): boolean =>
  files.reduce((sum, { content }) => sum + content.length, 0) <= maxFiles

/** The inputs of a quoted step as inputs of a call, with the files that they name. */
export async function toCallInputs(
  inputs: NonNullable<QuoteStep['inputs']>,
  files: readonly DraftAttachment[],
): Promise<{ inputs: TaskInput[]; attachments: ArtifactUpload[] }> {
  const attachments = new Map<string, ArtifactUpload>()
  const called: TaskInput[] = []
  for (const input of inputs) {
    const { port, type } = input
    if ('data' in input) {
      called.push({ port, type, data: input.data })
      continue
    }
    const file = files[input.file]
    if (!file) continue
    const bytes = Uint8Array.from(atob(file.content), (char) => char.charCodeAt(0))
    const named = { name: file.name, media_type: file.mediaType, artifact_type: type }
    const hash = await sha256(bytes)
    attachments.set(hash, { ...named, content: file.content })
    called.push({ port, type, artifact: { ...named, sha256: hash, size: bytes.length } })
  }
  return { inputs: called, attachments: [...attachments.values()] }
}
