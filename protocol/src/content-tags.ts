/**
 * Content tags of a text, which rules can name. Found by form and check digits only, so the same text has the same tags everywhere. A tag
 * means "looks like"; it does not identify a person. @see SPEC.md#rules
 */
export const contentTags = ['pii.email', 'pii.phone', 'pii.card', 'pii.iban', 'secret.key'] as const
export type ContentTag = (typeof contentTags)[number]

/** Of longer texts, only pieces of the beginning and the end are searched. */
const maxLooked = 262_144

const email = /[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.[a-z]{2,24}\b/i
/** With a country code, or grouped as a phone number. A plain row of digits is not a match. */
const phone = /(?<![\w.])\+\d{1,3}(?:[ .-]?\(?\d{2,4}\)?){2,5}(?!\w)/
const digits = /(?<![\w.])(?:\d[ -]?){13,19}(?![\w.])/g
const iban = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g
const key = /\bsk-[A-Za-z0-9_-]{20,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/

/** The tags of a text, in the order of `contentTags`, each once. */
export function contentTagsIn(text: string): ContentTag[] {
  const looked = text.length <= maxLooked ? text : `${text.slice(0, maxLooked / 2)}\n${text.slice(-maxLooked / 2)}`
  const found: ContentTag[] = []
  if (looked.includes('@') && email.test(looked)) found.push('pii.email')
  if (looked.includes('+') && phone.test(looked)) found.push('pii.phone')
  if (anyOf(looked, digits, passesLuhn)) found.push('pii.card')
  if (anyOf(looked, iban, passesMod97)) found.push('pii.iban')
  if (key.test(looked)) found.push('secret.key')
  return found
}

function anyOf(text: string, pattern: RegExp, holds: (match: string) => boolean): boolean {
  for (const [match] of text.matchAll(pattern)) if (holds(match.replace(/[ -]/g, ''))) return true
  return false
}

/** The check digit of payment cards (Luhn). */
function passesLuhn(number: string): boolean {
  if (number.length < 13 || number.length > 19 || /^(\d)\1*$/.test(number)) return false
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i])
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}

/** The check digits of account numbers (ISO 13616). */
function passesMod97(number: string): boolean {
  if (number.length < 15 || number.length > 34) return false
  let rest = 0
  for (const letter of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
