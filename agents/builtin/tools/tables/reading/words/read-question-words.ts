/** The words of a question, and of a heading. */
import { stemWord } from '../../../../stem-word.ts'

export type QuestionWord = {
  readonly text: string
  readonly lower: string
  readonly stem: string
  readonly kind: 'word' | 'number' | 'quoted' | 'mark'
  readonly value: number
}

const wordPattern =
  /["“«`]([^"”»`]{1,200})["”»`]|(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4})|([$€£]?\d+(?:[.,]\d+)*(?:k\b|m\b)?\s?%?)|([\p{L}_][\p{L}\p{N}_]*(?:['’.&/-][\p{L}\p{N}_]+)*)|(>=|<=|!=|[<>=,;:/+*−×·÷()-])/gu

/** `1,200.50` and `1.200,50` as numbers; a comma before three digits groups thousands. */
function numberOfWord(text: string): number {
  const factor = /k$/i.test(text) ? 1_000 : /m$/i.test(text) ? 1_000_000 : 1
  const digits = text.replace(/[^\d.,]/g, '')
  const isGerman = /,\d{1,2}$/.test(digits) && !/\.\d{1,2}$/.test(digits)
  const plain = isGerman ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', '')
  return Number(plain) * factor
}

/** The words, with brackets as marks. */
export function readWordsWithBrackets(question: string): QuestionWord[] {
  const words: QuestionWord[] = []
  for (const [, quoted, date, number, word, mark] of question.matchAll(wordPattern)) {
    const text = quoted ?? date ?? number?.trim() ?? word ?? mark ?? ''
    const kind = quoted !== undefined ? 'quoted' : number !== undefined ? 'number' : mark !== undefined ? 'mark' : 'word'
    const plain = kind === 'word' ? text.replace(/['’]s$/, '') : text
    words.push({
      text: plain,
      lower: plain.toLowerCase(),
      stem: stemWord(plain),
      kind,
      value: kind === 'number' ? numberOfWord(text) : Number.NaN,
    })
  }
  return words
}

export const readQuestionWords = (question: string): QuestionWord[] =>
  readWordsWithBrackets(question).filter(({ kind, text }) => kind !== 'mark' || !'()'.includes(text))

/** The words of a heading: `totalRevenue_EUR (net)` gives total, revenue, eur, net. */
export const wordsOfName = (name: string): string[] =>
  name
    // `kWh` is one word, `unitPrice` are two.
    .replace(/([\p{L}\d][\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%#]+/u)
    .filter((word) => word !== '')
