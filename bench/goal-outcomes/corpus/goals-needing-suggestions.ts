/** Goals in the words of stories. The client picks the suggestion that matches, if the planner does not read the words themselves. */
import { type GoalCase, suggested } from '../goal-case.ts'

const rota = { name: 'rota.csv', content: 'day,nurse,shift\n1,Ida,N\n2,Ida,D\n3,Rolf,N\n4,Ida,N\n5,Rolf,D\n' }
const stall = { name: 'stall.csv', content: 'item,sold,price each\nsoap,3,4.50\ncandle,9,2.25\nmug,2,8.00\nbag,1,12.00\n' }
const meter = { name: 'meter.csv', content: 'read on,meter kWh\n2025-01-31,4100\n2025-02-28,4350\n2025-03-31,4720\n2025-04-30,4900\n' }
const stock = { name: 'stock.csv', content: 'sku,item,in stock,reorder level\nA1,Pens,40,50\nA2,Paper,210,100\nA3,Staples,5,20\n' }
const minutes = { name: 'minutes.txt', content: 'Ida: ida@example.org, 020 7946 0018\nRolf: rolf@example.org\nNext meeting 1 June.\n' }
const invoices = { name: 'invoices.csv', content: 'Invoice,Customer,Gross\nI1,Hale,100.00\nI2,Moss,250.00\nI3,Pell,80.00\n' }
const bank = { name: 'bank.csv', content: 'Date,Reference,Paid in\n2025-11-04,I1,100.00\n2025-11-09,I2,200.00\n' }
const kosten = { name: 'kosten.csv', content: 'Raum;Posten;Betrag\nKüche;Strom;12,50\nBad;Wasser;8,00\nKüche;Wasser;4,25\n' }
const arboles = { name: 'arboles.csv', content: 'especie,altura_m\nroble,12.5\npino,18\nroble,10.5\npino,20\n' }
const visites = { name: 'visites.csv', content: 'salle,recette\nNord,840\nSud,665\nNord,1001\nSud,910\n' }

export const goalsNeedingSuggestions: readonly GoalCase[] = [
  suggested(
    'how many nights did each nurse do? N means night. feels unfair to me, I do them all',
    /^How many rows .* per nurse where shift is N/,
    /Ida 2, Rolf 1/,
    { files: [rota], kind: 'rambling' },
  ),
  suggested(
    'So which two things brought in the most money at our stall and what did we take altogether',
    /highest total of sold × price each\? What is the total/,
    [/candle,? 20\.25/, /mug,? 16/, /61\.75/],
    { files: [stall], kind: 'rambling' },
  ),
  suggested(
    'Hello, I read the big meter in the cellar once a month, and the landlord wants what we used and not the readings. Which month was the worst?',
    /^What is the change of meter kWh per read on\? Which/,
    [/250/, /370/, /180/],
    { files: [meter], kind: 'rambling' },
  ),
  suggested('Anything I need to reorder? I mean what is below the reorder level', /reorder level - in stock/, [/Pens|A1/, /Staples|A3/], {
    files: [stock],
    kind: 'rambling',
  }),
  suggested(
    'Before I pass this on to the paper nobody should see any emails or mobile numbers in it, take those out',
    /^Redact all e-mail addresses and phone numbers/,
    [/\[EMAIL\]/, /\[PHONE\]/, /1 June/],
    { files: [minutes], kind: 'rambling' },
  ),
  suggested(
    'Hold the bank lines against the invoices and tell me which are short paid or not paid at all',
    /^Join .* is more than 0/,
    [/50/, /I3|Pell/],
    { files: [invoices, bank], kind: 'rambling' },
  ),
  suggested('heights of my plants 12.4 13.1 11.8 13.1 in cm, teacher wants mean, median and mode', /mean, median and mode of/, [
    /12\.6/,
    /12\.75/,
    /13\.1/,
  ]),
  suggested(
    'From three aunties, lots of doubles. Give me everybody once, abc order please\n\nIda Bell\nRolf\nida bell\nUma',
    /^Remove duplicate lines and sort alphabetically/,
    /Ida Bell\nRolf\nUma/,
  ),
  suggested('45 5 1,15 * 1  hm is that only on mondays then?', /^Explain the cron schedule/, /05:45|5:45/),
  suggested(
    'We buy a van for 18,000, have 3,000 saved which goes in, bank says 6.5 percent over five years. Per month?',
    /^Loan of 15000/,
    /293\.49/,
    {
      kind: 'rambling',
    },
  ),
  suggested('Bitte mal die Beträge je Raum aufaddieren und nach Höhe ordnen, das Teuerste oben', /Summe von Betrag je Raum/, /16[.,]75/, {
    language: 'de',
    files: [kosten],
  }),
  suggested('Hola, soy guarda forestal. ¿Me sacas la altura media de cada especie?', /altura_m p(?:or|er) especie/, [/19/, /11[.,]5/], {
    language: 'es',
    files: [arboles],
    kind: 'rambling',
  }),
  suggested(
    'Pouvez-vous additionner les recettes pour chaque salle et dire laquelle a rapporté le plus ?',
    /recette p(?:ar|er) salle/,
    [/1[ ,.\u00A0]?841/, /1[ ,.\u00A0]?575/],
    {
      language: 'fr',
      files: [visites],
    },
  ),
  suggested('US recipe says 425 F and 1.5 cups of milk, i need celsius and ml', /^Convert 425 F to celsius and 1\.5 cups to ml/, [
    /218/,
    /35[45]/,
  ]),
  suggested(
    'Cuatro sillas a 89,90 € cada una con un 15 % de descuento, y montaje 12 € por silla. ¿Cuánto sale con el 21 % de IVA?',
    /^What is \(\(4 × 89\.90\) × \(1 − 15%\) \+ 4 × 12\) × \(1 \+ 21%\)/,
    /427[.,]9/,
    { language: 'es' },
  ),
]
