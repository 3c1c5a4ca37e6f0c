import { stemWord } from '../../stem-word.ts'
import { withoutQuotations } from '../intent/find-quotations.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import { stemsOf } from '../intent/rank-offers.ts'
import { removeFillerWords } from '../intent/remove-filler-words.ts'
import type { Plan } from '../plan/plan.ts'

const maxWords = 8

/** Words that ask without naming what is asked for. */
const filler = stemsOf(
  'know generate produce prepare provide include contain list name state tell help find let see here there when then also just only very really much many more most other than about over between and both each every any what which who how why where please thanks thank you hello want wish looking look using use based given attached file files following thing things way good nice best great simple short kindly if so but not no yes was were has had will shall may might must been being them they their one two three new',
)

/** Words for what the built-in steps make, beside the words of their listings. */
const synonyms = stemsOf(
  'chart charts graph plot diagram figure figures picture image visualise visualize trend trends analysis analyse analyze growth report reports write writing memo briefing summary table tables revenue revenues sales turnover income profit profits earnings annual yearly year years company companies data numbers number compare comparison format document',
)

/** Meaningful words of the goal that no step of the plan uses, as written, in order, at most eight. */
export function listUnusedGoalWords(goal: GoalInput, plan: Plan): string[] {
  const used = new Set([...filler, ...usedStems(plan)])
  const found = new Map<string, string>()
  for (const word of removeFillerWords(withoutQuotations(goal.text), '')
    .replace(/https?:\/\/\S+/g, ' ')
    .match(/[\p{L}][\p{L}\d'’-]*/gu) ?? []) {
    const stem = stemWord(word.replace(/['’]s$/, ''))
    if (word.length < 3 || stemsOf(word).size === 0 || used.has(stem) || found.has(stem)) continue
    found.set(stem, word)
  }
  return [...found.values()].slice(0, maxWords)
}

function usedStems(plan: Plan): Set<string> {
  const texts = plan.steps.flatMap(({ offer: { skill, handle }, inputs }) => [
    handle.replaceAll('-', ' '),
    skill.id.replace(/[._]/g, ' '),
    skill.name,
    skill.description,
    ...skill.tags,
    ...skill.outputs.map((port) => port.type.replace(/[._]/g, ' ')),
    ...inputs.map(({ given }) => (given?.data && !('criteria' in given.data) ? JSON.stringify(given.data) : '')),
  ])
  const isOnFigures = plan.steps.some(({ outputs }) => outputs.some((type) => type.startsWith('table.') || type.startsWith('analysis.')))
  return new Set([...stemsOf(texts.join(' ')), ...(isOnFigures ? synonyms : [])])
}
