/** Writes what the tool for lines has counted: `3 lines of level ERROR`, or counts by hour. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import type { SlotWriter } from './sentence-template.ts'
import { writeCountedNoun, writePlural } from './write-counted-noun.ts'

type Forms = InEachLanguage<readonly [is: string, isNot: string]>

/** `{v}` is what the lines have. */
const level: Forms = {
  de: ['der Stufe {v}', 'nicht der Stufe {v}'],
  fr: ['de niveau {v}', 'pas de niveau {v}'],
  es: ['de nivel {v}', 'no de nivel {v}'],
  zh: ['级别为 {v}', '级别不为 {v}'],
}
const start: Forms = {
  de: ['mit {v} am Anfang', 'ohne {v} am Anfang'],
  fr: ['commençant par {v}', 'ne commençant pas par {v}'],
  es: ['que empiezan por {v}', 'que no empiezan por {v}'],
  zh: ['以{v}开头', '不以{v}开头'],
}
const end: Forms = {
  de: ['mit {v} am Ende', 'ohne {v} am Ende'],
  fr: ['finissant par {v}', 'ne finissant pas par {v}'],
  es: ['que terminan en {v}', 'que no terminan en {v}'],
  zh: ['以{v}结尾', '不以{v}结尾'],
}
const content: Forms = {
  de: ['mit {v}', 'ohne {v}'],
  fr: ['contenant {v}', 'sans {v}'],
  es: ['que contienen {v}', 'sin {v}'],
  zh: ['包含{v}', '不包含{v}'],
}
const period: Forms = {
  de: ['von {v} bis {w}', 'nicht von {v} bis {w}'],
  fr: ['de {v} à {w}', 'pas de {v} à {w}'],
  es: ['de {v} a {w}', 'no de {v} a {w}'],
  zh: ['从 {v} 到 {w}', '不在 {v} 到 {w} 之间'],
}
const longer: Forms = {
  de: ['mit mehr als {v} Zeichen', 'nicht mit mehr als {v} Zeichen'],
  fr: ['de plus de {v} caractères', 'pas de plus de {v} caractères'],
  es: ['con más de {v} caracteres', 'sin más de {v} caracteres'],
  zh: ['多于 {v} 个字符', '不多于 {v} 个字符'],
}
const shorter: Forms = {
  de: ['mit weniger als {v} Zeichen', 'nicht mit weniger als {v} Zeichen'],
  fr: ['de moins de {v} caractères', 'pas de moins de {v} caractères'],
  es: ['con menos de {v} caracteres', 'sin menos de {v} caracteres'],
  zh: ['少于 {v} 个字符', '不少于 {v} 个字符'],
}

const quoted = '“[^”]*”(?: (?:or|and) “[^”]*”)*'
const tests: readonly (readonly [RegExp, Forms])[] = [
  [/of level ([A-Z]+(?: or [A-Z]+)*)/y, level],
  [new RegExp(`starting with (${quoted})`, 'y'), start],
  [new RegExp(`ending with (${quoted})`, 'y'), end],
  [new RegExp(`containing (${quoted})`, 'y'), content],
  [/from ([\d:]+) to ([\d:]+)/y, period],
  [/with more than (\d+) characters/y, longer],
  [/with fewer than (\d+) characters/y, shorter],
  [/with ([a-z]+(?: or [a-z]+)*)/y, content],
]

const orWords: InEachLanguage = { de: ' oder ', fr: ' ou ', es: ' o ', zh: ' 或 ' }
const andWords: InEachLanguage = { de: ' und ', fr: ' et ', es: ' y ', zh: ' 和 ' }
const quotationMarks: InEachLanguage = { de: '„$1“', fr: '«\u00A0$1\u00A0»', es: '«$1»', zh: '“$1”' }

/** Kinds of things in a line, by the names of their counts. */
const kindNames: { readonly [kind: string]: string } = {
  email: 'e-mail address',
  url: 'link',
  phone: 'telephone number',
  card: 'card number',
  ip: 'IP address',
  iban: 'IBAN',
  money: 'amount of money',
}

function writeTestValue(text: string, language: AnswerLanguage): string | undefined {
  if (text.startsWith('“'))
    return text
      .replace(/(?<=”) or (?=“)/g, orWords[language])
      .replace(/(?<=”) and (?=“)/g, andWords[language])
      .replace(/“([^”]*)”/g, quotationMarks[language])
  const names = text.split(' or ').map((one) => (/^[a-z]/.test(one) ? writePlural(kindNames[one] ?? one, language) : one))
  return names.includes(undefined) ? undefined : names.join(orWords[language])
}

/** ` of level ERROR, not starting with “x”` */
function writeTests(text: string, language: AnswerLanguage): string | undefined {
  const written: string[] = []
  for (let at = 0; at < text.length; ) {
    const lead = at === 0 ? ' ' : ', '
    if (!text.startsWith(lead, at)) return undefined
    at += lead.length
    const isNot = text.startsWith('not ', at)
    if (isNot) at += 4
    const found = tests.find(([pattern]) => {
      pattern.lastIndex = at
      return pattern.test(text)
    })
    if (!found) return undefined
    const [pattern, forms] = found
    pattern.lastIndex = at
    const [whole = '', first = '', second = ''] = pattern.exec(text) ?? []
    const value = writeTestValue(first, language)
    if (value === undefined) return undefined
    written.push((forms[language][isNot ? 1 : 0] ?? '').replace('{v}', () => value).replace('{w}', second))
    at += whole.length
  }
  if (written.length === 0) return ''
  return language === 'zh' ? `（${written.join('，')}）` : ` ${written.join(', ')}`
}

