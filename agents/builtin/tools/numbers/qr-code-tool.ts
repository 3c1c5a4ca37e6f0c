/** `image.qr`: a QR code as SVG. */
import { encode } from 'uqr'
import { type OutputFile, refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { isEnglish } from './is-english.ts'

/** Bytes of UTF-8. A code of the highest version holds 2,331 with error correction M. */
const maxBytes = 2_000
const maxCodes = 10

const skill: ToolSkill = {
  id: 'image.qr',
  name: 'Draw a QR code',
  description: 'A QR code as SVG for an address, a text, an e-mail address, a telephone number or a wireless network.',
  inputs: [
    {
      name: 'query',
      type: 'query.qr_code',
      description: 'What the code holds.',
      optional: false,
      schema: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', minLength: 1, maxLength: maxBytes, description: 'An address or a text.' },
          further: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: maxBytes },
            maxItems: maxCodes - 1,
            description: 'One more code each.',
          },
          level: { enum: ['L', 'M', 'Q', 'H'], default: 'M', description: 'Error correction: H stays readable with 30 % damage.' },
        },
      },
    },
  ],
  outputs: [{ name: 'code', type: 'image.svg', description: 'SVG with title and description.', optional: false }],
  price: '150000',
  tags: ['qr', 'qr code', 'barcode', 'svg', 'link', 'wifi'],
  samples: [
    {
      title: 'An address',
      input: { text: 'https://example.com' },
      output: 'QR code of “https://example.com” (25 × 25 modules, error correction M).',
    },
  ],
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
const levels = ['L', 'M', 'Q', 'H'] as const
type Level = (typeof levels)[number]

/** Modules of the white margin that readers need. */
const margin = 4

type DrawnCode = { readonly svg: string; readonly size: number }

/** @throws {SkillRefused} if the text is too long */
export function drawQrCode(text: string, level: Level): DrawnCode {
  const bytes = new TextEncoder().encode(text).length
  if (bytes > maxBytes) return refuse(`The text has ${bytes} bytes; a QR code of mine holds at most ${maxBytes}.`)
  let code: ReturnType<typeof encode>
  try {
    code = encode(text, { ecc: level, border: 0 })
  } catch {
    return refuse(`The text does not fit into a QR code with error correction ${level}. Shorten it, or take the level L.`)
  }
  const { size, data } = code
  const runs: string[] = []
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const start = column
      while (column < size && data[row]?.[column]) column++
      if (column > start) runs.push(`M${start + margin} ${row + margin}h${column - start}v1h-${column - start}z`)
    }
  const side = size + 2 * margin
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side * 10}" height="${side * 10}" role="img" shape-rendering="crispEdges">`,
    `<title>QR code</title><desc>${escaped(text)}</desc>`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${runs.join('')}"/>`,
    '</svg>',
  ].join('\n')
  return { svg: `${svg}\n`, size }
}

function run(work: SkillRequest): SkillResponse {
  const { text, further, level } = requireData(work, 'query.qr_code')
  const texts = [text, ...(Array.isArray(further) ? further : [])].filter(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  )
  if (texts.length === 0 || texts.length > maxCodes) return refuse(`I draw 1 to ${maxCodes} QR codes at once, each of one text.`)
  const chosen = levels.find((one) => one === level) ?? 'M'
  const drawn = texts.map((one) => drawQrCode(one, chosen))
  const outputs = drawn.map(
    ({ svg }, index): OutputFile => ({
      name: index === 0 ? 'qr-code.svg' : `qr-code-${index + 1}.svg`,
      media_type: 'image/svg+xml',
      artifact_type: 'image.svg',
      text: svg,
    }),
  )
  const [first = ''] = texts
  const shown = first.length > 120 ? `${first.slice(0, 120)}…` : first
  const size = drawn[0]?.size ?? 0
  const others = texts.length > 1 ? ` And ${texts.length - 1} more.` : ''
  return { outputs, text: `QR code of “${shown}” (${size} × ${size} modules, error correction ${chosen}).${others}` }
}

