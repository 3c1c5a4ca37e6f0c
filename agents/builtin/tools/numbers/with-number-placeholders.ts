/** A goal with a placeholder for each number, so that patterns over words and roles stay short. */
import type { AmountToken, NumberToken } from './read-amount-tokens.ts'

/** `#0` is the first number, `%1` the second if it is a percentage. What is read is replaced by a marker such as `|tax|`. */
export type NumberedText = { readonly text: string; readonly numbers: readonly NumberToken[] }

export function withNumberPlaceholders(tokens: readonly AmountToken[]): NumberedText {
  const numbers: NumberToken[] = []
  const words = tokens.map((token) => {
    if (token.kind === 'word') return token.word
    if (token.kind === 'mark') return token.mark
    numbers.push(token)
    return `${token.isPercent ? '%' : '#'}${numbers.length - 1}`
  })
  return { text: ` ${words.join(' ')} `, numbers }
}

/** A text from which patterns take what they can read. */
export class ReadableText {
  text: string
  readonly numbers: readonly NumberToken[]

  constructor({ text, numbers }: NumberedText) {
    this.text = text
    this.numbers = numbers
  }

  /** Replaces each match of a global pattern by the marker that `read` returns. Undefined: the match is none, and the search continues inside it. */
  take(pattern: RegExp, read: (parts: readonly string[], numbers: readonly NumberToken[]) => string | undefined): void {
    const finder = new RegExp(pattern)
    let [written, end] = ['', 0]
    for (let match = finder.exec(this.text); match; match = finder.exec(this.text)) {
      const numbers = (match[0].match(/[#%]\d+/g) ?? []).flatMap((mark) => this.at(mark) ?? [])
      const marker = read(
        match.slice(1).map((part) => part ?? ''),
        numbers,
      )
      if (marker === undefined) finder.lastIndex = match.index + 1
      else {
        written += `${this.text.slice(end, match.index)} ${marker} `
        end = match.index + match[0].length
        // The next match may begin with the space that ends this one.
        finder.lastIndex = Math.max(end, match.index + 1)
      }
    }
    this.text = `${written}${this.text.slice(end)}`.replace(/ +/g, ' ')
  }

  /** The number of a placeholder such as `#2`. */
  at(mark: string): NumberToken | undefined {
    return mark === '' ? undefined : this.numbers[Number(mark.slice(1))]
  }
}
