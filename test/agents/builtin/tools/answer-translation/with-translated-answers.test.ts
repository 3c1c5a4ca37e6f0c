import { describe, expect, it } from 'vitest'
import { answerTemplates } from '../../../../../agents/builtin/tools/answer-translation/translate-answer.ts'
import { builtinTools } from '../../../../../agents/builtin/tools/index.ts'
import { answerInLanguage } from './answer-in-language.ts'

/** It writes its answers in all languages without templates. */
const writesLanguages = new Set(['number.formulas'])

describe('withTranslatedAnswers', () => {
  it('adds an optional language to the queries of the tools with templates, and to no other', () => {
    expect(Object.keys(answerTemplates).every((skill) => builtinTools.some((tool) => tool.skill.id === skill))).toBe(true)
    for (const { skill, answersInLanguages } of builtinTools) {
      const schema = skill.inputs[0]?.schema as { readonly properties?: object; readonly required?: readonly string[] } | undefined
      const isTranslated = answerTemplates[skill.id] !== undefined || writesLanguages.has(skill.id)
      expect('answer_language' in (schema?.properties ?? {}), skill.id).toBe(isTranslated)
      expect(answersInLanguages === true).toBe(isTranslated)
      expect(schema?.required ?? []).not.toContain('answer_language')
    }
  })

  it('leaves an answer without a language as it is', async () => {
    expect((await answerInLanguage({ skill: 'number.units', text: 'Convert 10 miles to km' }))?.text).toBe(
      '10 mi = 16.09344 km (1 mi = 1.609344 km).',
    )
  })
})
