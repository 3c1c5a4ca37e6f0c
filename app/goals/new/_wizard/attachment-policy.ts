/** The accepted attachments of a goal, and their faults. The server has the same rules. */
import { fileContentFault, fileNameFault, shownName, uploadTypes } from '@parley/protocol'
import type { Translate } from '../../../_messages/translate-types.ts'

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
  tsv: 'text/csv',
  // HTML is accepted as Markdown only, which no browser runs.
  html: 'text/markdown',
  htm: 'text/markdown',
  ...Object.fromEntries(
    'log yaml yml toml ini cfg conf properties sql xml eml srt vtt ics vcf tex rst js mjs ts jsx tsx css scss vue py rb go rs java sh diff patch'
      .split(' ')
      .map((ending) => [ending, 'text/plain']),
  ),
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

/** The media type of a file. A broken JSON file is text, so that an agent can state what is wrong with it. */
export function mediaTypeOfFile(name: string, bytes: Uint8Array): string | null {
  const type = mediaTypeOf(name)
  return type === 'application/json' && fileContentFault(type, bytes) !== null && fileContentFault('text/plain', bytes) === null
    ? 'text/plain'
    : type
}

/**
 * The bytes of a text file as UTF-8. Spreadsheets often save Windows-1252 or UTF-16.
 * Undefined if it is UTF-8 already, no text, or in an unknown encoding.
 */
export function convertToUtf8(name: string, bytes: Uint8Array): Uint8Array | undefined {
  const type = mediaTypeOf(name)
  if (type === null || (type.startsWith('image/') && type !== 'image/svg+xml')) return undefined
  const encoding = encodingOf(bytes)
  const text = encoding && new TextDecoder(encoding, { fatal: true }).decode(bytes)
  return text === undefined || text.includes('\0') ? undefined : new TextEncoder().encode(text)
}

function encodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | 'windows-1252' | undefined {
  const [first, second] = bytes
  if (bytes.length % 2 === 0 && first === 0xff && second === 0xfe) return 'utf-16le'
  if (bytes.length % 2 === 0 && first === 0xfe && second === 0xff) return 'utf-16be'
  const isUtf8 = fileContentFault('text/markdown', bytes) === null
  // Windows-1252 has no control characters, so a file with one is no text.
  return isUtf8 || bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) ? undefined : 'windows-1252'
}

/** Why a file is rejected, with its name; null if it is accepted. */
export function attachmentFault(name: string, bytes: Uint8Array, t: Translate<'views.attachment'>): string | null {
  const mediaType = mediaTypeOfFile(name, bytes)
  const fault = fileNameFault(name) ?? (mediaType === null ? t('typeNotSupported') : fileContentFault(mediaType, bytes))
  return fault === null ? null : `${shownName(name)}: ${fault}`
}
