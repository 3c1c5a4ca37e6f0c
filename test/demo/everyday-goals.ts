/** Twelve goals of everyday work in three languages, each done by one built-in agent without a model. */
import type { DemoGoal } from './goals.ts'

const orders = `order_id,customer,product,qty,price
1001,Ruiz,Lamp,2,19.90
1002,Berg,Desk,1,249.00
1003,Ruiz,Chair,4,59.50
1004,Wei,Shelf,3,45.00
`
const sales = `Datum;Kunde;Betrag
03.01.2026;Meier GmbH;1.249,90
17.01.2026;Huber KG;899,00
14.02.2026;Meier GmbH;2.100,50
28.02.2026;Huber KG;450,00
`
const log = `2026-11-02 08:01:12 INFO start
2026-11-02 08:01:15 ERROR db timeout
2026-11-02 09:22:45 ERROR db timeout
2026-11-02 09:40:11 ERROR disk full
2026-11-02 10:05:59 INFO stop
`
const mails = `From: Anna <anna@example.org>
To: bob@example.com; carla@example.net
Please add dave@example.com and Anna@example.org.
`

const everydayGoal = (
  name: string,
  text: string,
  files: DemoGoal['expected']['files'],
  attachments: DemoGoal['attachments'] = [],
): DemoGoal => ({
  name,
  title: text,
  text,
  criteria: ['There is an answer.'],
  budget: 3_000_000n,
  attachments,
  expected: { state: 'paid', files },
})

const attached = (name: string, artifact_type: string, content: string): DemoGoal['attachments'] => [
  {
    name,
    media_type: artifact_type === 'table.csv' ? 'text/csv' : 'text/plain',
    artifact_type,
    content: Buffer.from(content).toString('base64'),
  },
]
const table = (content: string): DemoGoal['attachments'] => attached('table.csv', 'table.csv', content)
const document = (content: string): DemoGoal['attachments'] => attached('document.txt', 'document.text', content)

export const everydayGoals: readonly DemoGoal[] = [
  everydayGoal(
    'quote',
    'I have to make a quote: 3 chairs at 79.50 each, 1 table for 349, 10% discount on everything, then 19% VAT. What is the total?',
    {
      'price.result': [/629\.21/],
    },
  ),
  everydayGoal('deadline', 'We agreed payment within 10 working days from 3 December 2026. When is the last day?', {
    'date.result': [/17 December 2026/],
  }),
  everydayGoal('loan', 'My loan: 12000 euro at 4.5% yearly over 36 months, whats the monthly payment?', { 'loan.result': [/356\.96/] }),
  everydayGoal('spend', 'total spend (qty x price) per customer', { 'table.answer': [/Ruiz.*277\.8/s, /Berg.*249/s] }, table(orders)),
  everydayGoal(
    'errors',
    'How many errors are in the log, and in which hour were most of them?',
    { 'text.lines': [/3/, /09:00/] },
    document(log),
  ),
  everydayGoal(
    'addresses',
    'Get all email addresses out of this file, no duplicates, sorted alphabetically',
    { 'text.entities': [/anna@example\.org/, /dave@example\.com/] },
    document(mails),
  ),
  everydayGoal('json', 'Repair this JSON: {"a":1,"b":[1,2,],}', { 'format.result': [/"b"/] }),
  everydayGoal('cron', 'What does the cron line 0 9 * * 1-5 mean?', { 'format.result': [/Monday through Friday/] }),
  everydayGoal('kilometer', 'Rechne bitte 12 Meilen in Kilometer um', { 'number.result': [/19[.,]312128/] }),
  everydayGoal('kunden', 'Summe der Beträge je Kunde, absteigend', { 'table.answer': [/Meier GmbH/, /3[.,]?350/] }, table(sales)),
  everydayGoal('dias', '¿Cuántos días hay entre el 3 de marzo de 2026 y el 15 de agosto de 2026?', { 'date.result': [/165/] }),
  everydayGoal('producto', '¿Qué producto tiene el precio más alto?', { 'table.answer': [/Desk/] }, table(orders)),
]
