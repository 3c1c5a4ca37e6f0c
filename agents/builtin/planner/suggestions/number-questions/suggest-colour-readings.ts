/** Candidates that write a colour in another notation. */

import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

const hex = /#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z])/giu
const components = /(?<![\d.,])(\d{1,3})\s?[,/; ]\s?(\d{1,3})\s?[,/; ]\s?(\d{1,3})(?![\d.,])/u
const asksForRgb =
  /\brgb\b|red.{0,20}green.{0,20}blue|rot.{0,20}grun.{0,20}blau|rouge.{0,20}vert.{0,20}bleu|rojo.{0,20}verde.{0,20}azul|红.{0,6}绿.{0,6}蓝/u
const asksForHex = /\bhex\p{L}*|html|css|#|hexadezimal\p{L}*|hexadecimal\p{L}*|十六进制/u
const asksForHsl = /\bhsl\b/u
const words = plainWords(
  'colour color code rgb hex red green blue numbers three website farbe farbcode rot grün blau zahlen couleur code rouge vert bleu chiffres trois site color código rojo verde azul números 颜色 红 绿 蓝',
)
const maxColours = 10
const maxComponent = 255

export function suggestColourReadings({ request }: GoalParts): ReadingCandidate[] {
  const plain = foldCaseAndAccents(request)
  const colours = [...new Set(request.match(hex) ?? [])]
  const target = asksForHsl.test(plain) ? 'HSL' : asksForRgb.test(plain) ? 'RGB' : undefined
  if (colours.length > 0 && colours.length <= maxColours && target !== undefined)
    return [candidateOf(`Convert ${joined(colours)} to ${target}`, colours)]
  const values = components.exec(plain)?.slice(1) ?? []
  const isColour = values.length === 3 && values.every((value) => Number(value) <= maxComponent)
  if (colours.length > 0 || !isColour || !asksForRgb.test(plain) || !asksForHex.test(plain)) return []
  return [candidateOf(`Convert rgb(${values.join(', ')}) to hex`, values)]
}

const candidateOf = (sentence: string, wording: readonly string[]): ReadingCandidate => ({
  texts: [sentence],
  ...{ skillId: 'format.colour', matchedWords: [...words, ...wording.flatMap(plainWords)] },
})

const joined = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