const qrWord = /\bqr[ -]?codes?\b|\bqr\b/i
const other =
  /\b(?:read|scan|scans|scanned|decode|decodes|decipher|explain|explains|article|essay|blog|history|invented|inventor|security of|risks?|how do|how does|how are|what is a|what are|what's a|why|difference|compare|report|translate|survey|review|app|website|web page|flyer|poster|business card|plan|python|javascript|typescript|function|script|library|library for)\b/i
const address =
  /\bhttps?:\/\/[^\s"“”«»<>]+|\bwww\.[^\s"“”«»<>]+|\b(?:[a-z0-9-]{1,63}\.){1,4}(?:com|org|net|io|dev|eu|de|fr|uk|us|app|ai|info|example|edu|gov|me|shop|ch|at|nl|it|es)\b(?:\/[^\s"“”«»<>]*)?/gi
const email = /\b[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,24}\b/i
const telephone = /(?<![\w/.])\+?\d[\d ()-]{6,20}\d\b/
const quotedPhrase =
  /\b(?:saying|that says|which says|with the text|with the words|containing(?: the text| the words)?|that contains(?: the text)?|encoding|that encodes|for the text|of the text|of the word|for the word|reading)\s+(\S.{0,400})$/i

/** `WIFI:T:WPA;S:name;P:password;;` for a network with a password in quotation marks. */
function wifiText(words: string, quotations: readonly string[]): string | undefined {
  const [network, password] = quotations
  if (!/\bwi-?fi\b|\bwlan\b|\bwireless\b/i.test(words) || network === undefined || quotations.length > 2) return undefined
  const safe = (text: string): string => text.replace(/[\\;,:"]/g, '\\$&')
  return password === undefined ? undefined : `WIFI:T:WPA;S:${safe(network)};P:${safe(password)};;`
}

/** What the code holds: quoted material, an address, or words after "saying". */
function readTexts(goal: ToolGoal): string[] {
  // "https://…" looks like material after a colon.
  const quoted = goal.quotations
    .filter((text) => !text.startsWith('//'))
    .map((text) => (/^(?:https?:\/\/|www\.)\S+$/i.test(text) ? text.replace(/(?<![.,;!?])[.,;!?]+$/, '') : text))
  const wifi = wifiText(goal.words, quoted)
  if (wifi !== undefined) return [wifi]
  if (quoted.length > 0) return quoted.slice(0, maxCodes)
  const mail = email.exec(goal.words)?.[0]
  if (mail !== undefined) return [`mailto:${mail}`]
  const addresses = [...goal.words.matchAll(address)].map(([found]) => found.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, ''))
  if (addresses.length > 0) return [...new Set(addresses.map((one) => (/^https?:/i.test(one) ? one : `https://${one}`)))].slice(0, maxCodes)
  const number = telephone.exec(goal.words)?.[0]
  if (number !== undefined && /\b(?:phone|telephone|number|call|mobile|tel)\b/i.test(goal.words))
    return [`tel:${number.replace(/[^\d+]/g, '')}`]
  const words = quotedPhrase.exec(goal.words.trim())?.[1]
  return words === undefined ? [] : [words.replace(/(?<![.!?])[.!?]+$/, '').trim()]
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!qrWord.test(goal.words) || other.test(goal.words.replace(address, ' ').replace(quotedPhrase, ' ')) || !isEnglish(goal.words))
    return undefined
  const [text, ...further] = readTexts(goal)
  if (text === undefined) return { confidence: 0.7, question: 'Which text or address does the QR code hold? Write it in quotation marks.' }
  const level = /\b(?:high(?:est)?|maximum|max|strong) (?:error correction|redundancy)\b|\blevel h\b/i.test(goal.words) ? 'H' : undefined
  return {
    confidence: 0.95,
    query: { text, ...(further.length > 0 && { further }), ...(level && { level }) },
    summary: `I draw a QR code of “${text.slice(0, 120)}”.`,
  }
}

export const qrCodeTool: Tool = { skill, readGoal, run }
