/** The accepted attachments of a goal, and their faults. The server has the same rules. */
import { fileContentFault, fileNameFault, shownName, uploadTypes } from '@parley/protocol'
import type { Translate } from '../_messages/translate.ts'

/** Media types by file extension. */
const endings: { readonly [ending: string]: string } = {
  csv: 'text/csv',
  json: 'application/json',
  txt: 'text/plain',
  md: 'text/markdown',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
}

/** The `accept` attribute of an `<input type="file">`: every extension that the server accepts. */
export const acceptedEndings: string = Object.entries(endings)
  .filter(([, type]) => uploadTypes.includes(type))
  .map(([ending]) => `.${ending}`)
  .join(',')

/** The media type of a file extension; null if it is not accepted. */
export function mediaTypeOf(name: string): string | null {
  const ending = name.split('.').pop()?.toLowerCase() ?? ''
  return (name.includes('.') && Object.hasOwn(endings, ending) && endings[ending]) || null
}

/** Why a file is rejected, with its name; null if it is accepted. */
export function attachmentFault(name: string, bytes: Uint8Array, t: Translate<'views.attachment'>): string | null {
  const mediaType = mediaTypeOf(name)
  const fault =
    fileNameFault(name) ??
    (mediaType === null ? t('typeNotTaken', { endings: acceptedEndings.replaceAll(',', ' ') }) : fileContentFault(mediaType, bytes))
  return fault === null ? null : `${shownName(name)}: ${fault}`
}
