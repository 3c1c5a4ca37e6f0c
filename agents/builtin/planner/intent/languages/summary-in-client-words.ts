/** Summaries that repeat a request repeat the words of the client, not their translation. */

/** A summary of which a part is the request. What follows may name the file. */
const repeating =
  /^(I (?:calculate(?: prices:| by a formula:)?|convert units:|compute with dates:|compute interest:|draw a (?:bar|line|pie) chart of)) (.+?)((?: from “[^”]+”)?\.(?: (?:Read as background only|Without) .*)?)$/s
const maxShown = 160

/** The first line of the request. */
const requestOf = (text: string): string => {
  const [line = ''] = text.trim().split(/\n/)
  const plain = line.replace(/\s+/g, ' ').replace(/(?<![.?!？。！\s])[.?!？。！]+$/, '')
  return plain.length > maxShown ? `${plain.slice(0, maxShown).trimEnd()}…` : plain
}

/** The English summary with the client's own words in quotation marks. A formula without words stays. */
export function summaryInClientWords(summary: string, clientText: string): string {
  const [, start, repeated = '', end] = repeating.exec(summary) ?? []
  const own = requestOf(clientText).replace(/[“”]/g, '"')
  return start === undefined || !/\p{L}{2}/u.test(repeated) || own === '' ? summary : `${start} “${own}”${end}`
}
