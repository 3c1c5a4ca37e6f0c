import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

describe('several questions on dates', () => {
  it.each([
    [
      'Auf welchen Wochentag fällt der 17.6.2027, in welcher Kalenderwoche ist das, und wieviele Arbeitstage sind es vom 1.6.2027 bis dahin, den 17.6. nicht mitgezählt',
      'How many working days are there from 1 June 2027 to 16 June 2027? Which calendar week is 17 June 2027? Which weekday is 17 June 2027?',
    ],
    [
      'cuantos dias faltan desde el 3 de mayo de 2027 hasta el viaje el 9 de julio de 2027 y que dia de la semana cae',
      'How many days are there from 3 May 2027 to 9 July 2027? Which weekday is 9 July 2027?',
    ],
    [
      'The notice of 12 May 2027 gives me 20 days, only Monday to Friday count. Last day?',
      'Which date is 20 working days after 12 May 2027?',
    ],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)[0]).toBe(text))
})

describe('a cash discount with its last day', () => {
  it('is one plan of two steps', () => {
    expect(
      suggestedTexts(
        'Rechnung vom 4. Mai 2027 über 1.950,40 €, drei Prozent Skonto, wenn ich in 10 Tagen zahle. Was überweise ich, und bis wann?',
      )[0],
    ).toBe('1 item for 1950.40, minus 3% cash discount: what is the total? Which date is 10 days after 4 May 2027?')
  })
})

describe('schedules to write', () => {
  it.each([
    [
      'Das Skript soll montags bis freitags um halb acht laufen, wie heißt die Zeile in der crontab?',
      'Write the cron schedule for every weekday at 7:30',
    ],
    ['the line for cron that runs every day at 23:15', 'Write the cron schedule for every day at 23:15'],
    ['une ligne cron pour tous les jours à 5 heures du matin svp', 'Write the cron schedule for every day at 5:00'],
    ['necesito la línea de cron para los domingos a las 9 de la noche', 'Write the cron schedule for every Sunday at 21:00'],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)).toContain(text))
})

describe('other notations', () => {
  it.each([
    ['Engraving for a clock, 27 3 1961, how do I write these the roman way', 'Write 27, 3 and 1961 as Roman numerals'],
    ['die druckerei will rot grün und blau als zahlen, ich hab nur #1F4E79', 'Convert #1F4E79 to RGB'],
    ['I need the md5 of the text cellar_door-7 and nothing else', 'What is the MD5 of “cellar_door-7”?'],
    ['bitte sha256 von dem Text keller-2.0 und auch base64', 'What is the SHA-256 of “keller-2.0”? Encode “keller-2.0” as base64'],
    [
      'for the flyer: a qr code that opens https://example.org/menu?x=1 when people scan it',
      'Make a QR code of https://example.org/menu?x=1',
    ],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)[0]).toBe(text))
})

describe('units', () => {
  it.each([
    ['passport wants cm and kilos, i am six foot two and thirteen stone nine', 'Convert 6 ft 2 in to cm and 13 st 9 lb to kilograms'],
    [
      'Wohnmobil drüben: Tank 25 Gallonen (die amerikanischen), Tempo 55 mph, was ist das in Liter und km/h',
      'Convert 25 us gallons to litres and 55 mph to km/h',
    ],
    ['五亩三分地是多少平方米', 'Convert 5.3 mu to square metres'],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)[0]).toBe(text))
})
