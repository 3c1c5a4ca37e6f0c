/** Everyday goals for the newer tools, with the files that people attach. */
import { delivered, type GoalCase } from '../goal-case.ts'

const file = (name: string, content: string): GoalCase['files'] => [{ name, content }]

const orders = file(
  'orders.csv',
  'order_id,customer_id,product,qty,price\n1001,C1,Lamp,2,19.90\n1002,C2,Desk,1,249.00\n1003,C1,Chair,4,59.50\n1004,C9,Lamp,1,19.90\n1005,C3,Shelf,3,45.00\n',
)
const customers = file('customers.csv', 'id,name,city\nC1,Ana Ruiz,Madrid\nC2,Jon Berg,Oslo\nC3,Li Wei,Berlin\nC4,Tom Hale,Leeds\n')
const sensor = file('sensor.csv', 'time,temp\n08:00,20.1\n09:00,20.4\n10:00,85.0\n11:00,20.2\n12:00,20.6\n13:00,19.9\n')
const log = file(
  'app.log',
  '2026-11-02 08:01:12 INFO start\n2026-11-02 08:01:15 ERROR db timeout\n2026-11-02 08:14:02 WARN slow query\n2026-11-02 09:22:45 ERROR db timeout\n2026-11-02 09:40:11 ERROR disk full\n',
)
const mails = file(
  'mail.txt',
  'From: Anna <anna@example.org>\nTo: bob@example.com; carla@example.net\nTel. +43 660 1234567, anna@example.org\n',
)
const config = '{"service":"ingest","country":"NO","zip":"01230","topics":["a","b"]}'

export const everydayCorpus: readonly GoalCase[] = [
  delivered(
    'I have to make a quote: 3 chairs at 79.50 each, 1 table for 349, 10% discount on everything, then 19% VAT. What is the total?',
    /629\.21/,
  ),
  delivered('Invoice gross is 595.00 EUR including 19% VAT. what was the net amount and how much vat?', [/500\.00/, /95\.00/]),
  delivered('split a bill of 186.40 between 5 people with 15% tip', /42\.87/),
  delivered('My loan: 12000 euro at 4.5% yearly over 36 months, whats the monthly payment?', /356\.96/),
  delivered('We agreed payment within 10 working days from 3 December 2026. When is the last day?', /17 December 2026/),
  delivered('I am 5 ft 11 and weigh 172 lbs, whats that in cm and kg', [/180\.34/, /78\.01/]),
  delivered('My recipe is for 4 people and needs 350 g flour, 2 eggs and 120 ml milk. I need it for 10 people.', [/875 g/, /300 ml/]),
  delivered('total spend (qty x price) per customer', [/C1 277\.8/, /C3 135/], { files: orders }),
  delivered('which 2 products bring the most money?', /Desk 249.*Chair 238/s, { files: orders }),
  delivered('draw a bar chart of revenue by product', [/Desk 249/, /<svg/], { files: orders }),
  delivered(
    'Join both files on the customer id so that I see the customer name next to each order. Also list orders with no matching customer.',
    [/Ana Ruiz/, /1004/],
    { files: [...orders, ...customers] },
  ),
  delivered('Are there outliers in the temp column? Give me the average with and without them.', [/85/, /31\.03/, /20\.24/], {
    files: sensor,
  }),
  delivered('how many errors are in the log file and in which hour were most of them?', [/\b3 lines/, /09:00/], { files: log }),
  delivered('Get all email addresses out of this file, no duplicates, sorted alphabetically', [/4|3/, /carla@example\.net/], {
    files: mails,
  }),
  delivered('black out all phone numbers and emails in the attached file', [/\[EMAIL\]/, /\[PHONE\]/], { files: mails }),
  delivered(
    'Sort this list alphabetically and remove duplicates: pears, Apples, bananas, apples, cherries, Bananas',
    /Apples, bananas, cherries, pears/,
  ),
  delivered('convert to yaml', [/country: "NO"/, /zip: "01230"/], { files: file('pipeline.json', config) }),
  delivered('wont parse. whats wrong with it, and give me the yaml', [/comma/, /service: ingest/], {
    files: file('broken.json', config.replace('"b"]', '"b",]')),
  }),
  delivered('Convert the attached Markdown to HTML', [/<table>/, /<h1>Trip<\/h1>/], {
    files: file('trip.md', '# Trip\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'),
  }),
  delivered('What colour is #3a7bd5 in rgb and hsl?', /rgb\(58, 123, 213\)/),
  delivered('what does cron 0 9 * * 1-5 mean', /Monday through Friday/),
  delivered('roman numeral for 1994', /MCMXCIV/),
  delivered('base64 decode aGVsbG8gd29ybGQ=', /hello world/),
]
