import { describe, expect, it } from 'vitest'
import { translatePlannerText } from '../../../../../../agents/builtin/planner/intent/languages/translate-planner-text.ts'
import { toSkillOffers } from '../../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { planBySearch } from '../../../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { builtinMarket } from '../../../market.ts'

const offers = toSkillOffers(builtinMarket())

/** The summary, question or reason of the planner. */
function plan(text: string, file?: { readonly name: string; readonly content: string }): string {
  const attachments = file ? [{ name: file.name, sha256: 'h', media_type: '', artifact_type: 'table.csv', size: 1 }] : []
  const heads = file ? { h: { text: file.content, isWhole: true } } : {}
  const goal = { text, criteria: [], answers: [], attachments, heads }
  const planned = planBySearch({ goal: goal as never, offers, payable: 2n ** 60n, decimals: 6, msLeft: 0, refusals: [] })
  return 'plan' in planned ? planned.summary : 'question' in planned ? planned.question : planned.reason
}

const sales = { name: 'umsatz.csv', content: 'Datum;Kunde;Betrag\n03.01.2026;Meier;1.249,90\n17.01.2026;Huber;899,00\n' }

describe('the planner without a model', () => {
  it.each([
    ['Wie viel sind 15 Prozent von 240?', /^Die Antwort ist auf Deutsch; .+ Ich rechne: „Wie viel sind 15 Prozent von 240“\.$/],
    [
      'Combien de jours y a-t-il entre le 3 mars et le 1er avril 2027 ?',
      /La réponse sera en français, .+ Je calcule avec des dates\u00A0: /,
    ],
    ['Haz un código QR para https://example.com', /La respuesta será en español, .+ Dibujo un código QR de «https:\/\/example\.com»\.$/],
    ['10英里等于多少公里？', /答案将用中文给出.+我将换算单位：/],
    ['Umsatz von Apple 2015 bis 2022 als Diagramm', /Die Antwort ist auf Englisch\. I read the goal as: /],
  ])('says in which language the answer is: %s', (text, summary) => {
    expect(plan(text)).toMatch(summary)
  })

  it.each([
    ['Fasse den Text in drei Sätzen zusammen', /Welcher Text ist gemeint\? Setzen Sie ihn in Anführungszeichen/],
    ['Résume ce document en trois phrases, merci', /De quel texte s'agit-il\u00A0\?/],
    ['Resume este documento en tres frases, por favor', /¿De qué texto se trata\?/],
  ])('asks in the language: %s', (text, question) => {
    expect(plan(text)).toMatch(question)
    expect(plan(text)).not.toMatch(/[Rr]ückfrage ist auf Englisch|question est en anglais|pregunta está en inglés/)
  })

  it('names unknown words and columns in the language', () => {
    expect(plan('Wie hoch ist die Summe von Xyzzy je Kunde?', sales)).toMatch(
      /Keine Spalte oder Zelle heißt „Xyzzy“\. Die Spalten sind Datum, Kunde und Betrag\. Fragen Sie noch einmal mit diesen Namen\.$/,
    )
  })

  it('gives the tool the language, and only if the goal is in it', () => {
    const givens = (text: string) => {
      const goal = { text, criteria: [], answers: [], attachments: [] }
      const planned = planBySearch({ goal, offers, payable: 2n ** 60n, decimals: 6, msLeft: 0, refusals: [] })
      return 'plan' in planned ? planned.plan.steps.flatMap(({ inputs }) => inputs.flatMap(({ given }) => given?.data ?? [])) : []
    }
    expect(givens('Convierte 10 millas a kilómetros')).toMatchObject([{ answer_language: 'es' }])
    for (const text of ['Convert 10 miles to km', '2^64', '12.5 * 84']) expect(givens(text)[0]).not.toHaveProperty('answer_language')
  })
})

describe('translatePlannerText', () => {
  it('writes the operations and kinds that a summary lists', () => {
    expect(translatePlannerText('I list from the text: email, date.', 'de')).toBe('Ich liste aus dem Text auf: E-Mail-Adressen, Daten.')
    expect(translatePlannerText('I apply to the text: sort, unique lines.', 'es')).toBe('Proceso el texto: ordenar, eliminar duplicados.')
    expect(translatePlannerText('I sort by Betrag, write as json: “umsatz.csv”.', 'de')).toBe(
      'Sortieren nach Betrag, schreiben als json: „umsatz.csv“.',
    )
  })

  it.each([
    ['I calculate prices: 3 chairs at 79.50.', 'Ich rechne mit Preisen: 3 chairs at 79.50.'],
    ['I convert units: 10 miles to km.', 'Ich rechne Einheiten um: 10 miles to km.'],
    [
      'I work on the lines: keep those of level “error” or “warn”, sort by time, descending, unique.',
      'Ich bearbeite die Zeilen: behalten: Stufe „error“ oder „warn“; nach Zeit absteigend sortieren; Doppelte entfernen.',
    ],
    ['I replace “a” with “b”, “c” with “d”.', 'Ich ersetze „a“ durch „b“, „c“ durch „d“.'],
    ['I replace “Anna” by [REDACTED]. Other names stay.', 'Ich ersetze „Anna“ durch [REDACTED]. Andere Namen bleiben stehen.'],
    [
      'I join “a.csv” with “b.csv” on id = key, and list the rows without a match, and answer: total by x.',
      'Ich verbinde „a.csv“ mit „b.csv“ über id = key, liste die Zeilen ohne Entsprechung auf und beantworte: total by x.',
    ],
    [
      'A part of this can be done: I calculate prices: 3 x 4. No agent online understands “sing”. Leave that out, or say it in other words.',
      'Ein Teil davon ist möglich: Ich rechne mit Preisen: 3 x 4. Niemand online versteht „sing“. Lassen Sie das weg, oder sagen Sie es mit anderen Worten.',
    ],
    ['I calculate 2+2. Read as background only: “I am ill”.', 'Ich rechne: 2+2. Nur als Hintergrund gelesen: „I am ill“.'],
    [
      'None of the 5 skills online fits these words. The columns of “u.csv” are a and b. Ask with those names, for example for a total, an average, a list or a chart.',
      'Keine der 5 verfügbaren Fähigkeiten passt zu diesen Worten. Die Spalten von „u.csv“ sind a und b. Fragen Sie mit diesen Namen, zum Beispiel nach einer Summe, einem Durchschnitt, einer Liste oder einem Diagramm.',
    ],
  ])('writes in German: %s', (text, german) => {
    expect(translatePlannerText(text, 'de')).toBe(german)
    for (const language of ['fr', 'es', 'zh'] as const) expect(translatePlannerText(text, language)).toBeDefined()
  })

  it('does not translate half of a text', () => {
    for (const text of ['The cheapest team costs 3.', 'I apply to the text: bake.', 'I tell the language of the text. And more.'])
      expect(translatePlannerText(text, 'de')).toBeUndefined()
  })
})
