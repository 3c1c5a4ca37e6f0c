/** The encodings: each a pair of functions between a text and its code. */
import { decodeHTML, escapeUTF8 } from 'entities'
import { refuse } from '../../skill.ts'
import { transformText } from '../text/transform-text.ts'

export type Codec = {
  readonly name: string
  readonly encode: (text: string) => string
  readonly decode?: (code: string) => string
}

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)]

/** @throws {SkillRefused} if the bytes are no UTF-8 */
function textOf(bytes: readonly number[], name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return refuse(`The ${name} decodes to bytes that are no UTF-8 text.`)
  }
}

function decodeHex(code: string): string {
  const digits = code.replace(/0x|\\x|[\s,:;-]/gi, '')
  if (!/^[\da-f]+$/i.test(digits) || digits.length % 2 === 1)
    return refuse('The text is not hexadecimal: it needs pairs of the digits 0 to 9 and A to F.')
  return textOf(
    (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
    'hexadecimal code',
  )
}

function decodeBinary(code: string): string {
  const groups = code.trim().split(/[\s,]+/)
  const joined = groups.join('')
  if (!/^[01]+$/.test(joined)) return refuse('The text is not binary: it has other characters than 0 and 1.')
  // Groups of seven bits are ASCII without the leading zero.
  const isSeven = groups.every((group) => group.length === 7) || (groups.length === 1 && joined.length % 8 !== 0 && joined.length % 7 === 0)
  const size = isSeven ? 7 : 8
  if (joined.length % size !== 0)
    return refuse(`The binary code has ${joined.length} digits, which is no multiple of 8. Check that none is missing.`)
  if (groups.length > 1 && groups.some((group) => group.length % size !== 0))
    return refuse('The groups of binary digits must have 8 digits each. Check that none is missing.')
  return textOf(
    (joined.match(new RegExp(`.{${size}}`, 'g')) ?? []).map((group) => Number.parseInt(group, 2)),
    'binary code',
  )
}

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function encodeBase32(text: string): string {
  const bits = bytesOf(text)
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const code = (bits.match(/.{1,5}/g) ?? []).map((group) => base32Letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
  return code.padEnd(Math.ceil(code.length / 8) * 8, '=')
}

function decodeBase32(code: string): string {
  const letters = code.replace(/[\s=-]/g, '').toUpperCase()
  if (!/^[A-Z2-7]+$/.test(letters)) return refuse('The text is no Base32: it has other characters than A to Z and 2 to 7.')
  const bits = [...letters].map((letter) => base32Letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return textOf(
    (bits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2)),
    'Base32',
  )
}

/** International Morse code (ITU-R M.1677-1), with the usual marks. */
const signs =
  'A .- B -... C -.-. D -.. E . F ..-. G --. H .... I .. J .--- K -.- L .-.. M -- N -. O --- P .--. Q --.- R .-. S ... ' +
  'T - U ..- V ...- W .-- X -..- Y -.-- Z --.. 1 .---- 2 ..--- 3 ...-- 4 ....- 5 ..... 6 -.... 7 --... 8 ---.. 9 ----. ' +
  "0 ----- . .-.-.- , --..-- : ---... ? ..--.. ' .----. - -....- / -..-. ( -.--. ) -.--.- = -...- + .-.-. @ .--.-. " +
  '" .-..-. ! -.-.-- & .-... ; -.-.-. _ ..--.-'
const signParts = signs.split(' ')
const morse = new Map(signParts.flatMap((part, index): [string, string][] => (index % 2 === 0 ? [[part, signParts[index + 1] ?? '']] : [])))
const letters = new Map([...morse].map(([letter, code]) => [code, letter]))

function encodeMorse(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toUpperCase()
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
  const unknown = [...plain].find((letter) => !/\s/.test(letter) && !morse.has(letter))
  if (unknown !== undefined) return refuse(`Morse code has no sign for ${unknown}. Leave it out and ask again.`)
  const words = plain.trim().split(/\s+/)
  return words.map((word) => [...word].map((letter) => morse.get(letter)).join(' ')).join(' / ')
}

function decodeMorse(code: string): string {
  const plain = code.replace(/[·•∙]/g, '.').replace(/[−–_]/g, '-').replace(/—/g, '-').trim()
  if (!/^[.\-/|\s]+$/.test(plain))
    return refuse('The text is no Morse code: it has other characters than dots, dashes, blanks and slashes.')
  const words = plain.split(/\s*[/|]\s*|[^\S\n]{2,}|\n+/).filter((word) => word !== '')
  const decoded = words.map((word) =>
    word
      .split(/\s+/)
      .map((sign) => letters.get(sign) ?? refuse(`Morse code has no sign ${sign}. Separate the letters by blanks.`))
      .join(''),
  )
  return decoded.join(' ')
}

const nato =
  'Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu'.split(
    ' ',
  )
const natoDigits = 'Zero One Two Three Four Five Six Seven Eight Nine'.split(' ')

function encodeNato(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const spelled = (letter: string) =>
    /[A-Z]/.test(letter)
      ? (nato[letter.charCodeAt(0) - 65] ?? '')
      : /\d/.test(letter)
        ? (natoDigits[Number(letter)] ?? '')
        : refuse(`The spelling alphabet has no word for ${letter}. Leave it out and ask again.`)
  return plain
    .trim()
    .split(/\s+/)
    .map((word) => [...word].map(spelled).join(' '))
    .join(' / ')
}

const asciiCodes = (text: string): string => [...text].map((letter) => String(letter.codePointAt(0))).join(' ')

function decodeAscii(code: string): string {
  const parts = code.trim().split(/[\s,;]+/)
  if (!parts.every((part) => /^\d{1,7}$/.test(part) && Number(part) <= 0x10ffff))
    return refuse('The text is no list of character codes, such as 72 105.')
  return parts.map((part) => String.fromCodePoint(Number(part))).join('')
}

const unicodePoints = (text: string): string =>
  [...text].map((letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')

const decodeUnicode = (code: string): string => {
  const plain = code.replace(
    /\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|[Uu]\+([\da-f]{4,6})\s?/gi,
    (_, braces: string | undefined, four: string | undefined, plus: string | undefined) => {
      const point = Number.parseInt(braces ?? four ?? plus ?? '', 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : refuse('A code point is above U+10FFFF, which Unicode does not have.')
    },
  )
  return plain === code ? refuse('The text has no code points such as U+00E9 or \\u00e9.') : plain
}

/** All encodings by id. */
export const codecs: { readonly [id in CodecId]: Codec } = {
  base64: {
    name: 'Base64',
    encode: (text) => transformText(text, 'base64_encode', {}),
    decode: (code) => transformText(code, 'base64_decode', {}),
  },
  base32: { name: 'Base32', encode: encodeBase32, decode: decodeBase32 },
  url: {
    name: 'URL encoding',
    encode: (text) => transformText(text, 'url_encode', {}),
    decode: (code) => transformText(code, 'url_decode', {}),
  },
  hex: {
    name: 'Hexadecimal',
    encode: (text) =>
      bytesOf(text)
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(' '),
    decode: decodeHex,
  },
  binary: {
    name: 'Binary',
    encode: (text) =>
      bytesOf(text)
        .map((byte) => byte.toString(2).padStart(8, '0'))
        .join(' '),
    decode: decodeBinary,
  },
  html: { name: 'HTML entities', encode: (text) => escapeUTF8(text), decode: (code) => decodeHTML(code) },
  morse: { name: 'Morse code', encode: encodeMorse, decode: decodeMorse },
  nato: { name: 'NATO spelling alphabet', encode: encodeNato },
  ascii: { name: 'Character codes', encode: asciiCodes, decode: decodeAscii },
  unicode: { name: 'Unicode code points', encode: unicodePoints, decode: decodeUnicode },
  slug: { name: 'URL-friendly', encode: (text) => transformText(text, 'slug', {}) },
}

export const codecIds = ['base64', 'base32', 'url', 'hex', 'binary', 'html', 'morse', 'nato', 'ascii', 'unicode', 'slug'] as const
export type CodecId = (typeof codecIds)[number]
