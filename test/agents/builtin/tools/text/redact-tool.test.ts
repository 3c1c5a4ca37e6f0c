import { describe, expect, it } from 'vitest'
import { askTextTools } from './ask-text-tools.ts'

const letter = "Dear Anna,\nBob and Anna's brother met Hannah. ANNA was late, Will will call +49 30 1234567.\n"

describe('text.redact', () => {
  it.each([
    [
      'black out the names Anna and Bob',
      "Redacted: “Anna” 3 times, “Bob” once. Other names stay. Dear [REDACTED],\n[REDACTED] and [REDACTED]'s brother met Hannah. [REDACTED] was late, Will will call +49 30 1234567.\n",
    ],
    [
      'Redact "Bob" and all phone numbers please',
      "Redacted: “Bob” once. Replaced 1 telephone number. Other names and postal addresses are not recognised. Dear Anna,\n[REDACTED] and Anna's brother met Hannah. ANNA was late, Will will call [PHONE].\n",
    ],
    ['hide every mention of Will in the letter', /^Redacted: “Will” once\./],
    ['censor the name Zoe', /^Redacted: “Zoe” does not occur\./],
  ])('reads %s', async (text, answer) => {
    const result = (await askTextTools(text, letter)).replace(/^text\.redact: /, '')
    if (typeof answer === 'string') expect(result).toBe(answer)
    else expect(result).toMatch(answer)
  })

  it('reads the text after the words', async () => {
    expect(await askTextTools('Black out the name Anna Miller in this text:\n\nMs Anna Miller and Anna.')).toMatch(
      /Ms \[REDACTED\] and Anna\.$/,
    )
  })

  it.each(['black out all names', 'Redact the names of all customers', 'hide Anna from the guest list and email Bob', 'mask my photo'])(
    'does not take %s',
    async (text) => {
      expect(await askTextTools(text, letter)).toBe('not taken')
    },
  )

  const complaint =
    'From: Dana <dana@example.com>\nDate: Tue, 3 Jun 2025\nOrder KC-20931: call +44 7700 900123 or 020 7946 0018. Card 4111 1111 1111 1111, exp 09/27, GB82 WEST 1234 5698 7654 32, IP 203.0.113.58.\n'
  const clean =
    'From: Dana <[EMAIL]>\nDate: Tue, 3 Jun 2025\nOrder KC-20931: call [PHONE] or [PHONE]. Card [CARD], exp 09/27, [IBAN], IP [IP].\n'
  const names = 'Names and postal addresses are not recognised.'
  it.each([
    'We want to use this complaint as a training example for new staff. Please blank out every email address, phone number, card number, bank account and IP in it. Keep the order number and the dates, we need those.',
    'hide emails, phones, cards, IBANs and IP adresses but keep the dates and the order number',
    'Mask all emails, phone numbers, card numbers, bank details and IPs. The dates and the order number must stay.',
  ])('keeps what must stay: %s', async (text) => {
    const result = await askTextTools(text, complaint)
    expect(result).toContain(`Replaced 1 e-mail address, 2 telephone numbers, 1 card number, 1 IBAN and 1 IP address. ${names}`)
    expect(result).toContain('Kept and checked: 3 Jun 2025; KC-20931.')
    expect(result.endsWith(clean)).toBe(true)
  })

  it('never blanks out a number that must stay', async () => {
    const result = await askTextTools('mask all phone numbers but keep the order number', 'Order 0207 946 0018, call 0207 946 0019.')
    expect(result).toContain('Order 0207 946')
    expect(result).toContain('call [PHONE].')
  })

  it.each([
    'blank out every email but keep dana@example.com',
    'hide everything except the order number',
    'mask emails but not those of our staff',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, complaint)).toBe('not taken')
  })
})
