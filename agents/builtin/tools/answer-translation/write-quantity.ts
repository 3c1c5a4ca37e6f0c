/** Names of units in other languages, and quantities that consist of a number and a unit. */
import { escapePattern } from '../../escape-pattern.ts'
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { isSingular } from './write-counted-noun.ts'
import { englishNumber, writeLocalNumber } from './write-local-number.ts'

/** Symbols that all of the languages use. */
const symbols =
  'mi/h m km dm cm mm µm nm in ft yd mi nmi pc kg g mg µg t lb oz ct m² km² cm² mm² dm² ha ft² in² mi² yd² m³ cm³ mm³ dm³ km³ ft³ in³ yd³ L dL cL mL hL gal qt pt fl␣oz tbsp tsp bbl m/s km/h mph kn ft/s bit kbit Mbit Gbit Tbit B kB MB GB TB PB KiB MiB GiB TiB J kJ MJ cal kcal Wh kWh MWh BTU eV W kW MW GW mW hp PS Pa hPa kPa MPa bar mbar atm psi mmHg torr ° rad gon arcmin arcsec N kN lbf kgf Hz kHz MHz GHz rpm °C °F K L/100␣km mpg km/L imp␣gal imp␣qt imp␣pt imp␣fl␣oz st au s min h'
    .split(' ')
    .map((symbol) => symbol.replaceAll('␣', ' '))

/** `English plural = German; French; Spanish; Chinese`, each as `one/many`. */
const lines = `
seconds = Sekunde/Sekunden; seconde/secondes; segundo/segundos; 秒
milliseconds = Millisekunde/Millisekunden; milliseconde/millisecondes; milisegundo/milisegundos; 毫秒
microseconds = Mikrosekunde/Mikrosekunden; microseconde/microsecondes; microsegundo/microsegundos; 微秒
nanoseconds = Nanosekunde/Nanosekunden; nanoseconde/nanosecondes; nanosegundo/nanosegundos; 纳秒
minutes = Minute/Minuten; minute/minutes; minuto/minutos; 分钟
hours = Stunde/Stunden; heure/heures; hora/horas; 小时
days = Tag/Tage; jour/jours; día/días; 天
weeks = Woche/Wochen; semaine/semaines; semana/semanas; 周
months = Monat/Monate; mois; mes/meses; 个月
quarters = Quartal/Quartale; trimestre/trimestres; trimestre/trimestres; 个季度
years = Jahr/Jahre; an/ans; año/años; 年
leap years = Schaltjahr/Schaltjahre; année bissextile/années bissextiles; año bisiesto/años bisiestos; 个闰年
decades = Jahrzehnt/Jahrzehnte; décennie/décennies; década/décadas; 个十年
centuries = Jahrhundert/Jahrhunderte; siècle/siècles; siglo/siglos; 个世纪
millennia = Jahrtausend/Jahrtausende; millénaire/millénaires; milenio/milenios; 个千年
acres = Acre/Acres; acre/acres; acre/acres; 英亩
cups = Tasse (US)/Tassen (US); tasse US/tasses US; taza (EE. UU.)/tazas (EE. UU.); 美制杯
turns = Umdrehung/Umdrehungen; tour/tours; vuelta/vueltas; 圈
short tons = Short Ton/Short Tons; tonne courte/tonnes courtes; tonelada corta/toneladas cortas; 短吨
long tons = Long Ton/Long Tons; tonne longue/tonnes longues; tonelada larga/toneladas largas; 长吨
light-years = Lichtjahr/Lichtjahre; année-lumière/années-lumière; año luz/años luz; 光年
fathoms = Faden; brasse/brasses; braza/brazas; 英寻
furlongs = Furlong/Furlongs; furlong/furlongs; furlong/furlongs; 弗隆
grains = Grain/Grains; grain/grains; grano/granos; 格令
`

type UnitName = InEachLanguage<readonly [one: string, many: string]>

const pairOf = (text: string): readonly [string, string] => {
  const [one = '', many = one] = text.split('/').map((part) => part.trim())
  return [one, many]
}
const singularOf: { readonly [plural: string]: string } = { centuries: 'century', millennia: 'millennium' }

/** By the English plural and singular. */
const names = new Map<string, UnitName>()
for (const line of lines.split('\n')) {
  const [english = '', others] = line.split(' = ')
  if (others === undefined) continue
  const [de = '', fr = '', es = '', zh = ''] = others.split(';')
  const name = { de: pairOf(de), fr: pairOf(fr), es: pairOf(es), zh: pairOf(zh) }
  names.set(english, name)
  names.set(singularOf[english] ?? english.replace(/s$/, ''), name)
}

const known = [...names.keys(), ...symbols].sort((a, b) => b.length - a.length)
const quantity = new RegExp(`(-?${englishNumber})( ?)(${known.map(escapePattern).join('|')})(?= -?\\d|$)( ?)`, 'y')

/** `5 ft 11 in` or `1 week`; undefined if a unit is not known. */
export function writeQuantity(text: string, language: AnswerLanguage): string | undefined {
  let written = ''
  for (quantity.lastIndex = 0; quantity.lastIndex < text.length; ) {
    const [whole, amount = '', gap = '', unit = '', space = ''] = quantity.exec(text) ?? []
    if (whole === undefined) return undefined
    const [one, many] = names.get(unit)?.[language] ?? [unit, unit]
    written += `${writeLocalNumber(amount, language)}${gap}${isSingular(Number(amount.replaceAll(',', '')), language) ? one : many}${space}`
  }
  return written === '' ? undefined : written
}
