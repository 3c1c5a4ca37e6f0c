/** Writes questions over a table as sentences that the question tool reads. */
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'

export type AggregateName = 'total' | 'average' | 'median' | 'highest' | 'lowest' | 'range' | 'standard deviation'

/** What a sentence asks for. Names are headings. */
export type TableQuestion = {
  /** Empty: the number of rows. */
  readonly aggregates: readonly AggregateName[]
  readonly measure: string | undefined
  readonly group: string | undefined
  readonly filters: readonly string[]
  readonly isOrdered: boolean
  /** With `isOrdered`: the lowest first. */
  readonly isAscending?: boolean
}

const where = (filters: readonly string[]): string => (filters.length === 0 ? '' : ` where ${filters.join(' and ')}`)
const per = (group: string | undefined): string => (group === undefined ? '' : ` per ${group}`)

export function writeTableQuestion({ aggregates, measure, group, filters, isOrdered, isAscending }: TableQuestion): string {
  const order = isAscending ? ', lowest first' : ', highest first'
  const end = `${per(group)}${where(filters)}${isOrdered && group !== undefined ? order : ''}`
  if (aggregates.length === 0 || measure === undefined) return `How many rows are there${end}?`
  const names = aggregates.length === 1 ? aggregates[0] : `${aggregates.slice(0, -1).join(', ')} and ${aggregates.at(-1)}`
  return `What ${aggregates.length === 1 ? 'is' : 'are'} the ${names} ${aggregates.length === 1 && /^(?:highest|lowest)$/.test(aggregates[0] ?? '') ? '' : 'of '}${measure}${end}?`
}

type Words = {
  readonly [aggregate in AggregateName]?: (measure: string) => string
} & { readonly per: string; readonly rows: string; readonly first: string; readonly end: string }

const words: { readonly [language in AnswerLanguage]: Words } = {
  de: {
    total: (measure) => `Was ist die Summe von ${measure}`,
    average: (measure) => `Was ist der Durchschnitt von ${measure}`,
    median: (measure) => `Was ist der Median von ${measure}`,
    ...{ per: ' je ', rows: 'Wie viele Zeilen gibt es', first: ', absteigend sortiert', end: '?' },
  },
  fr: {
    total: (measure) => `Quelle est la somme de ${measure}`,
    average: (measure) => `Quelle est la moyenne de ${measure}`,
    ...{ per: ' par ', rows: 'Combien de lignes', first: ', par ordre décroissant', end: ' ?' },
  },
  es: {
    total: (measure) => `¿Cuál es el total de ${measure}`,
    average: (measure) => `¿Cuál es el promedio de ${measure}`,
    ...{ per: ' por ', rows: '¿Cuántas filas hay', first: ', de mayor a menor', end: '?' },
  },
  zh: { per: '', rows: '', first: '', end: '？' },
}

/** The question in another language. Undefined: there is no template for it. */
export function writeQuestionIn(language: AnswerLanguage, question: TableQuestion): string | undefined {
  const { aggregates, measure, group, filters, isOrdered, isAscending } = question
  if (filters.length > 0 || aggregates.length > 1 || (isOrdered && isAscending)) return undefined
  if (language === 'zh') return writeChinese(question)
  const template = words[language]
  const [aggregate] = aggregates
  const head = aggregate === undefined || measure === undefined ? template.rows : template[aggregate]?.(measure)
  if (head === undefined || (isOrdered && group !== undefined && template.first === '')) return undefined
  return `${head}${group === undefined ? '' : `${template.per}${group}`}${isOrdered && group !== undefined ? template.first : ''}${template.end}`
}

function writeChinese({ aggregates, measure, group, isOrdered }: TableQuestion): string | undefined {
  const each = group === undefined ? '' : `每个${group}的`
  if (isOrdered) return undefined
  if (aggregates[0] === 'total' && measure !== undefined) return `${each}${measure}总额是多少？`
  if (aggregates[0] === 'average' && measure !== undefined) return `${each}${measure}平均值是多少？`
  return aggregates.length === 0 && group !== undefined ? `每个${group}有多少行？` : undefined
}

/** German and French need the gender of a heading, which is not known. */
const bestWords: { readonly [language in AnswerLanguage]?: (group: string, measure: string, isLowest: boolean) => string } = {
  es: (group, measure, isLowest) => `¿Qué ${group} tiene el ${isLowest ? 'menor' : 'mayor'} total de ${measure}?`,
  zh: (group, measure, isLowest) => `哪个${group}的${measure}总额最${isLowest ? '低' : '高'}？`,
}
/** The question for the best or the worst group. Undefined: there is no template for it. */
export const writeBest = (language: AnswerLanguage | 'en', group: string, measure: string, isLowest: boolean): string | undefined =>
  language === 'en' ? undefined : bestWords[language]?.(group, measure, isLowest)

const charts = { bar: 'bar chart', line: 'line chart', pie: 'pie chart' } as const
export type ChartKind = keyof typeof charts
const localCharts: { readonly [language in AnswerLanguage]: { readonly [kind in ChartKind]: (what: string) => string } } = {
  de: {
    bar: (what) => `Zeichne ein Balkendiagramm von ${what}`,
    line: (what) => `Zeichne ein Liniendiagramm von ${what}`,
    pie: (what) => `Zeichne ein Kreisdiagramm von ${what}`,
  },
  fr: {
    bar: (what) => `Dessine un graphique à barres de ${what}`,
    line: (what) => `Dessine une courbe de ${what}`,
    pie: (what) => `Dessine un camembert de ${what}`,
  },
  es: {
    bar: (what) => `Dibuja un gráfico de barras de ${what}`,
    line: (what) => `Dibuja un gráfico de líneas de ${what}`,
    pie: (what) => `Dibuja un gráfico circular de ${what}`,
  },
  zh: { bar: (what) => `画${what}的柱状图`, line: (what) => `画${what}的折线图`, pie: (what) => `画${what}的饼图` },
}
const perWords = { de: ' je ', fr: ' par ', es: ' por ', zh: '每个' } as const

/** Sentences that ask for a chart, the one in the client's language first. */
export function writeChart(language: AnswerLanguage | 'en', kind: ChartKind, measure: string, group: string): string[] {
  const english = `Draw a ${charts[kind]} of ${measure} per ${group}`
  if (language === 'en') return [english]
  const what = language === 'zh' ? `每个${group}的${measure}` : `${measure}${perWords[language]}${group}`
  return [localCharts[language][kind](what), english]
}
