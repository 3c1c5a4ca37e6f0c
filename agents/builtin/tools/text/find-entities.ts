/** Finds e-mail addresses, links, numbers and other things of a fixed form in a text. All patterns take linear time. */

export type EntityKind =
  | 'email'
  | 'url'
  | 'phone'
  | 'iban'
  | 'card'
  | 'ip'
  | 'date'
  | 'money'
  | 'percentage'
  | 'hashtag'
  | 'mention'
  | 'number'

export type Entity = { readonly kind: EntityKind; readonly text: string; readonly at: number }

const months =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const currency = '(?:USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|USDC|BTC|ETH|dollars?|euros?|pounds?|cents?)'
const amount = "\\d{1,15}(?:[.,’' ]\\d{3}){0,5}(?:[.,]\\d{1,4})?(?:\\s?(?:million|billion|thousand|bn|mn|[kKmM])\\b)?"

/** In order: an earlier kind keeps its text from a later one. */
const finders: readonly { readonly kind: EntityKind; readonly pattern: RegExp; readonly check?: (text: string) => boolean }[] = [
  { kind: 'url', pattern: /\b(?:https?:\/\/|www\.)[^\s<>"“”«»`]{1,2000}/gi },
  { kind: 'email', pattern: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/gu },
  { kind: 'iban', pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g, check: isIban },
  { kind: 'card', pattern: /(?<![\d-])\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,7}(?![\d-])/g, check: hasLuhnDigit },
  {
    kind: 'ip',
    pattern:
      /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)|(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi,
  },
  {
    kind: 'date',
    pattern: new RegExp(
      `\\b\\d{4}-\\d{2}-\\d{2}\\b|(?<![\\d.+/-])\\d{1,2}[./]\\d{1,2}[./](?:\\d{4}|\\d{2})\\b(?![./-]\\d)|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${months}\\.?,?(?: \\d{4})?\\b|\\b${months}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4}\\b)?|\\b${months} \\d{4}\\b`,
      'gi',
    ),
  },
  {
    kind: 'money',
    pattern: new RegExp(`[$€£¥₹]\\s?${amount}|\\b${amount}\\s?(?:[€£¥₹$]|${currency}\\b)|\\b(?:USD|EUR|GBP|CHF)\\s?${amount}`, 'g'),
  },
  { kind: 'percentage', pattern: /\d+(?:[.,]\d+)?\s?(?:%|percent\b|per cent\b)/gi },
  { kind: 'phone', pattern: /(?<![\w.,/-])(?:\+|00)?\(?\d{1,4}\)?(?:[ ./-]?\(?\d{1,5}\)?){1,6}(?![\w/-]|[.,]\d)/g, check: isPhone },
  { kind: 'hashtag', pattern: /(?<![\p{L}\p{N}_&/#])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu },
  { kind: 'mention', pattern: /(?<![\p{L}\p{N}_.@/])@[\p{L}\p{N}_]{2,40}(?:\.[\p{L}\p{N}_]{1,40})*/gu },
  {
    kind: 'number',
    pattern:
      /(?<![\p{L}\p{N}.,])[-−]?\d{1,3}(?:[,’' ]\d{3})+(?:\.\d+)?(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.,])[-−]?\d+(?:[.,]\d+)*(?![\p{L}\p{N}])/gu,
  },
]

function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (plain.length < 15 || plain.length > 34) return false
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** The check digit of payment cards. */
function hasLuhnDigit(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0
}

/** Seven to fifteen digits with an international prefix, a leading 0, or separators as in telephone numbers. */
function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (digits.length < 7 || digits.length > 15) return false
  return /^(?:\+|00)/.test(text) || /^\(?0\d/.test(text) || /^\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}$/.test(text)
}

/** All entities of the kinds in the order of the text, without overlaps. */
export function findEntities(text: string, kinds: readonly EntityKind[]): Entity[] {
  const found: Entity[] = []
  const taken = new Uint8Array(text.length)
  for (const { kind, pattern, check } of finders)
    for (const match of text.matchAll(pattern)) {
      const value = kind === 'url' || kind === 'email' ? match[0].replace(/(?<![.,;:!?)\]}'’])[.,;:!?)\]}'’]+$/, '') : match[0].trim()
      const at = match.index + match[0].indexOf(value)
      if (value === '' || isTaken(taken, at, value.length) || (check && !check(value))) continue
      taken.fill(1, at, at + value.length)
      if (kinds.includes(kind)) found.push({ kind, text: value, at })
    }
  return found.sort((a, b) => a.at - b.at)
}

const isTaken = (taken: Uint8Array, at: number, length: number): boolean => taken.subarray(at, at + length).includes(1)

/** What people call each kind. */
export const kindWords: { readonly [kind in EntityKind]: string } = {
  email: 'e-?mail ?add?ress(?:es)?|e-?mail ids?|e-?mails?|mail add?ress(?:es)?|mails',
  url: 'urls?|links?|hyperlinks?|web ?addresses|websites?|web pages|web links',
  phone: '(?:tele)?phone(?: ?(?:numbers?|nos?\\.?|nrs?))?|phones|(?:mobile|cell|cell ?phone|contact) numbers?',
  iban: 'ibans?|bank account numbers?|bank accounts?',
  card: '(?:credit )?card numbers?|credit cards?|payment cards?',
  ip: 'ip add?ress(?:es)?|ips?',
  date: '(?:all )?dates?',
  money:
    '(?:money )?amounts?(?: of money)?|prices?|sums of money|monetary (?:amounts?|values?)|costs?|(?:currency|dollar|euro) (?:amounts?|values?)|money',
  percentage: 'percentages?|percents?',
  hashtag: 'hash ?tags?',
  mention: '(?:user ?name |@)?mentions?|@mentions?|handles?|usernames?',
  number: 'numbers?|numerals?|figures|numeric values?|digits',
}

export const kindNames: { readonly [kind in EntityKind]: readonly [one: string, many: string] } = {
  email: ['e-mail address', 'e-mail addresses'],
  url: ['link', 'links'],
  phone: ['telephone number', 'telephone numbers'],
  iban: ['IBAN', 'IBANs'],
  card: ['card number', 'card numbers'],
  ip: ['IP address', 'IP addresses'],
  date: ['date', 'dates'],
  money: ['amount of money', 'amounts of money'],
  percentage: ['percentage', 'percentages'],
  hashtag: ['hashtag', 'hashtags'],
  mention: ['mention', 'mentions'],
  number: ['number', 'numbers'],
}

export const entityKinds = Object.keys(kindNames) as EntityKind[]
/** The words of all kinds as one pattern without groups to capture. */
export const anyKind = `(?:${entityKinds.map((kind) => kindWords[kind]).join('|')})`

/** The kinds that a list such as "e-mails, links and phone numbers" names. */
export const kindsIn = (words: string): EntityKind[] =>
  words
    .split(/,| and | or |&|\//)
    .map((part) => part.replace(/^(?:\s|all|every|any|the|each)+/, '').trim())
    .flatMap((part) => entityKinds.filter((kind) => new RegExp(`^(?:${kindWords[kind]})$`).test(part)).slice(0, 1))

/** `3 links and 1 date`. */
export function countKinds(entities: readonly Entity[], kinds: readonly EntityKind[]): string {
  const texts = kinds.map((kind) => {
    const n = entities.filter((one) => one.kind === kind).length
    return `${n === 0 ? 'no' : n.toLocaleString('en-US')} ${kindNames[kind][n === 1 ? 0 : 1]}`
  })
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}
