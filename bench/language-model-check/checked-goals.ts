/** The goals of `model:check`, with what an answer must have. The checks are weak intentionally: they find failures, and prove no quality. */

export type CheckedGoal = {
  readonly title: string
  readonly text: string
  readonly criteria?: readonly string[]
  readonly files?: readonly { readonly name: string; readonly media_type: string; readonly text: string }[]
  /** Each must match the delivered text. */
  readonly expected: readonly RegExp[]
}

const sales =
  'Region,Product,Qty,Price,Sold\nNorth,Lamp,2,10.50,2026-01-03\nSouth,Lamp,1,11.00,2026-01-20\nNorth,Rug,4,30.00,2026-02-11\nSouth,Rug,3,32.00,2026-02-14\n'
const lease =
  'Lease between Ada Brook (landlord) and Tomas Reyes (tenant). The lease begins on 1 March 2027. The rent is 940 EUR a month, due on the third working day. A deposit of 1,880 EUR is paid before the keys are handed over. Either party may end the lease with three months of notice. Pets need the consent of the landlord.'
const citation = /\[1\][\s\S]*## Sources[\s\S]*https?:\/\/[\s\S]*“/

export const checkedGoals: readonly CheckedGoal[] = [
  { title: 'translate', text: "Translate 'The library opens at nine o'clock' to German.", expected: [/Bibliothek|Bücherei/] },
  {
    title: 'summarise',
    text: 'Fasse den angehängten Mietvertrag in zwei Sätzen auf Deutsch zusammen.',
    files: [{ name: 'lease.txt', media_type: 'text/plain', text: lease }],
    expected: [/Miet/],
  },
  {
    title: 'write',
    text: 'Write a friendly e-mail of at most 80 words that invites Mr Okoro to a garden party on 12 June.',
    criteria: ['It names Mr Okoro', 'It names the date'],
    expected: [/Okoro/, /12/],
  },
  {
    title: 'extract',
    text: 'Extract landlord, tenant, start date and monthly rent from the attached lease.',
    files: [{ name: 'lease.txt', media_type: 'text/plain', text: lease }],
    expected: [/Ada Brook/, /Tomas Reyes/, /940/],
  },
  {
    title: 'classify',
    text: 'Classify each line of the attached file as complaint, praise or question.',
    files: [
      {
        name: 'messages.txt',
        media_type: 'text/plain',
        text: 'The lamp broke after a day.\nLovely service, thank you!\nDo you ship to Norway?\n',
      },
    ],
    expected: [/complaint/, /praise/, /question/],
  },
  {
    title: 'ask a document',
    text: '¿Cuánto es el depósito según el contrato adjunto?',
    files: [{ name: 'lease.txt', media_type: 'text/plain', text: lease }],
    expected: [/1[.,\s]?880/],
  },
  {
    title: 'ask a table',
    text: 'Welche Region hat den höchsten Umsatz, also Menge mal Preis, und wie hoch ist er?',
    files: [{ name: 'sales.csv', media_type: 'text/csv', text: sales }],
    expected: [/North/, /141/],
  },
  {
    title: 'compute',
    text: 'I buy three chairs for 79.50 each and want to know what I pay in all with 19 percent VAT on top.',
    expected: [/283\.8[12]/],
  },
  {
    title: 'code',
    text: 'Write a JavaScript function romanToInt(text) with tests that converts Roman numerals up to MMMCMXCIX to numbers and throws on bad input.',
    expected: [/function\*?\s+romanToInt|romanToInt\s*=/],
  },
  {
    title: 'research 1',
    text: 'Research on the web with citations: in which year was the Rijksmuseum founded, and in which city does it stand?',
    expected: [citation],
  },
  { title: 'research 2', text: 'Research with sources: how high is Mount Kenya, and which is its highest peak?', expected: [citation] },
  { title: 'research 3', text: 'Recherchiere mit Quellen: Wer hat den Dieselmotor erfunden und wann?', expected: [citation] },
]
