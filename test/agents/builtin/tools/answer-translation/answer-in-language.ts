// Runs the tool that reads a goal, with and without a language.
import type { SkillResponse } from '../../../../../agents/builtin/skill.ts'
import type { AnswerLanguage, InEachLanguage } from '../../../../../agents/builtin/tools/answer-translation/answer-languages.ts'
import { builtinTools } from '../../../../../agents/builtin/tools/index.ts'
import type { Tool } from '../../../../../agents/builtin/tools/tool.ts'
import { toolGoal } from '../numbers/ask-tool.ts'

/** `file`: the name of a table. */
export type ExpectedAnswer = InEachLanguage & {
  readonly skill: string
  readonly text: string
  readonly file?: 'orders' | 'sales' | 'months'
}

export type TextFile = { readonly name: string; readonly text: string }

export const toolOf = (skill: string): Tool => {
  const tool = builtinTools.find((one) => one.skill.id === skill)
  if (!tool) throw new Error(`No tool has the skill ${skill}.`)
  return tool
}

const typeOf = (name: string): string =>
  name.endsWith('.json') ? 'table.json' : /\.(?:csv|tsv)$/.test(name) ? 'table.csv' : 'document.text'

type Ask = { readonly skill: string; readonly text: string; readonly files?: readonly TextFile[] }

/** The query of the tool's own reading of an English goal; undefined if the tool does not take it. */
function queryOf({ skill, text, files = [] }: Ask) {
  const goal = toolGoal(text)
  const known = files.map((file) => ({ name: file.name, type: typeOf(file.name), head: file.text, isWhole: true }))
  const reading = toolOf(skill).readGoal({ ...goal, files: known })
  return reading && 'query' in reading ? reading.query : undefined
}

/** The tool's answer; in English without a language. Undefined if the tool does not take the goal. */
export async function answerInLanguage(ask: Ask, language?: AnswerLanguage): Promise<SkillResponse | undefined> {
  const tool = toolOf(ask.skill)
  const query = queryOf(ask)
  if (!query) return undefined
  const inputs = [
    {
      port: 'query',
      type: tool.skill.inputs[0]?.type ?? '',
      data: language === undefined ? query : { ...query, answer_language: language },
    },
    ...(ask.files ?? []).map(({ name, text }) => ({ port: 'table', type: typeOf(name), text, name })),
  ]
  return tool.run({ inputs } as never)
}
