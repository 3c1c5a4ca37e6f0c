import { describe, expect, it } from 'vitest'
import { answerLanguages } from '../../../../../agents/builtin/tools/answer-translation/answer-languages.ts'
import {
  type AnswerContext,
  readTemplates,
  translateSentence,
  translateSentences,
} from '../../../../../agents/builtin/tools/answer-translation/sentence-template.ts'
import { slotKinds } from '../../../../../agents/builtin/tools/answer-translation/slot-kinds.ts'
import { tableFragments } from '../../../../../agents/builtin/tools/answer-translation/table-fragments.ts'
import { answerTemplates } from '../../../../../agents/builtin/tools/answer-translation/translate-answer.ts'
import { unitNotes } from '../../../../../agents/builtin/tools/answer-translation/unit-notes.ts'

const context = (language: AnswerContext['language'], file = ''): AnswerContext => ({
  language,
  isInFile: (words) => file.includes(words),
  shownTables: 'none',
  kinds: slotKinds,
  attempts: { left: 1_000 },
})

const templates = readTemplates(`
en: {n:number} tests[ of {t:text}] pass.
de: {n} Prüfungen[ von {t}] bestehen.
fr: {n} tests[ de « {t} »] réussissent.
es: Pasan {n} pruebas[ de {t}].
zh: [{t} 的] {n} 个测试通过。

en: Done!
de: Fertig!
fr: Fini !
es: ¡Hecho!
zh: 完成！
`)

describe('sentence templates', () => {
  it('put captures where the sentence of the language has them', () => {
    expect(translateSentence('1,200 tests of the hub pass.', templates, context('de'))).toBe('1.200 Prüfungen von the hub bestehen.')
    expect(translateSentence('3 tests pass.', templates, context('de'))).toBe('3 Prüfungen bestehen.')
    expect(translateSentence('1,200 tests of the hub pass.', templates, context('fr'))).toBe(
      '1\u00A0200 tests de «\u00A0the hub\u00A0» réussissent.',
    )
    expect(translateSentence('1,200 tests of the hub pass.', templates, context('es'))).toBe('Pasan 1.200 pruebas de the hub.')
    expect(translateSentence('1,200 tests of the hub pass.', templates, context('zh'))).toBe('the hub 的 1,200 个测试通过。')
  })

  it('translate a text of sentences, or none of it', () => {
    expect(translateSentences('3 tests of v1. x pass. Done!', templates, context('de'))).toBe('3 Prüfungen von v1. x bestehen. Fertig!')
    expect(translateSentences('Done! 3 tests pass.', templates, context('zh'))).toBe('完成！ 3 个测试通过。')
    for (const text of ['3 tests pass. And more.', 'Done', '3 tests pass', 'x 3 tests pass.'])
      expect(translateSentences(text, templates, context('de'))).toBeUndefined()
  })

  it('refuse a template without one of the languages', () => {
    expect(() => readTemplates('en: A.\nde: B.\nfr: C.\nes: D.')).toThrow(/has no zh/)
  })

  it('have slots of known kinds, and the same slots in all languages', () => {
    for (const { parts, forms } of [...Object.values(answerTemplates).flat(), ...Object.values(tableFragments).flat(), ...unitNotes]) {
      const slots = parts.flatMap((part) => (typeof part === 'object' ? [part] : []))
      for (const { kind } of slots) expect(Object.keys(slotKinds)).toContain(kind)
      // What a count of rows is a count of is said by the rows.
      const names = slots.filter(({ kind }) => kind !== 'noun').map(({ name }) => name)
      for (const language of answerLanguages)
        expect([...new Set([...forms[language].matchAll(/\{\^?(\w+)\}/g)].map((match) => match[1]))].sort(), forms[language]).toEqual(
          names.sort(),
        )
    }
  })

  it('give up on a text that needs too many attempts', () => {
    const small = { ...context('de'), attempts: { left: 3 } }
    expect(translateSentence(`1 tests of ${'x pass. '.repeat(50)}`, templates, small)).toBeUndefined()
  })
})
