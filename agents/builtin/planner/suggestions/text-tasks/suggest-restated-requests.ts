/** Candidates on requests in everyday words, restated in the words that a tool reads. */
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'

/** `text`: undefined if the words do not have all that the sentence needs. */
type Restatement = {
  readonly skillId: string
  /** All of them must be in the request. */
  readonly asks: readonly RegExp[]
  readonly text: (request: string, goal: GoalParts) => string | undefined
}

const listBehindColon = /:\s*([^:\n]{3,400}[^:\n.\s])\.?\s*$/
const isList = (text: string | undefined): text is string => text !== undefined && /^[^,;]{1,60}(?:[,;] ?[^,;]{1,60}){2,}$/.test(text)
const listOf = (request: string, verb: string): string | undefined => {
  const [, list] = listBehindColon.exec(request) ?? []
  return isList(list) ? `${verb}: ${list}` : undefined
}
const numberIn = (request: string, pattern: RegExp): string | undefined => pattern.exec(request)?.[1]

const months = 'January February March April May June July August September October November December'.split(' ')

/** A date of birth, as a sentence names it. */
function birthDate(request: string): string | undefined {
  const [, year, month, day] = /(\d{4})\s*(?:年|-|\/)\s*(\d{1,2})\s*(?:月|-|\/)\s*(\d{1,2})/.exec(request) ?? []
  const name = months[Number(month) - 1]
  return day === undefined || name === undefined ? undefined : `${Number(day)} ${name} ${year}`
}

/** Shares in percent that make a whole, as a ratio. */
function splitByPercents(request: string): string | undefined {
  const shares = [...request.matchAll(/(\d{1,3}(?:[.,]\d{1,2})?)\s?%/g)].map(([, share = '']) => Number(share.replace(',', '.')))
  const [, amount] = /(?<![\d.,])(\d{1,3}(?:[., ]\d{3})+|\d{2,9})(?:[.,]\d{1,2})?\s?(?:€|\$|£|euros?|dollars?)/i.exec(request) ?? []
  const isWhole = shares.length > 1 && shares.reduce((sum, share) => sum + share, 0) === 100
  return isWhole && amount !== undefined ? `Split ${amount.replace(/[., ]/g, '')} in the ratio ${shares.join(':')}` : undefined
}

