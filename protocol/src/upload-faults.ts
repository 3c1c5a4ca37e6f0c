/** Conditions for an uploaded file: its size, its type, and content of that type. */

/** Bytes of one file. */
export const uploadBytes = 2_097_152

const startsWith = (bytes: Uint8Array, ...head: number[]) => head.every((byte, index) => bytes[index] === byte)
const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** Formats with known first bytes. */
const magic: { readonly [mediaType: string]: (bytes: Uint8Array) => boolean } = {
  'image/png': (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/jpeg': (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff),
  'image/webp': (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
}

const textual = ['text/plain', 'text/csv', 'text/markdown', 'application/json', 'image/svg+xml']

/** Allowed media types. HTML is never allowed: it would run in the browser that opens it. */
export const uploadTypes: readonly string[] = [...Object.keys(magic), ...textual]

/** Why bytes are not accepted as this media type; null if they are. The server inspects the elements of an SVG. */
export function fileContentFault(mediaType: string, bytes: Uint8Array): string | null {
  const essence = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (!uploadTypes.includes(essence)) return `Files of type ${essence} are not accepted. Use one of ${uploadTypes.join(', ')}.`
  if (bytes.byteLength === 0) return 'The file is empty.'
  if (bytes.byteLength > uploadBytes) return `The file has ${bytes.byteLength} bytes. The maximum is ${uploadBytes} (2 MiB).`
  const isMagic = magic[essence]
  if (isMagic) return isMagic(bytes) ? null : `The content is not ${essence}.`
  const text = decode(bytes)
  if (text === null) return 'The content is not UTF-8 text. Save the file as UTF-8.'
  const zero = text.indexOf('\0')
  if (zero >= 0) return `The content has a NUL character (U+0000) at position ${zero}. Remove it, or save the file as UTF-8 text.`
  if (essence === 'application/json') return isJson(text) ? null : 'The content is not JSON.'
  return essence !== 'text/markdown' && isHtml(text) ? 'The content is HTML, which is not accepted.' : null
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

/** Whether a browser would sniff this as HTML. The start decides, as in the WHATWG sniffing rules. */
function isHtml(text: string): boolean {
  return /^[\ufeff\s]*<(!doctype html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p|!--)[\s>]/i.test(
    text.slice(0, 1_445),
  )
}
