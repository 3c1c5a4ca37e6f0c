import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

const orders = ['orders.csv', 'order,customer no,item\nB1,12,napkins\nB2,11,flour\n'] as const
const customers = ['customers.csv', 'customer no,name\n11,Stein\n12,Linde\n'] as const
const guests = ['guests.csv', 'first name,last name,table\nOlivia,Marsh,3\nBen,Adeyemi,1\nCarla,Zimmer,2\n'] as const
const bikes = ['velos.csv', 'date,couleur,vendus\n2026-09-01,rouge,4\n2026-09-02,bleu,7\n2026-09-03,rouge,2\n'] as const
const visitors = ['visitors.csv', 'date,weekday,visitors\n2026-11-02,Monday,120\n2026-11-03,Tuesday,95\n2026-11-09,Monday,140\n'] as const
const members = ['members.json', '[{"name":"Ida","town":"Bergen"},{"name":"Mona","town":"Oslo"}]'] as const

describe('requests in everyday words', () => {
  it.each([
    ['Please remove the duplicates from my shopping list: milk, eggs, bread, milk, tea', 'Remove duplicates: milk, eggs, bread, milk, tea'],
    ['What does this base64 say? SGVsbG8sIFBhcmxleSE=', 'Decode base64: SGVsbG8sIFBhcmxleSE='],
    ['A log line says 1767225600 - what date and time is that in UTC?', 'Convert unix timestamp 1767225600 to UTC'],
    ['Homework: break 5040 into its prime factors', 'Prime factors of 5040'],
    ['我是1988年5月17日出生的,今天我多少岁了?', 'How old is someone born on 17 May 1988?'],
    ['Tengo que repartir 1.250 € entre tres socios al 50 %, 30 % y 20 %. ¿Cuánto le toca a cada uno?', 'Split 1250 in the ratio 50:30:20'],
    [
      'Ich brauche einen QR-Code für unser Gäste-WLAN, Name CafeLuna, Passwort kaffee2026',
      'Make a QR code for the wifi “CafeLuna” with the password “kaffee2026”',
    ],
    ['My rent is going up from 870 to 935 a month. How much more do I pay in a year?', 'Calculate (935 - 870) * 12'],
    ['Meine Miete steigt von 870,50 auf 935 Euro im Monat. Wie viel mehr zahle ich im Jahr?', 'Calculate (935 - 870.50) * 12'],
    ['Je gagne 2 150 € par mois sur treize mois, ça fait combien par an ?', 'Calculate 2150 * 13'],
  ])('%s', (text, reading) => {
    expect(suggestedTexts(text)[0]).toBe(reading)
  })

  it('reads what is to be done with a table', () => {
    expect(suggestedTexts('Put my guest list in order by last name please', guests)[0]).toBe('Sort the table by last name')
    expect(suggestedTexts('Combien de vélos avons-nous vendus pour chaque couleur ?', bikes)).toContain(
      'Quelle est la somme de vendus par couleur ?',
    )
    const days = 'On average, how many visitors does the museum get on each day of the week?'
    expect(suggestedTexts(days, visitors)).toContain('What is the average of visitors per weekday?')
  })

  it('joins tables where each row of one gets a name of the other', () => {
    expect(suggestedTexts('Add the customer name to each order', orders, customers)[0]).toBe('Join orders.csv with customers.csv')
    expect(suggestedTexts('Tell each customer that the order is late', orders, customers)).toEqual([])
  })

  it('reads the year of a Chinese date as no span', () => {
    expect(suggestedTexts('2026年12月1日之后30天是哪天?').join(' ')).not.toContain('2026 years')
  })

  it('converts an attached JSON file', () => {
    expect(suggestedTexts('I need this as a CSV that opens in Excel', members)[0]).toBe('Convert this JSON to CSV')
  })

  it.each([
    'Remove the duplicates from my photo library',
    'Which base64 library should I use?',
    'The order 1767225600 was late, what shall I do?',
    'Explain what a prime factor is',
    'Wo wurde Goethe geboren?',
    'Split the group 50 % to the left and 20 % to the right',
    'Our WLAN QR code is ugly, make a nicer one',
    'Is CSV better than JSON?',
    'Will the rent go up from month to month, and how much more is it in a year?',
    'Il gagne sa vie depuis treize mois, et par an ?',
  ])('gives no reading of “%s”', (text) => {
    expect(suggestedTexts(text)).toEqual([])
  })
})
