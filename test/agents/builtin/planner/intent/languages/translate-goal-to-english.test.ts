import { describe, expect, it } from 'vitest'
import { languageNotices } from '../../../../../../agents/builtin/planner/intent/languages/language-notices.ts'
import { noticeOf, translateGoalToEnglish } from '../../../../../../agents/builtin/planner/intent/languages/translate-goal-to-english.ts'

const read = (text: string, more: object = {}) =>
  translateGoalToEnglish({ text, criteria: [], answers: [], attachments: [], ...more } as never)

describe('translateGoalToEnglish', () => {
  it('leaves English as it is, with foreign material', () => {
    for (const text of ['Summarise: Der schnelle braune Fuchs springt über den Hund', 'Translate “Der schnelle Fuchs” into English', 'hi'])
      expect(read(text)).toMatchObject({ language: 'en', goal: { text } })
  })

  it('translates the text and the answers', () => {
    expect(read('Rechne 5 Meilen in Kilometer um', { answers: ['Ja, in Meter bitte'] })).toMatchObject({
      language: 'de',
      reading: 'convert 5 miles to kilometres',
      unknown: [],
      goal: { text: 'convert 5 miles to kilometres', answers: ['Ja, in metres'] },
    })
  })

  it('recognizes short requests by the phrases that cover them', () => {
    expect(read('Ordena alfabéticamente esta lista: pera, manzana, uva')).toMatchObject({ language: 'es' })
  })

  it('knows symbols of units and formulas, which all languages share', () => {
    expect(read('12 Zoll in cm')).toMatchObject({ language: 'de', reading: '12 inches in cm' })
    for (const text of ['12 mm', '2^64', '3 + 4', '12.5 * 84']) expect(read(text)).toMatchObject({ language: 'en', goal: { text } })
  })

  it('keeps the headings of attached tables', () => {
    const heads = { h: { text: 'Kunde;Betrag\nMeier;3,50\n', isWhole: true } }
    const attachments = [{ name: 'umsatz.csv', sha256: 'h', media_type: 'text/csv', artifact_type: '', size: 24 }]
    expect(read('Summe der Beträge je Kunde', { heads, attachments })).toMatchObject({ reading: 'sum of Betrag per Kunde' })
  })

  it('refuses other languages with their name', () => {
    expect(read('Vorrei conoscere il fatturato annuo di Microsoft dal 2014 al 2020')).toMatchObject({
      reason: expect.stringMatching(/^The goal is in Italian\./),
    })
  })

  it('has a notice of each kind in each language', () => {
    for (const [language, notices] of Object.entries(languageNotices))
      for (const kind of Object.keys(notices) as (keyof typeof notices)[]) expect(noticeOf(language as 'de', kind)).not.toBe('')
  })

  it('keeps the language of what was written first, where an English reading was chosen', () => {
    const text = 'What is the mean of 12, 15, 18?'
    expect(read(text, { originalText: 'Calcule la moyenne de 12, 15 et 18' })).toMatchObject({
      language: 'fr',
      goal: { text, language: 'fr' },
    })
    expect(read(text, { originalText: '计算 12, 15, 18 的平均值' })).toMatchObject({ language: 'zh' })
    expect(read(text, { originalText: 'the average of 12, 15, 18 would be great' })).toMatchObject({ language: 'en', goal: { text } })
    expect(read('Rechne 5 Meilen in Kilometer um', { originalText: 'cinco millas en kilómetros' })).toMatchObject({ language: 'de' })
  })
})
