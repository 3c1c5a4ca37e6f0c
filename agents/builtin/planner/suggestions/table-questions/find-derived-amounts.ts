/** Amounts that no column has: debts, a balance, a distance between two readings, the sum of two columns, or a stated formula. */
import type { DataTable, TableColumn } from '../../../tools/tables/reading/table/read-attached-table.ts'
import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import { plainWords } from '../reading-candidate.ts'
import { maxOf, type NamedColumn, plainName } from './match-words-to-table.ts'
import type { TableMeasure } from './table-suggestion-context.ts'

export type DerivedMeasure = TableMeasure & {
  /** `debt`: only what is above 0 counts. */
  readonly kind: 'debt' | 'balance' | 'distance' | 'sum' | 'formula'
}

type Rule = {
  readonly kind: DerivedMeasure['kind']
  readonly left: RegExp
  readonly right: RegExp
  /** The words that ask for it. */
  readonly wording: RegExp
}

/** Patterns over headings and requests without capitals and accents. */
const rules: readonly Rule[] = [
  {
    kind: 'debt',
    left: /\bdue\b|owed|invoiced|billed|expected|\bfee\b|\bsoll\b|fallig|forderung|\bdu\b|facture|debido|a pagar|应[付收缴]/,
    right:
      /received|\bpaid\b|payment|bezahlt|gezahlt|erhalten|eingang|\bist\b|paye|recu|regle|pagado|recibido|cobrado|实[付收缴]|已[付收缴]/,
    wording:
      /\bowes?\b|owing|\bshort\b|arrears|behind|outstanding|still (?:to pay|due)|unpaid|debts?\b|schulde\p{L}*|ruckst\p{L}*|offen\p{L}?\b|im minus|noch zahlen|doi(?:t|vent)|impaye\p{L}*|retard|reste a payer|deben?\b|atras\p{L}*|pendiente\p{L}*|moros\p{L}*|欠/u,
  },
  {
    kind: 'balance',
    left: /\bin\b|income|credit|receipts?|einnahme\p{L}*|\bhaben\b|einzahlung\p{L}*|eingang|recettes?|entrees?|encaisse|ingresos?|entradas?|收入/u,
    right: /\bout\b|expens\p{L}*|debit|spent|ausgabe\p{L}*|\bsoll\b|auszahlung\p{L}*|ausgang|depenses?|sorties?|gastos?|salidas?|支出/u,
    wording:
      /make (?:any )?money|made (?:any )?money|profit\p{L}*|loss|balance|\bnet\b|left over|come out ahead|gewinn|verlust|uberschuss|saldo|unterm strich|ubrig|benefice|perte|solde|il reste|ganancia\p{L}*|perdida|queda|结余|盈|亏|余额|in (?:there|the bank) now/u,
  },
  {
    kind: 'distance',
    left: /\bend\b|\bende\b|\bstop\b|arrival|\bfin\b|final|结束/,
    right: /start|begin|anfang|\bstand start\b|debut|depart|inicio|开始/,
    wording:
      /\bkm\b|kilomet\p{L}*|miles|distance|driven|how far|gefahren|strecke|parcouru\p{L}*|recorrid\p{L}*|公里|里程|used|verbrauch\p{L}*|consomm\p{L}*|consum\p{L}*/u,
  },
]

const together = /zusammen|together|both|combined|\bplus\b|ensemble|cumul\p{L}*|juntos?|juntas?|sumad\p{L}*|合起来|加起来/u

