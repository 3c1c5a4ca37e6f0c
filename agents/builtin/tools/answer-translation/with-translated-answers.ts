/** Wraps a tool so that its answers are translated to the language of the goal. */
import { SkillRefused, type SkillRequest } from '../../skill.ts'
import type { Tool, ToolSkill } from '../tool.ts'
import { answerLanguages, isAnswerLanguage } from './answer-languages.ts'
import { answerTemplates, translateAnswer } from './translate-answer.ts'
import { untranslatedAnswerNotices } from './untranslated-answer-notices.ts'

/** The tool with an optional `answer_language` in its query, if there are templates for its answers. Others stay as they are. */
export function withTranslatedAnswers(tool: Tool): Tool {
  if (answerTemplates[tool.skill.id] === undefined) return tool
  return { ...tool, skill: withLanguage(tool.skill), run: (work) => answer(tool, work), answersInLanguages: true }
}

async function answer(tool: Tool, work: SkillRequest) {
  const language = work.inputs.find(({ type }) => type === tool.skill.inputs[0]?.type)?.data?.answer_language
  if (!isAnswerLanguage(language)) return tool.run(work)
  try {
    return translateAnswer(tool.skill.id, language, work, await tool.run(work))
  } catch (error) {
    throw error instanceof SkillRefused ? new SkillRefused(`${untranslatedAnswerNotices.refused[language]} ${error.message}`) : error
  }
}

function withLanguage(skill: ToolSkill): ToolSkill {
  const [query, ...files] = skill.inputs
  if (!query) return skill
  const schema = (query.schema ?? { type: 'object' }) as { readonly properties?: object }
  const language = { enum: [...answerLanguages], description: 'Of the answer; English, if left out.' }
  return {
    ...skill,
    inputs: [{ ...query, schema: { ...schema, properties: { ...schema.properties, answer_language: language } } as never }, ...files],
  }
}
