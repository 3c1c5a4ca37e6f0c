// Real answers of the tools in all languages, and the tables of the questions.
import type { ExpectedAnswer } from './answer-in-language.ts'
import { expectedChartAndJoinAnswers } from './expected-chart-and-join-answers.ts'
import { expectedFormatAnswers } from './expected-format-answers.ts'
import { expectedLineAnswers } from './expected-line-answers.ts'
import { expectedNumberAnswers } from './expected-number-answers.ts'
import { expectedPriceAnswers } from './expected-price-answers.ts'
import { expectedTableAnswers } from './expected-table-answers.ts'
import { expectedTextAnswers } from './expected-text-answers.ts'

const orders = `Order ID,Date,Region,Product,Units,Unit price,Revenue
1001,2024-01-05,North,Tea,12,4.50,54.00
1002,2024-01-09,South,Coffee,7,9.00,63.00
1003,2024-01-20,North,Coffee,3,9.00,27.00
1004,2024-02-02,East,Tea,20,4.50,90.00
1005,2024-02-11,South,Tea,5,4.50,22.50
1006,2024-02-27,East,Cocoa,8,6.25,50.00
1007,2024-03-03,North,Cocoa,10,6.25,62.50
1008,2024-03-15,West,Coffee,11,9.00,99.00
1009,2024-03-28,West,Tea,2,4.50,9.00
`
const sales =
  'Datum;Kunde;Betrag;Kategorie\n03.01.2026;Meier GmbH;1.249,90;Beratung\n17.01.2026;Huber KG;899,00;Software\n02.02.2026;Meier GmbH;;Beratung\n14.02.2026;Lang OG;2.100,50;Hardware\n28.02.2026;Huber KG;450,00;Software\n09.03.2026;Meier GmbH;1.249,90;Beratung\n'
const months = 'month,signups,churned\nJan,120,30\nFeb,150,45\nMar,180,60\nApr,160,80\nMay,210,50\nJun,310,105\n'

export const answerTables = {
  orders: { name: 'orders.csv', text: orders },
  sales: { name: 'sales.csv', text: sales },
  months: { name: 'months.csv', text: months },
}

export const expectedAnswers: readonly ExpectedAnswer[] = [
  ...expectedNumberAnswers,
  ...expectedPriceAnswers,
  ...expectedTableAnswers,
  ...expectedChartAndJoinAnswers,
  ...expectedTextAnswers,
  ...expectedLineAnswers,
  ...expectedFormatAnswers,
]
