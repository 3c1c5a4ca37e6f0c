import { inspectSvg } from './inspect-svg.ts'

const startsWith = (bytes: Uint8Array, ...head: number[]) => head.every((byte, index) => bytes[index] === byte)
const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** Formats that are known by their first bytes. */
const magic: { readonly [mediaType: string]: (bytes: Uint8Array) => boolean } = {
  'image/png': (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/jpeg': (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff),
  'image/webp': (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
}

/** Formats that are text, each with what more must hold of it; null where nothing is wrong. */
const textual: { readonly [mediaType: string]: (text: string) => string | null } = {
  'text/plain': () => null,
  'text/csv': () => null,
  'text/markdown': () => null,
  'application/json': (text) => (isJson(text) ? null : 'It is declared as JSON, and is not.'),
  'image/svg+xml': inspectSvg,
}

/** What may be uploaded at all. HTML never: it would run in whoever opens it. */
export const mediaTypes: readonly string[] = [...Object.keys(magic), ...Object.keys(textual)]

/** What is wrong with a file that claims to be of this media type; null where nothing is. */
export function sniffFile(mediaType: string, bytes: Uint8Array): string | null {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
  const isMagic = magic[essence]
  if (isMagic) return isMagic(bytes) ? null : `The content is not ${essence}.`
  const inspect = textual[essence]
  if (!inspect) return `Files of type ${essence} are not taken; these are: ${mediaTypes.join(', ')}.`
  const text = decode(bytes)
  if (text === null) return `The content is not UTF-8 text, which ${essence} must be here.`
  if (text.includes('\0')) return 'The content holds a NUL character, so it is not text.'
  if (essence !== 'text/markdown' && essence !== 'application/json' && isHtml(text)) return 'The content is HTML, which is not taken.'
  return inspect(text)
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a browser that guesses would take for a page: the start decides, as in the WHATWG sniffing rules. */
function isHtml(text: string): boolean {
  return /^[\ufeff\s]*<(!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|!--)[\s>]/i.test(
    text.slice(0, 1_445),
  )
}
