/** Goals that a skill covers, with the answers that a person would check. Each was computed without the product. */
import { delivered, type GoalCase } from '../goal-case.ts'
import { climate, newNotes, notes, oldNotes, sales, team, visits } from './sample-files.ts'

const calculations = [
  delivered("What's 18% of 1,250?", /\b225\b/),
  delivered('Hi there, could you work out 12.5 * 84 for me? Many thanks!', /\b1050\b/),
  delivered('2^64', /18446744073709551616/),
  delivered('what is the square root of 1764', /\b42\b/),
  delivered('How much is 7/8 + 5/12?', /31\/24|1\.2916/),
  delivered('I bought something for $64 with 25% off. What is 25% off $64?', /\b48\b/),
  delivered('percentage change from 160 to 200', /25\s?%/),
  delivered('45 is what percent of 180?', /25\s?%/),
  delivered('What is 17 factorial?', /355687428096000/),
  delivered('prime factors of 1001', [/\b7\b/, /\b11\b/, /\b13\b/]),
  delivered('Is 221 a prime number?', /not a prime|no prime|13/i),
  delivered('whats 19 times 23', /\b437\b/),
  delivered('average of 12, 15 and 21', /\b16\b/),
  delivered('Convert 255 to binary', /11111111/),
  delivered('What is 15 percent tip on 86 dollars', /12\.9/),
  delivered('One hundred and twenty divided by eight', /\b15\b/),
  delivered('calculate (3 + 4) * 5 - 6 / 2', /\b32\b/),
  delivered('What is $2,000 at 4% interest for 3 years compounded annually?', /2249\.73/),
]

const units = [
  delivered('Convert 10 miles to km', /16\.09/),
  delivered('How many ounces are in 3 pounds?', /\b48\b/),
  delivered('72 F in celsius', /22\.2/),
  delivered("what's 5'11\" in cm", /180\.3/),
  delivered('How many litres are 15 US gallons?', /56\.78/),
  delivered('convert 90 km/h to m/s please', /\b25\b/),
  delivered('How many seconds are in a week?', /604800/),
  delivered('2.5 acres in square metres', /10117/),
  delivered('How many megabytes are 3 GB?', /\b3000\b|\b3072\b/),
  delivered('180 degrees Celsius in Fahrenheit', /\b356\b/),
  delivered('I need to know how many grams 8 oz are', /226\.7/),
]

const dates = [
  delivered('How many days are there between 2026-03-01 and 2026-12-25?', /\b299\b/),
  delivered('What day of the week was 20 July 1969?', /Sunday/),
  delivered('What date is 90 days after 15 January 2027?', /15 April 2027|2027-04-15|April 15, 2027/),
  delivered('Is 2100 a leap year?', /not a leap year|no leap year|365 days/i),
  delivered('how many weeks between 1 Jan 2027 and 26 Feb 2027', /\b8\b/),
  delivered('Add 3 months to 30 November 2026', /28 February 2027|2027-02-28|February 28, 2027/),
  delivered('How many working days are in March 2027?', /\b23\b/),
  delivered('What is the ISO week number of 4 January 2027?', /\b1\b/),
]

const codes = [
  delivered('Make me a QR code for https://example.com/menu', /<svg/),
  delivered('I need a QR code that says "Table 12"', /<svg/),
  delivered('create a wifi qr code for the network "CafeGuest" with password "latte-2027"', /<svg/),
]

const tables = [
  delivered('What is the total of the Total column?', /\b978\.4/, { files: [sales] }),
  delivered('which store sold the most?', /York|Leeds/, { files: [sales] }),
  delivered('Total quantity per item', [/Kettle 11/, /Toaster 5/, /Blender 3/], { files: [sales] }),
  delivered('How many orders did York have?', /\b3\b/, { files: [sales] }),
  delivered('What was the total in February?', /248\.6/, { files: [sales] }),
  delivered('What is the average price of a Toaster?', /54\.5/, { files: [sales] }),
  delivered('How many kettles were sold in Hull?', /\b4\b/, { files: [sales] }),
  delivered('What is the share of Leeds in the total?', /43(\.0|\.1)?\s?%/, { files: [sales] }),
  delivered('Show me the top 2 orders by total', [/5008/, /5006/], { files: [sales] }),
  delivered('How many different items are there in the attached file?', /\b3\b/, { files: [sales] }),
  delivered('Who has the highest salary?', /Mila/, { files: [team] }),
  delivered('average salary by city', [/Utrecht 3937\.5/, /Gent 5585\.25/, /Leiden 4480\.25/], { files: [team] }),
  delivered('What is the median age?', /\b38\b/, { files: [team] }),
  delivered('How many people live in Gent?', /\b2\b/, { files: [team] }),
  delivered('Who is the oldest?', /Mila/, { files: [team] }),
  delivered('Sum of all visits please', /\b5475\b/, { files: [visits] }),
  delivered('In which month were signups highest?', /2025-04|April/, { files: [visits] }),
  delivered('signups per visit by month', [/0\.05|5\s?%/, /0\.08|8\s?%/], { files: [visits] }),
  delivered('Which month had the most rain?', /Nov/, { files: [climate] }),
  delivered('What is the average temperature?', /10\.43/, { files: [climate] }),
  delivered('How many months had more than 80 mm of rain?', /\b5\b/, { files: [climate] }),
]