export function findDerivedAmounts(texts: readonly string[], table: DataTable, named: readonly NamedColumn[]): DerivedMeasure[] {
  const plain = foldCaseAndAccents(texts.join('\n'))
  const numbers = table.columns.filter(({ kind }) => kind === 'number')
  const stated = texts.flatMap((text) => formulaOf(text, numbers) ?? [])
  if (stated.length > 0) return stated.slice(0, 1)
  const percent = percentOfMax(plain, numbers)
  if (percent) return [percent]
  const found = rules.flatMap((rule): DerivedMeasure[] => {
    const wording = rule.wording.exec(plain)?.[0]
    const right = numbers.find(({ name }) => rule.right.test(foldCaseAndAccents(name)))
    const left = numbers.find((column) => column !== right && rule.left.test(foldCaseAndAccents(column.name)))
    if (wording === undefined || !left || !right) return []
    const words = [...plain.matchAll(new RegExp(rule.wording.source, 'gu'))].map(([word]) => word).join(' ')
    return [{ kind: rule.kind, name: `(${plainName(left)} - ${plainName(right)})`, columns: [left, right], words }]
  })
  if (found.length > 0) return found.slice(0, 1)
  const [first, second, ...others] = named.filter(
    ({ column }) =>
      column.kind === 'number' && (column.unit !== '' || column.numbers.some((value) => value !== null && !Number.isInteger(value))),
  )
  const word = together.exec(plain)?.[0]
  if (!first || !second || others.length > 0 || word === undefined || unlike(first.column, second.column)) return []
  return [
    {
      kind: 'sum',
      name: `(${plainName(first.column)} + ${plainName(second.column)})`,
      columns: [first.column, second.column],
      words: `${first.words} ${second.words} ${word}`,
    },
  ]
}

/** “As a percentage” of a mark whose heading says the highest one. */
function percentOfMax(plain: string, numbers: readonly TableColumn[]): DerivedMeasure | undefined {
  const wording = /\bper ?cent(?:age)?s?\b|%|\bprozent\p{L}*|pourcentages?|pour ?cent\b|porcentajes?|por ?ciento\b|百分/u.exec(plain)?.[0]
  const [column, ...others] = numbers.filter((one) => maxOf(one) !== undefined)
  const max = column && maxOf(column)
  if (wording === undefined || !column || max === undefined || others.length > 0) return undefined
  return { kind: 'formula', name: `(${plainName(column)} / ${max} * 100)`, columns: [column], words: wording }
}

/** Amounts in different units have no sum. */
const unlike = (first: TableColumn, second: TableColumn): boolean =>
  first.unit !== second.unit || lastWord(first.name) !== lastWord(second.name)
const lastWord = (name: string): string => plainWords(name).at(-1) ?? ''

const operators: { readonly [sign: string]: string } = {
  '+': '+',
  '＋': '+',
  '-': '-',
  '−': '-',
  '–': '-',
  '－': '-',
  '*': '*',
  '×': '*',
  x: '*',
  '/': '/',
  '÷': '/',
}
const maxTerms = 6

/** “Net pay = base + bonus - deduction”, with headings on the right side. */
function formulaOf(text: string, numbers: readonly TableColumn[]): DerivedMeasure | undefined {
  for (const { 0: whole, index, 1: label = '' } of text.matchAll(/([\p{L}\p{N}]{1,30})\s*[=＝]\s*/gu)) {
    let rest = text.slice(index + whole.length)
    const terms: string[] = []
    const columns: TableColumn[] = []
    for (let count = 0; count < maxTerms; count++) {
      const column = numbers
        .filter(({ name }) => rest.toLowerCase().startsWith(name.toLowerCase()))
        .toSorted((a, b) => b.name.length - a.name.length)[0]
      if (!column) break
      columns.push(column)
      terms.push(plainName(column))
      rest = rest.slice(column.name.length).trimStart()
      const sign = operators[rest[0] ?? '']
      if (sign === undefined) break
      terms.push(sign)
      rest = rest.slice(1).trimStart()
    }
    if (columns.length > 1 && terms.length === columns.length * 2 - 1)
      return { kind: 'formula', name: `(${terms.join(' ')})`, columns, words: `${label} ${columns.map(({ name }) => name).join(' ')}` }
  }
  return undefined
}

/** The client says what happens with empty cells. */
const leavesBlanks =
  /(?:leave out|ignore|skip|without|exclude|don['’]?t count)[^.,;?!]{0,30}(?:blank|empty|missing)|(?:leere?|fehlende)[^.,;?!]{0,20}(?:weglassen|ignorier|nicht)|ohne leere|没(?:填|量|写)的?不算/iu

/** The sentence that empty amounts are nothing. */
export const zeroSentence = 'Count empty cells as 0.'
export const needsZeros = ({ columns, kind }: DerivedMeasure, texts: readonly string[]): boolean =>
  kind !== 'distance' &&
  columns.length > 1 &&
  columns.some(({ cells }) => cells.some((cell) => cell.trim() === '')) &&
  !texts.some((text) => leavesBlanks.test(text))
