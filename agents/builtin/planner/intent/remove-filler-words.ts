/** Leaves out polite and filling words, which are neither data nor a question. */
const nouns = 'homework|assignment|class|teacher|boss|thesis|exam|presentation|studies|schoolwork|coursework'
const things = 'list|file|table|data|csv|spreadsheet|sheet|document|text|json|export|log'

/** Before a word of this kind, “please” is what is searched, counted or replaced. */
const namesWord =
  '(?<!\\b(?:word|words|term|phrase|string|text|with|by|of|is|containing|contains|contain|replace|remove|called|named|says|write|and|or|the|a)\\s)'

/** A sentence that only announces a file. */
const announcesFile = new RegExp(
  `(?<=^|[.?!\\n]\\s*)(?:(?:the|my|our|this) (?:${things}) (?:is|are) (?:attached|below|enclosed|in the attachment)|(?:i|i've|i have|we|we've|we have) (?:also )?attached (?:the|my|our|a|it)(?: (?:${things}))?|(?:please )?(?:see|find) (?:the )?(?:attached (?:${things})|attachment|attached)|(?:${things}) (?:is )?attached|attached is (?:the|my|our) (?:${things})|see below)(?:[.!]|$)`,
  'gim',
)

/** In a line, with the comma before it. */
const fillers: readonly RegExp[] = [
  new RegExp(`,?\\s*${namesWord}\\b(?:please|pls|plz)\\b(?!['’-])[,!]?`, 'gi'),
  /[,.!]?\s*\b(?:many thanks|thanks (?:a lot|so much|in advance)|thank you (?:very much|so much|in advance)|thanks|thank you|thx|cheers)\b(?:\s*[.!]|(?=\s*$))/gim,
  /,?\s*\b(?:asap|as soon as possible|right away|if possible|if you can|when you can|urgently)\b[,!]?/gi,
  /,?\s*\bquickly\b(?=[,.!?:]|$)|(?<=^|[.?!]\s)quickly,?\s+/gim,
]
const purpose = new RegExp(`,?\\s*\\b(?:for|as) (?:my|our|the|a|an) (?:\\p{L}+ )?(${nouns})\\b(?=\\s*(?:[,.!?:]|$))`, 'giu')

/** Material starts below an empty line, after a colon, or with a quotation mark. */
function startOfMaterial(text: string): number {
  const starts = [/\n/, /[:：](?=\s)/, /["“„«`]/].map((mark) => text.search(mark)).filter((at) => at >= 0)
  return starts.length === 0 ? text.length : Math.min(...starts)
}

const maxLength = 4_000

/**
 * The request without such words. Material and quotations keep theirs.
 *
 * @param known the beginnings of the attached files: “for my class” is a condition where a cell is “class”
 */
export function removeFillerWords(text: string, known: string): string {
  if (text.length > maxLength) return text
  const at = startOfMaterial(text)
  const [request, material] = [text.slice(0, at), text.slice(at)]
  const table = `${known}\n${material}`.toLowerCase()
  let plain = request
  for (const filler of fillers) plain = plain.replace(filler, ' ')
  plain = plain.replace(purpose, (whole, noun: string) => (table.includes(noun.toLowerCase()) ? whole : ' '))
  if (known !== '') plain = plain.replace(announcesFile, ' ')
  // A request of polite words only stays as it is.
  if (plain === request || !/\p{L}{2}/u.test(plain)) return text
  const tidied = plain
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ (?=[,.?!])/g, '')
    .trim()
  return `${tidied}${material}`
}