const figures = [
  delivered('What was the revenue of Apple in 2020?', /274[,.]?515/),
  delivered('I want to know the annual revenue of Microsoft from 2016 to 2020 as a chart in text', [
    /91[,.]?154|85[,.]?320/,
    /143[,.]?015/,
  ]),
  delivered('Plot the net income of Amazon from 2016 to 2020 as SVG', /<svg/),
  delivered('Write a trend analysis report on the revenue of Alphabet from 2015 to 2020', [/182[,.]?527/, /CAGR|compound/i]),
  delivered('Compare the revenue of Apple and Microsoft from 2018 to 2020 in a short report', [/274[,.]?515/, /143[,.]?015/]),
  delivered('Please draw a chart of the attached table', /<svg/, { files: [climate] }),
  delivered('Draw a text chart of the visits in the attached file', /█|▇|\|/, { files: [visits] }),
  delivered('Write a report on the attached figures', /Temperature|Rain/, { files: [climate] }),
]

const texts = [
  delivered('How many words are in "To be, or not to be, that is the question"?', /\b10 words/),
  delivered('Count the characters in "naïve café"', /\b10 characters/),
  delivered('How long does it take to read the attached text?', /Reading time about/, { files: [notes] }),
  delivered('What is the reading level of the attached document?', /Flesch/, { files: [notes] }),
  delivered('Extract the e-mail addresses from "Ask bob@example.org or sales@example.net today"', [
    /bob@example\.org/,
    /sales@example\.net/,
  ]),
  delivered('find all the dates and amounts of money in the attached file', [/14 October 2026/, /£2,?400,?000/], { files: [notes] }),
  delivered('List the links: Docs are at https://example.org/docs and www.example.net', [
    /https:\/\/example\.org\/docs/,
    /www\.example\.net/,
  ]),
  delivered('Redact the personal data in the attached text', [/\[EMAIL\]/, /\[PHONE\]/], { files: [notes] }),
  delivered('Anonymise this text: "Call me on +44 20 7946 0958"', /\[PHONE\]/),
  delivered('Summarise the attached document in three sentences', /library/i, { files: [notes] }),
  delivered('TL;DR of the attached file please', /library/i, { files: [notes] }),
  delivered('What changed between the two attached files?', [/2027/, /2028/], { files: [oldNotes, newNotes] }),
  delivered('Compare "The meeting is on Monday at nine" with "The meeting is on Friday at nine"', [/Monday/, /Friday/]),
  delivered('Sort alphabetically: walnut, almond, pecan, hazelnut', /almond, hazelnut, pecan, walnut/),
  delivered('remove duplicate lines: red\nblue\nred\ngreen', /red\s+blue\s+green/),
  delivered('Convert "Quarterly Results 2026" to uppercase', /QUARTERLY RESULTS 2026/),
  delivered('Base64 encode "parley"', /cGFybGV5/),
  delivered('decode this base64: aGVsbG8=', /hello/),
  delivered('sha256 of "hello"', /2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824/),
  delivered('Make a URL slug from "Crème brûlée: 5 easy steps"', /creme-brulee-5-easy-steps/),
  delivered('replace "colour" with "color" in "The colour of the colours"', /The color of the colours/),
  delivered('How often does "the" occur in "The cat saw the dog and the bird"?', /3 times/),
  delivered('What language is "Bonjour, je voudrais réserver une table pour deux personnes"?', /French/),
  delivered('Give me the keywords of the attached document', /library/i, { files: [notes] }),
  delivered('Reverse the string "drawer"', /reward/),
  delivered('url encode "a b/c?d=é"', /a%20b%2Fc%3Fd%3D%C3%A9/),
]

const rambling = [
  delivered(
    'Good morning! We are a small shop and I am doing the books today because our accountant is on holiday. Anyway, what is 20% of 4,315?',
    /\b863\b/,
    { kind: 'rambling' },
  ),
  delivered(
    'My sister is moving to the US and she is confused by the weather app. How much is 95 F in celsius? Thanks so much!!',
    /\b35\b/,
    {
      kind: 'rambling',
    },
  ),
  delivered('ok so I have this file from our till system. I would just like to know: what is the total quantity?', /\b19\b/, {
    kind: 'rambling',
    files: [sales],
  }),
]

export const coveredGoals: readonly GoalCase[] = [
  ...calculations,
  ...units,
  ...dates,
  ...codes,
  ...tables,
  ...figures,
  ...texts,
  ...rambling,
]
