/** Candidates on a short text in the request: its hash, its encoding, and a QR code of it. */
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

const hashes: readonly (readonly [string, RegExp])[] = [
  ['SHA-256', /\bsha-?256\b/i],
  ['SHA-512', /\bsha-?512\b/i],
  ['SHA-1', /\bsha-?1\b/i],
  ['MD5', /\bmd5\b/i],
]
const base64 = /\bbase ?64\b/i
const decodes = /\b(?:decode[ds]?|decoding|dekodier\p{L}*|entschlüssel\p{L}*|décod\p{L}*|decodific\p{L}*)(?!\p{L})|解码/iu
const qr = /\bqr\b|二维码/iu
const link = /https?:\/\/[^\s"“”«»<>]+[^\s"“”«»<>.,;:!?)]/
const quoted = /["“„«`]([^"“”„«»`\n]{1,400})["”“»`]/
/** “The text X”: a word without spaces that is no word of a language. */
const named =
  /(?:\bof|\bfor|\bvon|\bfür|\bde|\bdel|\bpour|text|texte|texto|string|wort|word|palabra|mot)\s+(?:the |den |dem |le |el |la )?(?:text |string |texte |texto )?([^\s"“”]*[\d._+@-][^\s"“”]*[^\s"“”.,;:!?)])/iu
const words = plainWords(
  'text exactly hash checksum base64 sha256 sha md5 code qr link make please newline end prüfsumme texte texto exactement genau',
)

export function suggestEncodingReadings({ request, files, material }: GoalParts): ReadingCandidate[] {
  if (files.length > 0 || material !== undefined) return []
  if (qr.test(request)) return qrCandidates(request)
  const text = quoted.exec(request)?.[1] ?? named.exec(request.replace(link, ' '))?.[1]
  const wanted = hashes.filter(([, pattern]) => pattern.test(request)).map(([name]) => name)
  if (text === undefined || decodes.test(request)) return []
  const candidate = (sentence: string, skillId: string, besides: readonly string[]): ReadingCandidate => ({
    texts: [sentence],
    ...{ skillId, besides, matchedWords: [...words, ...plainWords(text)] },
  })
  const hashed = wanted.map((name) => `What is the ${name} of “${text}”?`)
  const encoded = base64.test(request) ? `Encode “${text}” as base64` : undefined
  if (wanted.length > 1) return []
  const [hash] = hashed
  if (hash !== undefined && encoded !== undefined) return [candidate(`${hash} ${encoded}`, 'text.transform', ['format.encode'])]
  if (hash !== undefined) return [candidate(hash, 'text.transform', [])]
  return encoded === undefined ? [] : [candidate(encoded, 'format.encode', [])]
}

function qrCandidates(request: string): ReadingCandidate[] {
  const text = link.exec(request)?.[0] ?? quoted.exec(request)?.[1]
  return text === undefined
    ? []
    : [{ texts: [`Make a QR code of ${text}`], skillId: 'image.qr', matchedWords: [...words, ...plainWords(text)] }]
}
