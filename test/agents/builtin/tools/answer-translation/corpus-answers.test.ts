import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { translateGoalToEnglish } from '../../../../../agents/builtin/planner/intent/languages/translate-goal-to-english.ts'
import { parseGoal } from '../../../../../agents/builtin/planner/intent/parse-goal.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import type { SkillResponse } from '../../../../../agents/builtin/skill.ts'
import { type AnswerLanguage, answerLanguages } from '../../../../../agents/builtin/tools/answer-translation/answer-languages.ts'
import { answerTemplates } from '../../../../../agents/builtin/tools/answer-translation/translate-answer.ts'
import { untranslatedAnswerNotices } from '../../../../../agents/builtin/tools/answer-translation/untranslated-answer-notices.ts'
import { builtinTools } from '../../../../../agents/builtin/tools/index.ts'
import { goalCorpus } from '../../../../../bench/goal-outcomes/corpus/index.ts'
import { builtinMarket } from '../../market.ts'
import { answerInLanguage } from './answer-in-language.ts'
import { answerTables, expectedAnswers } from './expected-answers.ts'

const offers = toSkillOffers(builtinMarket())
const typeOf = (name: string) => (name.endsWith('.csv') ? 'table.csv' : name.endsWith('.json') ? 'table.json' : 'document.text')

type Answers = { readonly skill: string; readonly text: string; readonly english: SkillResponse } & {
  readonly [language in AnswerLanguage]: SkillResponse
}

/** What the planner would have a tool do; undefined if another skill does it. */
async function answersOf(
  text: string,
  files: readonly { readonly name: string; readonly content: string }[],
): Promise<Answers | undefined> {
  const known = files.map((file) => ({ ...file, sha256: createHash('sha256').update(file.name).digest('hex') }))
  const attachments = known.map(({ name, sha256 }) => ({ name, sha256, media_type: '', artifact_type: typeOf(name), size: 1 }))
  const heads = Object.fromEntries(known.map(({ sha256, content }) => [sha256, { text: content, isWhole: true }]))
  const read = translateGoalToEnglish({ text, answers: [], criteria: [], attachments, heads })
  const parsed = 'goal' in read ? parseGoal(read.goal, offers) : undefined
  const givens = parsed && 'intent' in parsed ? parsed.intent.givens : []
  const tool = builtinTools.find(({ skill }) => answerTemplates[skill.id] && givens.some(({ type }) => type === skill.inputs[0]?.type))
  const data = givens.find(({ type }) => type === tool?.skill.inputs[0]?.type)?.data
  if (!tool || !data) return undefined
  const run = async (language: AnswerLanguage | undefined) => {
    const query = { port: 'query', type: tool.skill.inputs[0]?.type ?? '', data: { ...data, answer_language: language ?? null } }
    return tool.run({ inputs: [query, ...files.map(({ name, content }) => ({ port: 'file', type: typeOf(name), text: content }))] })
  }
  const [english, de, fr, es, zh] = await Promise.all([undefined, ...answerLanguages].map(run))
  return { skill: tool.skill.id, text, english, de, fr, es, zh } as Answers
}

const months = [
  'January|Januar|janvier|enero',
  'February|Februar|février|febrero',
  'March|März|mars|marzo',
  'April|avril|abril',
  'May|Mai|mai|mayo',
  'June|Juni|juin|junio',
  'July|Juli|juillet|julio',
  'August|août|agosto',
  'September|septembre|septiembre',
  'October|Oktober|octobre|octubre',
  'November|novembre|noviembre',
  'December|Dezember|décembre|diciembre',
]

/** The digits of all numbers of a text in order of size, with months as numbers. */
function numbersOf(text: string): string[] {
  const plain = months.reduce(
    (before, names, index) => before.replace(new RegExp(`(?<!\\p{L})(?:${names})(?!\\p{L})`, 'gu'), ` ${index + 1} `),
    text,
  )
  const counted = /^Found /.test(plain) ? plain.replace(/(?<=Found |, | and )no (?=[a-zI])/g, '0 ') : plain
  return (counted.match(/\d+(?:[.,\u00A0]\d+)*/g) ?? []).map((number) => String(Number(number.replace(/\D/g, '').slice(0, 15)))).sort()
}

describe('answers to the goals of the corpus', () => {
  it('fit templates nearly always, and hold exactly the same numbers', async () => {
    const all = await Promise.all(
      goalCorpus.filter(({ expected }) => expected === 'delivered').map(({ text, files }) => answersOf(text, files)),
    )
    const answers = all.filter((one) => one !== undefined)
    expect(answers.length).toBeGreaterThan(100)
    const missed: string[] = []
    for (const answer of answers)
      for (const language of answerLanguages) {
        const { text } = answer[language]
        if (text.startsWith(untranslatedAnswerNotices.english[language]) || text.includes(untranslatedAnswerNotices.remark[language]))
          missed.push(`${language} ${answer.skill}: ${answer.english.text}`)
        else expect(numbersOf(text), `${language} ${answer.text}`).toEqual(numbersOf(answer.english.text))
      }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(answers.length * answerLanguages.length * 0.2)
    for (const skill of Object.keys(answerTemplates)) {
      const own = answers.filter((one) => one.skill === skill).length * answerLanguages.length
      expect(missed.filter((one) => one.includes(` ${skill}: `)).length, missed.join('\n')).toBeLessThanOrEqual(own * 0.2)
    }
  })

  it.each(expectedAnswers)('hold the same numbers: $skill, $text', async ({ skill, text, file }) => {
    const files = file ? [answerTables[file]] : []
    const english = await answerInLanguage({ skill, text, files })
    for (const language of answerLanguages)
      expect(numbersOf((await answerInLanguage({ skill, text, files }, language))?.text ?? '')).toEqual(numbersOf(english?.text ?? ''))
  })
})
