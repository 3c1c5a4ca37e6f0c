import { describe, expect, it } from 'vitest'
import { translateRequestToEnglish } from '../../../../../../agents/builtin/planner/intent/languages/translate-request-to-english.ts'
import { type AnswerLanguage, isAnswerLanguage } from '../../../../../../agents/builtin/tools/answer-translation/answer-languages.ts'

const english = (language: AnswerLanguage, text: string, columns: string[] = [], cells: string[] = []): string =>
  translateRequestToEnglish(text, language, { columns, cells }).text

describe('translateRequestToEnglish', () => {
  it.each([
    ['de', 'Wieviel sind 19% MwSt auf 1.250 Euro?', 'what is 19% vat on 1250 euros?'],
    [
      'de',
      '3 Stühle zu 79,50, 1 Tisch zu 349, 10 % Rabatt, dann 19 % MwSt.',
      '3 Stühle at 79.50, 1 Tisch at 349, 10 % discount, then 19 % vat',
    ],
    ['de', '12 Gläser für je 4,90 € und 2 Krüge für 18 €', '12 Gläser at 4.90 € and 2 Krüge for 18 €'],
    ['fr', '3 chaises à 79,50 €, puis 20 % de TVA', '3 chaises at 79.50 €, then 20 % vat'],
    ['es', '3 sillas a 79,50 €, luego 21 % de IVA', '3 sillas at 79.50 €, then 21 % vat'],
    // A time and no price.
    ['fr', 'De 3 heures à 5 heures, combien de minutes ?', 'of 3 hours to 5 hours, how many minutes?'],
    ['de', 'Wie viele verschiedene Kunden gibt es?', 'how many different customer is?'],
    ['fr', '2028 est-elle une année bissextile ?', 'is 2028 a leap year?'],
    ['fr', 'Trie par ordre alphabétique : poire, pomme', 'sort alphabetically: poire, pomme'],
    ['es', '¿Cuánto es 3,5 por 1.200?', 'what is 3.5 times 1200?'],
    ['zh', '有多少个不同的客户', 'how many different customer'],
    ['de', 'Rechne bitte 5 Meilen in Kilometer um', 'convert 5 miles to kilometres'],
    ['de', 'Fasse den angehängten Text in drei Sätzen zusammen', 'summarise the attached text in three sentences'],
    ['de', 'wie viele tage sind es vom 3.3.2026 bis zum 15.8.2026', 'how many days are there from 3 March 2026 to 15 August 2026'],
    ['de', 'Rechne bitte schnell 5 Meilen in Kilometer um, für meine Hausaufgaben, danke', 'convert 5 miles to kilometres'],
    ['fr', "Convertis 5 miles en kilomètres, c'est pour mes devoirs, merci", 'convert 5 miles to kilometres'],
    ['es', 'Convierte 5 millas a kilómetros, es para mis deberes, gracias', 'convert 5 miles to kilometres'],
    ['zh', '请快点帮我把5英里换算成公里，是我的作业，谢谢', 'convert 5 miles to kilometres'],
    ['de', 'Wie viele Tage sind es bis Heiligabend 2026?', 'how many days are there to Christmas Eve 2026?'],
    [
      'fr',
      'Combien de jours entre Pâques 2027 et Noël 2027 ?',
      'how many days are there between Easter Sunday 2027 and Christmas Day 2027?',
    ],
    ['de', 'teile 250 durch 5 Personen', 'divide 250 by 5 people'],
    ['de', 'wie alt bin ich, wenn ich am 3. Mai 1990 geboren bin', 'how old am i, if i was born on 3 May 1990'],
    ['fr', 'Calcule la moyenne de 12, 15, 18', 'calculate the average of 12, 15, 18'],
    ['fr', 'Trie ces prénoms par ordre alphabétique : Zoé, Alice', 'sort names alphabetically: Zoé, Alice'],
    ['es', '¿Cuántos días faltan para el 24 de diciembre de 2026?', 'how many days until 24 December 2026?'],
    ['zh', '计算 3, 5, 7 的平均值', 'what is the average of 3, 5, 7'],
    ['fr', 'Convertis 75 miles en kilomètres', 'convert 75 miles to kilometres'],
    ['fr', 'Quel est le prix moyen par produit ?', 'what is the average price per product?'],
    ['fr', 'Quelle est la racine carree de 1764 ?', 'what is square root of 1764?'],
    ['es', '¿Cuántos días hay entre el 3 de marzo y el 1 de abril de 2027?', 'how many days are there between 3 March and 1 April 2027?'],
    ['es', '¿Qué producto tiene el precio más alto?', 'which product has the highest price?'],
    ['zh', '10英里等于多少公里？', 'how many kilometres is 10 miles'],
    ['zh', '2026年3月3日到2026年8月15日之间有多少天？', 'how many days are there between 3 March 2026 and 15 August 2026'],
    ['zh', '哪个城市的平均价格最高？', 'which city has the highest average price'],
    ['zh', '1764的平方根是多少？', 'what is the square root of 1764'],
  ] as const)('writes %s “%s” as “%s”', (language, text, expected) => {
    expect(english(language, text)).toBe(expected)
    expect(translateRequestToEnglish(text, language).unknown).toEqual([])
  })

  it('keeps material: quoted, after the last colon, below an empty line', () => {
    expect(english('de', 'Zähle die Wörter in „Der Hund schläft“')).toBe('count the words in „Der Hund schläft“')
    expect(english('fr', 'Compte les mots du texte suivant : Le chat dort.')).toBe('count the words of the following text: Le chat dort.')
    expect(english('es', 'Cuenta las palabras\n\nEl perro y el gato')).toBe('count the words\n\nEl perro y el gato')
    expect(english('de', 'QR-Code für https://example.com/die/der')).toBe('QR code for https://example.com/die/der')
  })

  it('keeps headings and cells, and turns a noun with the meaning of a heading into it', () => {
    expect(english('de', 'Summe der Beträge je Kunde', ['Kunde', 'Betrag'])).toBe('sum of Betrag per Kunde')
    expect(english('fr', 'la somme des montants par client', ['Kunde', 'Betrag'])).toBe('sum of Betrag per Kunde')
    expect(english('de', 'Wie viele Bestellungen aus Wien gibt es', ['Stadt'], ['Wien'])).toContain('Wien')
  })

  it('names the words that no phrase covers', () => {
    expect(translateRequestToEnglish('Übersetze den Text ins Polnische', 'de').unknown).toEqual(['Übersetze', 'Polnische'])
  })

  it('takes Han characters without a phrase that stand together as one word', () => {
    expect(translateRequestToEnglish('算各店占总额的百分比', 'zh').unknown).toEqual(['占', '百分比'])
  })

  it('leaves long stories as they are', () => {
    const story = 'Das ist eine lange Geschichte. '.repeat(80)
    expect(english('de', story)).toBe(story)
  })

  it('takes time in proportion to the length', () => {
    const started = performance.now()
    for (const language of ['de', 'fr', 'es', 'zh'] as const) translateRequestToEnglish('wie viele '.repeat(140), language)
    translateRequestToEnglish('的'.repeat(1_400), 'zh')
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('knows four languages', () => {
    expect(['de', 'fr', 'es', 'zh', 'it', 'en'].filter(isAnswerLanguage)).toEqual(['de', 'fr', 'es', 'zh'])
  })
})