/** The name and the password of a wireless network, each behind its word. */
function wifiCode(request: string): string | undefined {
  const value = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})\\s*[:=]?\\s*["“„«]?([^\\s"“”„«»,;]{1,63})`, 'iu').exec(request)?.[1]
  const name = value('name|ssid|network|netzwerk|réseau|nombre|名称')
  const password = value('password|passwort|kennwort|mot de passe|contraseña|clave|密码')?.replace(/[.!?]$/, '')
  return name === undefined || password === undefined ? undefined : `Make a QR code for the wifi “${name}” with the password “${password}”`
}

const amountPattern = String.raw`(\d{1,3}(?:[.,\u00a0 ]\d{3})+|\d+)([.,]\d{1,2})?(?!\d)`
const numberOf = (whole: string, cents: string | undefined): string => `${whole.replace(/\D/g, '')}${cents?.replace(',', '.') ?? ''}`

/** From one monthly amount to another: the difference of a year. */
function yearlyDifference(request: string): string | undefined {
  const pattern = new RegExp(
    `(?:from|von|de|desde|从)\\s*(?:[€$£]\\s?)?${amountPattern}[^\\d]{0,20}(?:to|auf|à|a|hasta|到|涨到)\\s*(?:[€$£]\\s?)?${amountPattern}`,
    'iu',
  )
  const [, first = '', firstCents, second = '', secondCents] = pattern.exec(request) ?? []
  const [from, to] = [numberOf(first, firstCents), numberOf(second, secondCents)]
  const isOther = (request.match(/\d+(?:[.,]\d+)*/g) ?? []).length !== 2
  return first === '' || second === '' || isOther ? undefined : `Calculate (${to} - ${from}) * 12`
}

const paidMonths: { readonly [word: string]: number } = {
  13: 13,
  dreizehn: 13,
  treize: 13,
  trece: 13,
  14: 14,
  vierzehn: 14,
  quatorze: 14,
  catorce: 14,
  thirteen: 13,
  fourteen: 14,
}

/** A monthly pay that is paid thirteen or fourteen times a year. */
function payOfThirteenMonths(request: string): string | undefined {
  const [, word = ''] =
    /(?<!\p{L})(13|14|thirteen|fourteen|dreizehn|vierzehn|treize|quatorze|trece|catorce)\s+(?:mal|monat\p{L}*|months?|mois|mes(?:es)?|pagas?|salaries|gehälter\p{L}*|times)/iu.exec(
      request,
    ) ?? []
  const [, whole, cents] = new RegExp(`${amountPattern}\\s*(?:€|\\$|£|euros?|dollars?|pounds?)`, 'iu').exec(request) ?? []
  const months = paidMonths[word.toLowerCase()]
  const numbers = (request.replace(/(\d)[ \u00a0](?=\d{3}(?!\d))/g, '$1').match(/\d+(?:[.,]\d+)*/g) ?? []).length
  const isOther = numbers !== (/^\d/.test(word) ? 2 : 1)
  return whole === undefined || months === undefined || isOther ? undefined : `Calculate ${numberOf(whole, cents)} * ${months}`
}

const restatements: readonly Restatement[] = [
  {
    skillId: 'number.calculation',
    asks: [
      /(?<!\p{L})(?:a|per|im|pro|par|al|por|each|every) ?(?:month|monat|mois|mes)|monthly|monatlich|mensuel|mensual|每月|一个月/iu,
      /(?<!\p{L})(?:in|a|per|im|pro|par|al|por|each|every)? ?(?:year|jahr|an|année|año)(?!\p{L})|yearly|jährlich|每年|一年/iu,
      /(?<!\p{L})(?:more|less|extra|increase|up|mehr|weniger|mehrkosten|plus|moins|más|menos)(?!\p{L})|多|少/iu,
    ],
    text: yearlyDifference,
  },
  {
    skillId: 'number.calculation',
    asks: [/(?<!\p{L})(?:year|jahr|an|année|año)(?!\p{L})|yearly|jährlich|annuel|anual/iu],
    text: payOfThirteenMonths,
  },
  {
    skillId: 'text.lines',
    asks: [/\b(?:duplicates?|doubles|repeated|twice)\b/i, /\b(?:remove|delete|drop|without|get rid of|take out|clean)\b/i],
    text: (request) => listOf(request, 'Remove duplicates'),
  },
  {
    skillId: 'table.convert',
    asks: [/\bcsv\b/i],
    text: (_, { files }) => (files.length === 1 && files[0]?.type === 'table.json' ? 'Convert this JSON to CSV' : undefined),
  },
  {
    skillId: 'format.encode',
    asks: [
      /\bbase ?64\b/i,
      /\b(?:say|says|mean|means|read|decode|behind|plain|steht|heißt|bedeutet|signifie|dit|dice|significa)(?!\p{L})/iu,
    ],
    text: (request) => {
      const code = /(?<![\w+/=])((?:[A-Za-z0-9+/]{4}){2,200}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)(?![\w+/=])/.exec(request)?.[1]
      return code === undefined ? undefined : `Decode base64: ${code}`
    },
  },
  {
    skillId: 'number.dates',
    asks: [/(?<!\d)1\d{9}(?!\d)/, /\b(?:date|time|utc|timestamp|when|unix|epoch|datum|uhrzeit|heure|fecha|hora)\b/i],
    text: (request) => `Convert unix timestamp ${numberIn(request, /(?<!\d)(1\d{9})(?!\d)/)} to UTC`,
  },
  {
    skillId: 'number.calculation',
    asks: [
      /\bprime factors?\b|\bprime factori[sz]ation\b|\bfactori[sz]e\b|\bprimfaktor\p{L}*|\bfacteurs premiers\b|\bfactores primos\b|质因数/iu,
    ],
    text: (request) => {
      const number = numberIn(request, /(?<![\d.,])(\d{2,15})(?![\d.,]\d)/)
      return number === undefined ? undefined : `Prime factors of ${number}`
    },
  },
  {
    skillId: 'number.dates',
    asks: [/\bborn\b|\bgeboren\b|\bnée?\b|\bnac[ií]\b|出生/iu, /\b(?:old|age|alt|alter|âge|edad|años)\b|岁|年龄/iu],
    text: (request) => {
      const date = birthDate(request)
      return date === undefined ? undefined : `How old is someone born on ${date}?`
    },
  },
  {
    skillId: 'number.calculation',
    asks: [
      /%/,
      /\b(?:split|share|divide|partners?|repartir|reparto|dividir|socios|aufteilen|teilen|partager|répartir|associés)(?!\p{L})/iu,
    ],
    text: splitByPercents,
  },
  { skillId: 'image.qr', asks: [/\bqr\b|二维码/iu, /\bwi-?fi\b|\bwlan\b|无线/iu], text: wifiCode },
]

/** Each restatement whose words are all in the request. */
export function suggestRestatedRequests(goal: GoalParts): ReadingCandidate[] {
  const { request, english } = goal
  return restatements.flatMap(({ skillId, asks, text }) => {
    if (!asks.every((pattern) => pattern.test(request) || pattern.test(english))) return []
    const sentence = text(request, goal)
    return sentence === undefined ? [] : [{ texts: [sentence], skillId, matchedWords: plainWords(`${request} ${english}`), bonus: 2 }]
  })
}
