import type { Translate } from '../../_messages/translate-types.ts'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'
import { readAttachment } from './read-attachment.ts'

type Added = {
  readonly files: readonly DraftAttachment[]
  /** One sentence for each rejected file. */
  readonly faults: readonly string[]
}

/** The files with the chosen ones. A chosen file replaces one of the same name. More than `max` files are all rejected. */
export async function addFiles(
  files: readonly DraftAttachment[],
  chosen: readonly File[],
  { max, tooMany, t }: { readonly max: number; readonly tooMany: string; readonly t: Translate<'views.attachment'> },
): Promise<Added> {
  const read = await Promise.all(chosen.map((file) => readAttachment(file, t)))
  const good = read.flatMap((one) => one.files)
  const faults = read.flatMap((one) => one.faults)
  const kept = [...files.filter((old) => !good.some((one) => one.name === old.name)), ...good]
  return kept.length > max ? { files, faults: [...faults, tooMany] } : { files: kept, faults }
}
