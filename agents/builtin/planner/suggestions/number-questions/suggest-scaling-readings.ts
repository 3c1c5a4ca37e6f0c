/** Candidates that scale the amounts of a recipe to another number of persons. */

import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { normalizeArithmeticText, numbersOf } from './normalize-arithmetic-text.ts'

const eaters =
  'people|persons?|servings?|portions?|guests?|of us|leute|personen|portionen|gaste|gasten|mann|personnes|parts?|convives|couverts|personas|raciones|porciones|comensales|人|人份|个人'
const counted = new RegExp(`(?<![\\d.,])(\\d{1,3})\\s?(?:${eaters})(?!\\p{L})`, 'giu')
const alone =
  /(?:we are|we're|were|there are|there'll be|wir sind|sind wir|on est|on sera|nous sommes|nous serons|somos|seremos|我们有|一共)\s+(\d{1,3})(?!\d|[.,]\d)/giu
const recipe = /recipe|rezept|recette|receta|ingredients|zutaten|ingredientes|菜谱|食谱|配方/iu
const amount = String.raw`(?<![\d.,])\d+(?:\.\d+)?(?:/\d+)?`
const item = new RegExp(`${amount}\\s?(?:(?!${eaters})[\\p{L}][\\p{L}.'’-]*\\s?){1,5}`, 'giu')
const words = plainWords(
  'recipe scale people need for how much rezept leute personen hochrechnen rechne umrechnen brauche recette personnes combien pour receta personas cuánto para somos 菜谱 人 多少 teelöffel teaspoon',
)
const spoons: readonly (readonly [RegExp, string])[] = [
  [/\b(?:teeloffel|tl|cuilleres? a cafe|cucharaditas?)\b/giu, 'tsp'],
  [/\b(?:essloffel|el|cuilleres? a soupe|cucharadas?)\b/giu, 'tbsp'],
  [/\b(?:liter|litros?|litres?)\b/giu, 'l'],
]

export function suggestScalingReadings(goal: GoalParts): ReadingCandidate[] {
  const text = normalizeArithmeticText(goal)
  const plain = foldCaseAndAccents(text)
  if (!recipe.test(plain)) return []
  const counts = [
    ...new Set(
      [...plain.matchAll(counted), ...plain.matchAll(alone)].toSorted((a, b) => a.index - b.index).map(([, value]) => Number(value)),
    ),
  ]
  const [from, to, ...others] = counts
  if (from === undefined || to === undefined || others.length > 0 || from === 0 || to === 0) return []
  const all = itemsOf(goal.material === undefined ? text : normalizeArithmeticText({ request: goal.material, language: goal.language }))
  const items = all.filter((one) => !new RegExp(`^${to}\\s`).test(one))
  if (items.length < 2) return []
  return [
    {
      texts: [`Scale from ${from} to ${to} servings\n${items.map((one) => `- ${one}`).join('\n')}`],
      ...{ skillId: 'number.scale', matchedWords: [...words, ...numbersOf(goal.request), ...items.flatMap(plainWords)] },
    },
  ]
}

const joints = /(?<!\s)\s+(?:and|und|et|y|oder|or|ou|o)\s*$/iu

/** Amounts with their names: `750 g Mehl`. */
function itemsOf(text: string): string[] {
  const clauses = text.split(/[,;\n]|\.(?!\d)|[:：?!]|\s(?:and|und|et|y)\s/u)
  return clauses.flatMap((clause) => {
    const [found] = clause.matchAll(item)
    const wording = found?.[0].replace(joints, '').trim()
    if (wording === undefined || new RegExp(`^${amount}\\s?(?:${eaters})(?!\\p{L})`, 'iu').test(foldCaseAndAccents(wording))) return []
    return [
      spoons.reduce(
        (written, [pattern, unit]) => (pattern.test(foldCaseAndAccents(written)) ? replacePlain(written, pattern, unit) : written),
        wording,
      ),
    ]
  })
}

/** Replaces a word that is found without accents. */
const replacePlain = (text: string, pattern: RegExp, unit: string): string =>
  text
    .split(' ')
    .map((word) => (new RegExp(`^(?:${pattern.source})$`, 'iu').test(foldCaseAndAccents(word)) ? unit : word))
    .join(' ')
