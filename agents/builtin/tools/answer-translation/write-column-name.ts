/** Writes names of columns: headings as they are, and formulas over headings. */
import type { InEachLanguage } from './answer-languages.ts'
import type { AnswerContext, SlotWriter } from './sentence-template.ts'
import { writeLocalDate } from './write-local-date.ts'
import { englishNumber, writeLocalNumber, writeLocalPercent } from './write-local-number.ts'

/** Words that the tool puts before a formula: `English = German; French; Spanish; Chinese`. */
const labelLines = `
revenue = Umsatz; chiffre d'affaires; ingresos; 收入
revenues = Umsatz; chiffre d'affaires; ingresos; 收入
turnover = Umsatz; chiffre d'affaires; facturación; 营业额
sales = Umsatz; ventes; ventas; 销售额
spend = Ausgaben; dépenses; gasto; 支出
spending = Ausgaben; dépenses; gasto; 支出
spent = Ausgaben; dépenses; gasto; 支出
expenditure = Ausgaben; dépenses; gasto; 支出
value = Wert; valeur; valor; 价值
order value = Bestellwert; valeur des commandes; valor del pedido; 订单金额
amount = Betrag; montant; importe; 金额
total = Summe; total; total; 总额
subtotal = Zwischensumme; sous-total; subtotal; 小计
income = Einnahmen; revenus; ingresos; 收入
earnings = Einnahmen; gains; ganancias; 收入
takings = Einnahmen; recettes; recaudación; 收入
proceeds = Erlös; recettes; ingresos; 收益
cost = Kosten; coût; coste; 成本
costs = Kosten; coûts; costes; 成本
price = Preis; prix; precio; 价格
profit = Gewinn; bénéfice; beneficio; 利润
profits = Gewinn; bénéfices; beneficios; 利润
margin = Marge; marge; margen; 利润率
money = Geld; argent; dinero; 金额
payment = Zahlung; paiement; pago; 付款
gross = Brutto; brut; bruto; 总额
net = Netto; net; neto; 净额
`
const labels = new Map<string, InEachLanguage>(
  labelLines.split('\n').flatMap((line) => {
    const [english = '', others] = line.split(' = ')
    const [de = '', fr = '', es = '', zh = ''] = (others ?? '').split(';').map((one) => one.trim())
    return others === undefined ? [] : [[english, { de, fr, es, zh }] as const]
  }),
)

/** A heading of the file. Fields of nested JSON have dots in their names. */
const isHeading = (text: string, { isInFile }: AnswerContext): boolean =>
  isInFile(text) || /^Column \d+$/.test(text) || (/^[^\s.]+(?:\.[^\s.]+)+$/.test(text) && text.split('.').every(isInFile))

const ages: InEachLanguage<(date: string) => string> = {
  de: (date) => `Alter am ${date}`,
  fr: (date) => `âge le ${date}`,
  es: (date) => `edad el ${date}`,
  zh: (date) => `${date}的年龄`,
}

const plainNumber = new RegExp(`^${englishNumber}$`)
const percent = new RegExp(`^${englishNumber}%$`)

/** `qty × price ÷ 1.19`. A heading may hold a sign, so that parts are as long as they can be. */
function writeColumnFormula(text: string, context: AnswerContext): string | undefined {
  if (--context.attempts.left < 0) return undefined
  const { language } = context
  if (plainNumber.test(text)) return writeLocalNumber(text, language)
  if (percent.test(text)) return writeLocalPercent(text.slice(0, -1), language)
  if (isHeading(text, context)) return text
  for (const { index, 0: sign } of [...text.matchAll(/ [×÷+−] /g)].reverse()) {
    const right = writeSide(text.slice(index + sign.length), context)
    const left = right === undefined ? undefined : writeSide(text.slice(0, index), context)
    if (left !== undefined) return `${left}${sign}${right}`
  }
  return undefined
}

const writeSide = (text: string, context: AnswerContext): string | undefined => {
  const inside = /^\((.+)\)$/s.exec(text)?.[1]
  const written = inside === undefined ? undefined : writeColumnFormula(inside, context)
  return written === undefined ? writeColumnFormula(text, context) : `(${written})`
}

/** A heading stays. `revenue (qty × price)` and `age on 28 November 2026` are columns that the tool computes. */
export const writeColumnName: SlotWriter = (text, context) => {
  const formula = writeColumnFormula(text, context)
  if (formula !== undefined) return formula
  const date = /^age on (.+)$/.exec(text)?.[1]
  const day = date === undefined ? undefined : writeLocalDate(date, context.language)
  if (day !== undefined) return ages[context.language](day)
  const [, label = '', inside] = /^([a-z]+(?: [a-z]+)?) \((.+)\)$/s.exec(text) ?? []
  const written = inside === undefined ? undefined : writeColumnFormula(inside, context)
  const name = labels.get(label)?.[context.language]
  return written === undefined || name === undefined ? undefined : `${name} (${written})`
}