/** What lines are counted by: `English = German; French; Spanish; Chinese`. */
const groupLines = `
level = Stufe; niveau; nivel; 级别
hour = Stunde; heure; hora; 小时
hour of the day = Tagesstunde; heure de la journée; hora del día; 一天中的小时
day = Tag; jour; día; 日期
minute = Minute; minute; minuto; 分钟
first word = erstem Wort; premier mot; primera palabra; 首词
content = Inhalt; contenu; contenido; 内容
IP address = IP-Adresse; adresse IP; dirección IP; IP 地址
message (with # for each number) = Meldung (mit # für jede Zahl); message (avec # pour chaque nombre); mensaje (con # para cada número); 消息（数字以 # 表示）
a level such as ERROR = Stufe wie ERROR; niveau comme ERROR; nivel como ERROR; 级别（如 ERROR）
a time such as 08:01 = Uhrzeit wie 08:01; heure comme 08:01; hora como 08:01; 时间（如 08:01）
a date such as 2026-11-02 = Datum wie 2026-11-02; date comme 2026-11-02; fecha como 2026-11-02; 日期（如 2026-11-02）
a word = Wort; mot; palabra; 单词
an IP address = IP-Adresse; adresse IP; dirección IP; IP 地址
a message = Meldung; message; mensaje; 消息
`
const groupNames = new Map<string, InEachLanguage>(
  groupLines.split('\n').flatMap((line) => {
    const [english = '', others] = line.split(' = ')
    const [de = '', fr = '', es = '', zh = ''] = (others ?? '').split(';').map((one) => one.trim())
    return others === undefined ? [] : [[english, { de, fr, es, zh }] as const]
  }),
)

const fieldWords: InEachLanguage = { de: 'das Feld ', fr: 'le champ ', es: 'el campo ', zh: '字段 ' }

/** What a line needs to belong to a group. */
export const writeLineNeed: SlotWriter = (text, { language }) =>
  groupNames.get(text)?.[language] ?? (text.startsWith('the field ') ? `${fieldWords[language]}${text.slice(10)}` : undefined)

const nouns: { readonly [noun: string]: InEachLanguage } = {
  lines: { de: 'Zeilen', fr: 'lignes', es: 'líneas', zh: '行' },
  items: { de: 'Einträge', fr: 'éléments', es: 'elementos', zh: '项' },
}
const listForms: InEachLanguage<(what: string, by: string) => string> = {
  de: (what, by) => `${what} nach ${by}: `,
  fr: (what, by) => `${what} par ${by}\u00A0: `,
  es: (what, by) => `${what} por ${by}: `,
  zh: (what, by) => `按${by}统计的${what}：`,
}
const extremes: InEachLanguage<readonly [largest: string, smallest: string, any: string]> = {
  de: ['Die meisten ', 'Die wenigsten ', ' (ohne die mit keiner)'],
  fr: ['Le plus de ', 'Le moins de ', ' (hors ceux qui n’en ont pas)'],
  es: ['La mayor cantidad de ', 'La menor cantidad de ', ' (sin contar los que no tienen)'],
  zh: ['最多的', '最少的', '（不计没有的）'],
}
const ties: InEachLanguage = {
  de: ' ({n} mehr als gefragt haben dieselbe Anzahl)',
  fr: ' ({n} de plus que demandé ont le même nombre)',
  es: ' ({n} más de lo pedido tienen la misma cantidad)',
  zh: '（另有 {n} 个数量相同）',
}
const noneWords: InEachLanguage = { de: 'keine', fr: 'aucun', es: 'ninguno', zh: '无' }

const count = /^([\d,]+ (?:different )?(?:lines?|items?))((?: |, )[\s\S]+)?$/
const list = /^(Lines|Items)( [\s\S]+?)? by (hour of the day|message \(with # for each number\)|first word|IP address|[^\s:]+): ([\s\S]+)$/
const extreme =
  /^The (most|fewest) (lines|items)( [\s\S]+?)?(, of those that have any)?, by (hour of the day|message \(with # for each number\)|first word|IP address|[^\s:]+)(?: \((\d+) more than asked have the same count\))?: ([\s\S]+)$/

/** A report without its full stop. The groups stay as they are. */
export const translateLineReport: SlotWriter = (text, { language }) => {
  const [, number, ofNumber = ''] = count.exec(text) ?? []
  const tests = writeTests(ofNumber, language)
  if (number !== undefined && tests !== undefined) {
    const counted = writeCountedNoun(number, language)
    return counted === undefined ? undefined : `${counted}${tests}`
  }
  const [, noun = '', ofNoun = '', by = '', groups = ''] = list.exec(text) ?? []
  const [, size = '', counted = noun.toLowerCase(), ofCounted = ofNoun, any, name = by, tie, shown = groups] = extreme.exec(text) ?? []
  const about = writeTests(ofCounted, language)
  const word = nouns[counted]?.[language]
  if (about === undefined || word === undefined) return undefined
  const plain = shown === 'none' ? noneWords[language] : shown
  const named = groupNames.get(name)?.[language] ?? name
  if (size === '') return `${listForms[language](`${capital(word)}${about}`, named)}${plain}`
  const [largest, smallest, ofAny] = extremes[language]
  const what = `${size === 'most' ? largest : smallest}${word}${about}${any === undefined ? '' : ofAny}`
  return `${listForms[language](what, named).replace(/(?=\u00A0?[:：] ?$)/, tie === undefined ? '' : ties[language].replace('{n}', tie))}${plain}`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
