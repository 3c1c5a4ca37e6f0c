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

  it('writes notices in the language, with the reading in short', () => {
    for (const [language, notices] of Object.entries(languageNotices)) {
      expect(notices.planned).toContain('{reading}')
      expect(noticeOf(language as 'de', 'planned', 'x'.repeat(300))).toContain(`${'x'.repeat(200)}…`)
    }
  })
})
