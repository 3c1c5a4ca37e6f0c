/** A file that a client adds to a goal: what the form takes, and what is wrong with one. The server takes the same. */
import { fileContentFault, fileNameFault, shownName, uploadTypes } from '@parley/protocol'
import type { Translate } from '../_messages/translate.ts'

/** Media types by the endings that name them. */
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

/** For an `<input type="file">`: every ending whose type the server takes. */
export const acceptedEndings: string = Object.entries(endings)
  .filter(([, type]) => uploadTypes.includes(type))
  .map(([ending]) => `.${ending}`)
  .join(',')

/** The media type that a name's ending says; null where it is none that is taken. */
export function mediaTypeOf(name: string): string | null {
  const ending = name.split('.').pop()?.toLowerCase() ?? ''
  return (name.includes('.') && Object.hasOwn(endings, ending) && endings[ending]) || null
}

/** Why a file is not added, with its name; null where it can be. */
export function attachmentFault(name: string, bytes: Uint8Array, t: Translate<'views.attachment'>): string | null {
  const mediaType = mediaTypeOf(name)
  const fault =
    fileNameFault(name) ??
    (mediaType === null ? t('typeNotTaken', { endings: acceptedEndings.replaceAll(',', ' ') }) : fileContentFault(mediaType, bytes))
  return fault === null ? null : `${shownName(name)}: ${fault}`
}
