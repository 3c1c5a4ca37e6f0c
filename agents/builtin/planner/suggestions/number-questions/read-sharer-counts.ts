/** Reads among how many people a bill is split. */
import { numberWordsToDigits } from './number-words-to-digits.ts'

const splits =
  /split|shar(?:e|ed|ing)|\beach\b|per (?:person|head)|apiece|every(?:body|one)|geteilt|(?:auf)?teilen|\bjede[rn]?\b|pro (?:kopf|person|nase)|partag|divis|chacun|par (?:tête|personne)|repart|divid|cada un[oa]|por (?:cabeza|persona)|平摊|均摊|分摊|每人|每个人|AA制/iu
const people =
  'of us|of them|people|persons|friends|mates|colleagues|guests|ways|personen|leute|freunden?|kollegen|köpfe|personnes|amie?s|collègues|personas|amig[oa]s|compañer[oa]s'
const counted = [
  new RegExp(`(?<![\\d.,])(\\d{1,3}) (?:\\p{L}+ )?(?:${people})(?!\\p{L})`, 'iu'),
  /(?<![\d.,])(\d{1,3})\s?(?:个|位|名)?\p{Script=Han}{0,2}(?:人|同学|朋友|同事|室友)/u,
  /(?<!\p{L})(?:we (?:are|were)|wir (?:sind|waren)|on (?:est|était)|nous (?:sommes|étions)|somos|éramos|between|among|entre|durch) (\d{1,3})(?![\d.,]*\s?(?:%|€|£|\$|euro))(?!\d)/iu,
]
const inGroups: readonly (readonly [RegExp, number])[] = [
  ['zweit', 2] as const,
  ['dritt', 3] as const,
  ['viert', 4] as const,
  ['fünft', 5] as const,
  ['sechst', 6] as const,
  ['siebt', 7] as const,
  ['acht', 8] as const,
  ['neunt', 9] as const,
  ['zehnt', 10] as const,
].map(([name, count]) => [new RegExp(`(?<!\\p{L})zu ${name}(?!\\p{L})`, 'iu'), count])
/** The client may be one more person. */
const besides =
  /(?<!\p{L})(?:(?:me|i|ich|moi|yo)\s+(?:and|und|et|y)|with|mit|avec|con|我和)\s*(?:my|meinen|mes|mis)?\s*\d{1,3}\s?\p{L}|\d{1,3}\s+(?:\p{L}+\s+){1,2}(?:and|und|et|y)\s+(?:me|i|ich|moi|yo)(?!\p{L})/iu
const maxPeople = 100

/** Numbers of people, the likeliest first. Empty: nothing is split. */
export function readSharerCounts(request: string): number[] {
  const text = numberWordsToDigits(request)
  if (!splits.test(text)) return []
  const group = inGroups.find(([pattern]) => pattern.test(text))?.[1]
  const count = group ?? Number(counted.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined))
  if (!(count > 1) || count > maxPeople) return []
  return besides.test(text) ? [count + 1, count] : [count]
}
