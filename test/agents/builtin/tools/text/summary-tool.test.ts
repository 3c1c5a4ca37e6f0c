import { describe, expect, it } from 'vitest'
import { askTextTools } from './ask-text-tools.ts'

const minutes = `Protokoll der Sitzung, Verein Sonnenhang e.V.

Das Dach des Vereinsheims ist undicht. Die Reparatur des Daches kostet laut Angebot 7.400 Euro. Die Versammlung beschließt die Reparatur mit 31 Stimmen.
Das Sommerfest findet am 12. Juli 2025 ab 15 Uhr am Vereinsheim statt. Für das Sommerfest werden noch Helfer am Grill gesucht.
Herr Kramer beschwert sich über Laubbläser am Sonntag.
`

describe('text.summary', () => {
  it.each([
    [
      'Can someone boil the minutes down to two or three sentences? And the most important keywords too please. It goes on the notice board.',
      3,
      true,
    ],
    ['summary in 3 sentences plus 5 keywords', 3, true],
    ['I need a short summary of this for our newsletter, 2 sentences max', 2, false],
    ['give me the gist and the main keywords', 2, true],
  ])('reads %s', async (text, sentences, hasKeywords) => {
    const answer = await askTextTools(text, minutes)
    expect(answer).toMatch(/^text\.summary: /)
    const [summary = '', keywords = ''] = answer.replace('text.summary: ', '').split('\nKeywords: ')
    expect(summary.split(/(?<=\D\.) /)).toHaveLength(sentences)
    for (const sentence of summary.split(/(?<=\D\.) /)) expect(minutes).toContain(sentence)
    expect(keywords !== '').toBe(hasKeywords)
    if (hasKeywords) expect(keywords).toMatch(/Reparatur/)
    expect(keywords).not.toMatch(/\b(?:die|der|und|am|Herr|Uhr|Euro)\b/)
  })

  it.each(['summarise it in English', 'summary of the part about the roof', 'summarise only what Kramer said'])(
    'does not take %s',
    async (text) => {
      expect(await askTextTools(text, minutes)).toBe('not taken')
    },
  )
})
