import { describe, expect, it } from 'vitest'
import { type AnswerLanguage, answerLanguages } from '../../../../../agents/builtin/tools/answer-translation/answer-languages.ts'
import { answerTemplates, translateAnswer } from '../../../../../agents/builtin/tools/answer-translation/translate-answer.ts'
import { untranslatedAnswerNotices } from '../../../../../agents/builtin/tools/answer-translation/untranslated-answer-notices.ts'
import { answerInLanguage, toolOf } from './answer-in-language.ts'
import { answerTables, expectedAnswers } from './expected-answers.ts'

const plain = (text: string) => text.replaceAll('\u00A0', ' ')
/** A converted table stands below its size. */
const withoutTable = (text: string) => text.replace(/(?<=(?:CSV|Markdown)[.。].*)\n[\s\S]*$/, '')

describe('answers of the tools', () => {
  it.each(expectedAnswers)('$skill: $text', async ({ skill, text, file, ...expected }) => {
    const files = file ? [answerTables[file]] : []
    for (const language of answerLanguages)
      expect(withoutTable(plain((await answerInLanguage({ skill, text, files }, language))?.text ?? ''))).toBe(expected[language])
  })

  it('has at least six answers of each tool', () => {
    // Answers on images have a test of their own, with images.
    for (const skill of Object.keys(answerTemplates).filter((one) => one !== 'table.join' && one !== 'image.convert'))
      expect(expectedAnswers.filter((one) => one.skill === skill).length, skill).toBeGreaterThanOrEqual(6)
  })

  it('translates the sentences, headings and tables of files', async () => {
    const sums = await answerInLanguage({ skill: 'table.question', text: 'sum of Betrag per Kunde', files: [answerTables.sales] }, 'de')
    expect(sums?.outputs[0]?.text).toBe(
      '# Antwort\n\nAus „table“: 6 Zeilen, 4 Spalten.\n\n## Frage\n\nSumme von Betrag nach Kunde: Meier GmbH 2.499,8; Lang OG 2.100,5; Huber KG 1.349; zusätzlich 1 Zeile ohne Zahl.\n\n| Kunde | Summe von Betrag |\n| --- | --- |\n| Meier GmbH | 2.499,8 |\n| Lang OG | 2.100,5 |\n| Huber KG | 1.349 |\n',
    )
    const sum = await answerInLanguage({ skill: 'number.calculation', text: '15% of 1,240.50' }, 'fr')
    expect(plain(sum?.outputs[0]?.text ?? '')).toBe(
      '# Résultat\n\n- 15 % de 1 240,50 = 186,075.\n\nCalculé exactement avec des entiers et des fractions. Une valeur après ≈ est arrondie.\n',
    )
    const counts = await answerInLanguage({ skill: 'text.statistics', text: 'Count the words in "To be, or not to be"' }, 'es')
    expect(counts?.outputs[0]?.text).toContain('# Estadísticas del texto\n\n| Recuento | Valor |\n| --- | ---: |\n| Palabras | 6 |')
  })

  it('puts a space that does not break before a percent sign and between thousands', async () => {
    expect((await answerInLanguage({ skill: 'number.calculation', text: '15% of 1,240.50' }, 'fr'))?.text).toBe(
      '15\u00A0% de 1\u00A0240,50 = 186,075.',
    )
    expect((await answerInLanguage({ skill: 'number.calculation', text: '45 is what percent of 180?' }, 'de'))?.text).toBe(
      '45 ÷ 180 = 25\u00A0%.',
    )
  })

  it('leaves a file in English if a line of it fits no template, and the answer if its first sentence does', () => {
    const file = {
      name: 'result.md',
      media_type: 'text/markdown',
      artifact_type: 'number.result',
      text: '# Result\n\n- 1 + 1 = 2.\n- So it goes.\n',
    }
    for (const language of answerLanguages) {
      const answer = translateAnswer('number.calculation', language, { inputs: [] }, { outputs: [file], text: '1 + 1 = 2.' })
      expect(answer.outputs).toEqual([file])
      expect(answer.text).toMatch(/^1 \+ 1 = 2[.。]/)
      expect(answer.text.endsWith(untranslatedAnswerNotices.file[language])).toBe(true)
      const english = translateAnswer('number.calculation', language, { inputs: [] }, { outputs: [], text: 'So it goes. 1 + 1 = 2.' })
      expect(english.text.startsWith(untranslatedAnswerNotices.english[language])).toBe(true)
      expect(english.text.endsWith('So it goes. 1 + 1 = 2.')).toBe(true)
    }
  })

  it('announces notes at the end that fit no template', () => {
    const response = { outputs: [], text: '1 + 1 = 2. Numbers never lie. Ask again.' }
    expect(translateAnswer('number.calculation', 'de', { inputs: [] }, response).text).toBe(
      '1 + 1 = 2. Anmerkung auf Englisch: Numbers never lie. Ask again.',
    )
  })

  it('keeps results and material that look like sentences of a template', async () => {
    const json = await answerInLanguage({ skill: 'format.json', text: 'format this json: {"a": "Valid YAML."}' }, 'de')
    expect(json?.text).toBe('Formatiertes JSON:\n{\n  "a": "Valid YAML."\n}')
    const lines = await answerInLanguage({ skill: 'text.lines', text: 'remove duplicates:\n3 lines.\nNo line is left.\n3 lines.' }, 'de')
    expect(lines?.text).toBe('3 lines.\nNo line is left.\nEntfernt: 1 Duplikat.')
    const redacted = await answerInLanguage({ skill: 'text.redact', text: 'redact the emails in "Other names stay. a@x.org"' }, 'fr')
    expect(plain(redacted?.text ?? '')).toMatch(/reconnus\. Other names stay\. \[EMAIL\]$/)
  })

  it('translates files of sentences, and keeps the result below them', async () => {
    const repaired = await answerInLanguage({ skill: 'format.json', text: 'is this valid json: {"a":1,}' }, 'de')
    expect(repaired?.outputs[0]?.text).toBe(
      'Kein gültiges JSON. Zeile 1, Spalte 7: vor dem schließenden } steht ein Komma; entfernen Sie es.\n\nEine reparierte Form (ein Komma vor dem schließenden } ist entfernt):\n{\n  "a": 1\n}\n',
    )
    const prices = await answerInLanguage({ skill: 'number.prices', text: '240 EUR plus 20% VAT' }, 'es')
    expect(plain(prices?.outputs[0]?.text ?? '')).toBe(
      '# Precios\n\n| Importe | Cálculo | Redondeado | Exacto |\n| :-- | :-- | --: | --: |\n| Precio |  | 240,00 EUR | 240 |\n| 20 % IVA | 20 % de 240 | 48,00 EUR | 48 |\n| Total |  | 288,00 EUR | 288 |\n\nRedondeado a céntimos, la mitad hacia arriba.\n',
    )
  })

  it.each([
    [
      'de',
      'Summe von Umsatz (qty × price) nach city: Wien 9; Graz 5. 1 Zeile ohne city: 7. 3 Zeilen von orders.csv mit customers.csv verbunden über customer_id = id. 1 Zeile ohne Entsprechung: 3 (C9). Nicht verwendet aus customers.csv: Cleo (C3).',
    ],
    [
      'zh',
      '收入 (qty × price) 的总和（按 city 分组）：Wien 9；Graz 5。1 行没有 city：7。orders.csv 的 3 行已与 customers.csv 按 customer_id = id 连接。1 行没有匹配：3 (C9)。customers.csv 中未使用：Cleo (C3)。',
    ],
  ] as const)('joins two tables in %s', async (language, expected) => {
    const tables = [
      ['orders.csv', 'order,customer_id,qty,price\n1,C1,3,3\n2,C2,1,5\n3,C9,1,7\n'],
      ['customers.csv', 'id,name,city\nC1,Anna,Wien\nC2,Bert,Graz\nC3,Cleo,Linz\n'],
    ] as const
    const inputs = tables.map(([name, text]) => ({ port: 'table', type: 'table.csv', text, artifact: { name } }))
    const request = 'join orders.csv with customers.csv on customer_id = id, and revenue (qty * price) by city'
    const query = { port: 'query', type: 'query.table_join', data: { request, answer_language: language } }
    expect((await toolOf('table.join').run({ inputs: [query, ...inputs] } as never)).text).toBe(expected)
  })

  it('never changes headings, cells or quoted material that look like words of a template', async () => {
    const files = [{ name: 'a.csv', text: 'Team,Sum and average,Day\nResearch and Design,1200.5,March\nHR or IT,80,Monday\n' }]
    const ask = (text: string, language: AnswerLanguage) => answerInLanguage({ skill: 'table.question', text, files }, language)
    expect((await ask('sum of Sum and average by Team', 'de'))?.text).toContain('Research and Design 1.200,5; HR or IT 80')
    const quoted = { outputs: [], text: 'Found 1 link: https://a.example/3 rows. Sum of x.' }
    expect(translateAnswer('text.extract', 'de', { inputs: [] }, quoted).text).toBe('Gefunden: 1 Link: https://a.example/3 rows. Sum of x.')
  })

  it('keeps a cell in the notation of its file, and writes a computed number in that of the language', async () => {
    const files = [{ name: 'a.csv', text: 'Name;Preis;Ort\nAnna;2.500;Wien\nBert;1.250,5;Graz\nCleo;3,25;Linz\n' }]
    const ask = (text: string) => answerInLanguage({ skill: 'table.question', text, files }, 'de')
    expect((await ask('What is the Preis of Anna?'))?.text).toMatch(/^2\.500 /)
    expect((await ask('Show the Preis of Bert'))?.text).toMatch(/^1\.250,5 /)
  })

  it('costs little with hostile texts', () => {
    const text = `Sum of a by ${'b by '.repeat(700)}: x 1.`
    const begun = performance.now()
    translateAnswer('table.question', 'de', { inputs: [{ port: 't', type: 'table.csv', text: text.repeat(50) }] }, { outputs: [], text })
    translateAnswer('table.question', 'de', { inputs: [] }, { outputs: [], text: `${'1 row. '.repeat(500)}x.` })
    expect(performance.now() - begun).toBeLessThan(3_000)
  })

  it('states in the language that a reason is in English', async () => {
    const tool = toolOf('number.calculation')
    const inputs = [{ port: 'query', type: 'query.calculation', data: { expression: '1 / 0', answer_language: 'de' } }]
    await expect((async () => tool.run({ inputs }))()).rejects.toThrow(/^Es gibt keine Antwort\. Der Grund auf Englisch: /)
  })
})
