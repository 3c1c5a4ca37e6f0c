/** Checks that a source contains the words of a quotation. */

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟«»]/g, '"')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Shorter quotations prove nothing. */
const minQuote = 3

/** True if the source has the words of the quotation. Spaces, kinds of quotation marks and letter case do not count. */
export const hasQuotation = (source: string, quote: string): boolean =>
  plain(quote).length >= minQuote && plain(source).includes(plain(quote))
