/** Words, sentences and paragraphs by the rules of Unicode. */

const words = new Intl.Segmenter('en', { granularity: 'word' })
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
/** The segmenter is given pieces of this length, so that a huge line takes linear time and memory. */
const pieceLength = 20_000

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength >= text.length ? text.length : breakBefore(text, at + pieceLength, at)
    yield text.slice(at, end)
    at = end
  }
}

/** The place after the last white space before `end`, if the piece has one. */
function breakBefore(text: string, end: number, start: number): number {
  for (let at = end; at > start + pieceLength / 2; at--) if (/\s/.test(text[at - 1] ?? '')) return at
  return end
}

export function listWords(text: string): string[] {
  const found: string[] = []
  for (const piece of piecesOf(text)) for (const one of words.segment(piece)) if (one.isWordLike) found.push(one.segment)
  return found
}

/** An abbreviation before a capital letter ends no sentence. */
const abbreviation =
  /(?:\b(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|ms|dr|prof|st|inc|ltd|co|corp|jr|sr|fig|vol|dept|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.|\b[A-Z]\.)\s*$/i

/** A day as German writes it: `am 12. Juli`. A year ends a sentence. */
const ordinal = /\b(?:am|der|dem|den|ab|vom|zum|bis|seit|im|des|datum:|und|oder) \d{1,2}\.\s*$/i

export function listSentences(text: string): string[] {
  const found: string[] = []
  for (const paragraph of listParagraphs(text))
    for (const piece of piecesOf(paragraph)) {
      let open = ''
      for (const { segment } of sentences.segment(piece.replace(/(?<!\s)\s*\n\s*/g, ' '))) {
        open += segment
        if (abbreviation.test(open) || ordinal.test(open)) continue
        found.push(open.trim())
        open = ''
      }
      if (open.trim() !== '') found.push(open.trim())
    }
  return found.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Blocks between blank lines. */
export const listParagraphs = (text: string): string[] =>
  text
    .split(/\n[^\S\n]*\n\s*/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
