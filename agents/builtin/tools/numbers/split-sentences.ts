/** Splits a text into its sentences. */

const abbreviation =
  /(?:\b(?:approx|incl|excl|e\.g|i\.e|etc|vs|no|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mr|ms|mrs|dr|st|p\.m|a\.m)|\b\d{1,2}\.\d{1,2}|^\d{1,2})$/i

/** The sentences of a text. A point ends one if a space and no small letter follow, but not after an abbreviation. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? ''
    if (!'.?!\n;'.includes(mark)) continue
    const next = text[at + 1] ?? ' '
    const isEnd =
      mark === '\n' ||
      mark === ';' ||
      (mark !== '.' ? /[\s"”')]/.test(next) : /\s/.test(next) && !abbreviation.test(text.slice(Math.max(start, at - 12), at)))
    if (!isEnd) continue
    sentences.push(text.slice(start, at + 1))
    start = at + 1
  }
  sentences.push(text.slice(start))
  return sentences.map((sentence) => withoutEnd(sentence).trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Without spaces and points at the end. A pattern would try again at each of many spaces inside. */
function withoutEnd(sentence: string): string {
  let end = sentence.length
  while (end > 0 && /[\s.;]/.test(sentence[end - 1] ?? '')) end--
  return sentence.slice(0, end)
}
