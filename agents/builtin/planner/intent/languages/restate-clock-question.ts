/** The question for the time of day in another place, in German, French, Spanish or Chinese, restated in English. */
import type { AnswerLanguage, InEachLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import { findTimeZonePlaces } from '../../../tools/numbers/find-time-zone-places.ts'

/** Names of cities that differ from the English ones. */
const cities: { readonly [name: string]: string } = {
  ...{
    peking: 'Beijing',
    pékin: 'Beijing',
    pekín: 'Beijing',
    北京: 'Beijing',
    shanghái: 'Shanghai',
    上海: 'Shanghai',
    tokio: 'Tokyo',
    东京: 'Tokyo',
  },
  ...{
    londres: 'London',
    伦敦: 'London',
    'nueva york': 'New York',
    纽约: 'New York',
    parís: 'Paris',
    巴黎: 'Paris',
    berlín: 'Berlin',
    柏林: 'Berlin',
  },
  ...{
    rom: 'Rome',
    roma: 'Rome',
    罗马: 'Rome',
    madrid: 'Madrid',
    马德里: 'Madrid',
    moskau: 'Moscow',
    moscou: 'Moscow',
    moscú: 'Moscow',
    莫斯科: 'Moscow',
  },
  ...{
    wien: 'Vienna',
    vienne: 'Vienna',
    viena: 'Vienna',
    lissabon: 'Lisbon',
    lisbonne: 'Lisbon',
    lisboa: 'Lisbon',
    悉尼: 'Sydney',
    sídney: 'Sydney',
  },
  ...{
    singapur: 'Singapore',
    singapour: 'Singapore',
    新加坡: 'Singapore',
    洛杉矶: 'Los Angeles',
    'los ángeles': 'Los Angeles',
    首尔: 'Seoul',
    seúl: 'Seoul',
  },
  ...{
    kairo: 'Cairo',
    'le caire': 'Cairo',
    'el cairo': 'Cairo',
    dubái: 'Dubai',
    dubaï: 'Dubai',
    迪拜: 'Dubai',
    bruselas: 'Brussels',
    bruxelles: 'Brussels',
  },
  ...{
    atenas: 'Athens',
    athènes: 'Athens',
    athen: 'Athens',
    varsovia: 'Warsaw',
    varsovie: 'Warsaw',
    warschau: 'Warsaw',
    prag: 'Prague',
    praga: 'Prague',
  },
  ...{
    mexiko: 'Mexico City',
    'ciudad de méxico': 'Mexico City',
    'mexiko-stadt': 'Mexico City',
    montréal: 'Montreal',
    zürich: 'Zurich',
    genf: 'Geneva',
    genève: 'Geneva',
    ginebra: 'Geneva',
  },
}
const cityNames = Object.keys(cities).sort((a, b) => b.length - a.length)
const cityPattern = new RegExp(`(?<!\\p{Script=Latin})(?:${cityNames.join('|')})(?!\\p{Script=Latin})`, 'giu')

const asks: InEachLanguage<RegExp> = {
  de: /wie ?viel uhr|wie spät|uhrzeit/iu,
  fr: /quelle heure/iu,
  es: /qué hora/iu,
  zh: /几点|什么时间|是多少点/u,
}
const time =
  /(上午|早上|凌晨|下午|晚上|中午)?\s*(?<![\d:.])(\d{1,2})(?:\s?(?::|h|\.|点)\s?(\d{2})?分?)?\s?(uhr|heures?|h(?![a-z])|horas?|点|半)?(?:\s?(?:de la (mañana|tarde|noche)|du (matin|soir)|de l'(après-midi)))?/giu
const months: InEachLanguage = {
  de: 'januar februar märz april mai juni juli august september oktober november dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  zh: '',
}

type Dated = { readonly date: string | null; readonly rest: string }

function takeDate(text: string, language: AnswerLanguage): Dated {
  const names = months[language].split(' ')
  const written =
    language === 'zh'
      ? /(?<y>\d{4})年(?<m>\d{1,2})月(?<d>\d{1,2})[日号]/u
      : new RegExp(`(?<d>\\d{1,2})(?:\\.|er)?(?: de)? (?<m>${names.join('|')})(?: de)? (?<y>\\d{4})`, 'iu')
  const groups = written.exec(text)?.groups
  if (!groups) return { date: null, rest: text }
  const month = language === 'zh' ? Number(groups.m) : names.indexOf((groups.m ?? '').toLowerCase()) + 1
  const iso = `${groups.y}-${String(month).padStart(2, '0')}-${String(groups.d).padStart(2, '0')}`
  return { date: iso, rest: text.replace(written, ' ') }
}

/** `15:00`. Undefined unless the text has exactly one time of day. */
function takeTime(text: string): { readonly clock: string; readonly at: number } | undefined {
  const found = [...text.matchAll(time)].filter(([whole]) => /[:h点]|uhr|heure|hora/iu.test(whole))
  const [match] = found
  if (!match || found.length > 1 || (text.match(/\d+/g) ?? []).length > (match[3] === undefined ? 1 : 2)) return undefined
  const [, chinese = '', hourText = '', minuteText, mark = '', spanish = '', french = '', afternoon] = match
  const isLate = /下午|晚上/.test(chinese) || /tarde|noche/i.test(spanish) || /soir/i.test(french) || afternoon !== undefined
  const hour = Number(hourText) + (isLate && Number(hourText) < 12 ? 12 : 0)
  const minute = mark === '半' ? 30 : Number(minuteText ?? 0)
  if (hour > 23 || minute > 59) return undefined
  return { clock: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`, at: match.index }
}

const maxText = 160

/** `What is 15:00 on 2026-12-01 in Beijing in New York?` The place beside the stated time is that of the time. */
export function restateClockQuestion(text: string, language: AnswerLanguage): string | undefined {
  if (text.length > maxText || !asks[language].test(text)) return undefined
  const { date, rest } = takeDate(text, language)
  // French “est” and “et” are also abbreviations of times.
  const named = rest.replace(cityPattern, (name) => ` ${cities[name.toLowerCase()] ?? name} `)
  const english = named.replace(/(?<!\p{L})(?:est|et|la)(?!\p{L})/giu, ' ')
  const stated = takeTime(english)
  const { places, text: placed } = findTimeZonePlaces(english.toLowerCase())
  if (!stated || places.length !== 2) return undefined
  const clauseOf = (at: number): number => english.slice(0, at).split(/[,，;]|(?<!\p{L})(?:wenn|quand|lorsqu|cuando|si)(?!\p{L})/iu).length
  const [first = '', second = ''] = [places[0]?.name ?? '', places[1]?.name ?? '']
  const [firstAt, secondAt] = [english.toLowerCase().indexOf(first.toLowerCase()), english.toLowerCase().indexOf(second.toLowerCase())]
  const ofTime = clauseOf(stated.at)
  const isFirst = clauseOf(firstAt) === ofTime
  const isSecond = clauseOf(secondAt) === ofTime
  if (placed === '' || isFirst === isSecond || firstAt < 0 || secondAt < 0) return undefined
  const [from, to] = isFirst ? [first, second] : [second, first]
  return `What is ${stated.clock}${date === null ? '' : ` on ${date}`} in ${from} in ${to}?`
}
