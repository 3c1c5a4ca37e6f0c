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
    ['zh', '2026年12月1日北京时间下午3点,纽约是几点?', 'What is 15:00 on 2026-12-01 in Beijing in New York?'],
    ['fr', 'Quelle heure est-il à Tokyo quand il est 15h30 à Paris le 3 mars 2027 ?', 'What is 15:30 on 2027-03-03 in Paris in Tokyo?'],
    ['de', 'Wenn es in Berlin 15 Uhr ist, wie spät ist es in New York?', 'What is 15:00 in Berlin in New York?'],
    ['es', '¿Qué hora es en Madrid cuando son las 9:00 en Tokio?', 'What is 09:00 in Tokyo in Madrid?'],
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
    ['de', 'Wie spät ist es in New York?'],
    ['de', 'Wenn es in Berlin 15 Uhr ist und in Paris 16 Uhr, wie spät ist es in New York?'],
    ['fr', 'Mets ces dates au format JJ/MM/AAAA et ajoute 3 jours : 2026-03-05'],
  ] as const)('%s is none: %s', (language, text) => {
    expect(restateInEnglish(text, language)).toBeUndefined()
  })

  it.each([
    ['fr', 'Remplace Mme Durand par Mme Dupont partout dans ma lettre', 'Replace “Mme Durand” with “Mme Dupont”'],
    ['de', 'Ersetze bitte „Müller“ durch „Maier“ im ganzen Text.', 'Replace “Müller” with “Maier”'],
    ['es', 'Cambia Ana por Eva en el texto', 'Replace “Ana” with “Eva”'],
    ['zh', '请把文中的李雷都换成韩梅梅', 'Replace “李雷” with “韩梅梅”'],
    ['de', 'Mach mir das Bild schwarz-weiß', 'Convert the image to black and white'],
    ['fr', 'Mets cette photo en noir et blanc', 'Convert the image to black and white'],
  ] as const)('with a file, %s: %s', (language, text, english) => {
    expect(restateInEnglish(text, language, true)).toBe(english)
  })

  it.each([
    ['de', 'Mach das Bild schwarz-weiß und halb so groß'],
    ['fr', 'Mets cette photo en noir et blanc, 800 pixels de large'],
    ['de', 'Ersetze die Zeile\nA durch B'],
  ] as const)('with a file, %s is none: %s', (language, text) => {
    expect(restateInEnglish(text, language, true)).toBeUndefined()
  })

  it('knows the language by the letters of a form of dates', () => {
    expect(['JJ/MM/AAAA', 'TT.MM.JJJJ', 'DD/MM/AAAA', 'DD/MM/YYYY'].map(languageOfDateForm)).toEqual(['fr', 'de', 'es', undefined])
  })
})
