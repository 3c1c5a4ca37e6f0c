import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

const text = 'Ida: ida@shop.example or 020 7946 0011. Rolf: rolf@shop.example. Again ida@shop.example on 4 June.'
const firstFor = (request: string): string | undefined => suggestedTexts(`${request}\n\n${text}`)[0]?.split(':\n')[0]

describe('everyday verbs', () => {
  it.each([
    ['Please fish all the e-mails out of this, once each.', 'List all e-mail addresses in the text, each once'],
    [
      'Ich will allen eine Rundmail schicken. Können Sie mir die Mailadressen rausholen, jede nur einmal?',
      'List all e-mail addresses in the text, each once',
    ],
    ['Tu peux me récupérer les adresses mail, chacune une seule fois ?', 'List all e-mail addresses in the text, each once'],
    ['¿Me sacas los correos de aquí, cada uno una vez?', 'List all e-mail addresses in the text, each once'],
  ])('extract: %s', (request, sentence) => expect(firstFor(request)).toBe(sentence))

  it.each([
    [
      'I work in a housing advice office and this has to go in a public file today. Please blank out every e-mail adress and every phone number, leave all the rest exactly as it is, the dates too.',
      'Redact all e-mail addresses and phone numbers',
    ],
    ['Hay que tachar los correos y los teléfonos de esta queja.', 'Oculta los correos electrónicos y los teléfonos'],
    ['Il faut masquer les adresses mail et les numéros de téléphone.', 'Masque les adresses e-mail et les numéros de téléphone'],
  ])('hide: %s', (request, sentence) => expect(firstFor(request)).toBe(sentence))

  it.each(['Please send an e-mail to all the e-mail addresses.', 'Schick bitte allen Mailadressen eine Nachricht.'])(
    'decline: %s',
    (request) => expect(firstFor(request)).toBeUndefined(),
  )
})
