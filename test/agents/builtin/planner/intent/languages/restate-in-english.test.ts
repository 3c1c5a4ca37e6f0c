import { describe, expect, it } from 'vitest'
import { languageOfDateForm, restateInEnglish } from '../../../../../../agents/builtin/planner/intent/languages/restate-in-english.ts'

describe('requests that are restated as a whole', () => {
  it.each([
    ['fr', 'Écris 1 284,50 € en toutes lettres pour un chèque', 'Write 1284.5 euros in words'],
    ['de', 'Schreibe 345 in Worten', 'Write 345 in words'],
    ['es', 'Escribe 1.250 euros en letras', 'Write 1250 euros in words'],
    ['zh', '把1284.50元写成大写', 'Write 1284.5 yuan in words'],
    ['fr', 'Mets ces dates au format JJ/MM/AAAA : 2026-03-05, 2027-01-09', 'Write as DD/MM/YYYY: 2026-03-05, 2027-01-09'],
    ['de', 'Bring diese Daten ins Format TT.MM.JJJJ: 2026-03-05', 'Write as DD.MM.YYYY: 2026-03-05'],
    ['de', 'Wie viele Quadratmeter hat ein Zimmer von 4,2 m x 3,6 m?', 'Area and perimeter of a rectangle: 4.2 m; 3.6 m'],
  ] as const)('%s: %s', (language, text, english) => {
    expect(restateInEnglish(text, language)).toBe(english)
  })

  it.each([
    ['de', 'Schreibe 345 in englischen Worten'],
    ['de', 'Schreibe 345 und 12 in Worten'],
    ['fr', 'Écris 12,5 en toutes lettres'],
    ['fr', 'Écris 12 $ en toutes lettres'],
    ['es', 'Resume este texto en 50 palabras sin adornos, por favor'],
    ['fr', 'Mets ces dates au format JJ/MM/AAAA : 05/03/2026'],
    ['fr', 'Mets ces dates au format JJ/MM/AAAA et ajoute 3 jours : 2026-03-05'],
  ] as const)('%s is none: %s', (language, text) => {
    expect(restateInEnglish(text, language)).toBeUndefined()
  })

  it('knows the language by the letters of a form of dates', () => {
    expect(['JJ/MM/AAAA', 'TT.MM.JJJJ', 'DD/MM/AAAA', 'DD/MM/YYYY'].map(languageOfDateForm)).toEqual(['fr', 'de', 'es', undefined])
  })
})
