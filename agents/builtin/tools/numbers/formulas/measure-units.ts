/** The units of everyday measures, with their names in English, German, French, Spanish and Chinese. */

/** What a measure measures. `bare`: a number without a unit. */
export type MeasureKind =
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'speed'
  | 'time'
  | 'time per day'
  | 'time per week'
  | 'consumption'
  | 'power'
  | 'money'
  | 'money per volume'
  | 'money per energy'
  | 'money per hour'
  | 'money per month'
  | 'money per year'
  | 'bare'

export type MeasureUnit = {
  readonly kind: MeasureKind
  /** As answers write it. Empty for money, which keeps its own sign. */
  readonly symbol: string
  /** In base units of the kind, as a decimal: metres, litres, kilograms, km/h, hours, L/100 km, kW. */
  readonly size: string
  readonly pattern: RegExp
}

const hour = '(?:h|hrs?|hours?|stunden?|std\\.?|heures?|horas?|小时)'
const day = '(?:days?|tag|täglich|jours?|días?|dia|daily)'
const week = '(?:weeks?|woche|semaine|semana)'
const per = '(?:\\s*/\\s*|\\s+(?:per|an?|pro|je|par|por|al?|à la|a la|en|le|la|el|each|every|in der|am|im|in the)\\s+|-)'
const currency = '(?:€|\\$|£|eur(?:os?)?|usd|gbp|chf|dollars?|pounds sterling|dólares|yuan|元|块钱?|cents?|ct|céntimos|centimes)'
const litre = '(?:l|litres?|liters?|litros?|升)'
const kilometre = '(?:km|kms|kilomet(?:er|re)s?|kilometern|kilomètres?|kilómetros?|公里|千米)'

/** Longer forms come first, because the first that matches is taken. */
const rows: readonly (readonly [kind: MeasureKind, symbol: string, size: string, pattern: string])[] = [
  [
    'consumption',
    'L/100 km',
    '1',
    `${litre}\\s*(?:/|per|pro|auf|an|a los|a|à|aux|por cada|por|pour|every|for every|each|cada)?\\s*(?:les\\s+)?100(?:\\s*${kilometre})?(?!\\d|[.,]\\d)`,
  ],
  ['money per volume', '', '1', `${currency}?${per}${litre}`],
  ['money per energy', '', '1', `${currency}?${per}(?:kwh|kilowatt[- ]?hours?|kilowattstunde|kilowattheure|kilovatio hora|度)`],
  ['money per hour', '', '1', `${currency}${per}${hour}`],
  [
    'money per month',
    '',
    '1',
    `${currency}(?:\\s+(?:gross|net|brutto|netto|bruts?|nets?|brutos?|netos?))?${per}(?:months?|monat|mois|mes|月)`,
  ],
  ['money per month', '', '1', `${currency}\\s*(?:monthly|im monat|monatlich|mensuels?|mensuales|每月)`],
  [
    'money per year',
    '',
    '1',
    `${currency}(?:\\s+(?:gross|net|brutto|netto|bruts?|nets?|brutos?|netos?))?${per}(?:years?|jahr|an|année|año|年)`,
  ],
  ['money per year', '', '1', `${currency}\\s*(?:yearly|annually|im jahr|jährlich|annuels?|anuales|每年)`],
  ['time per day', 'h', '1', `${hour}(?:${per}${day}|\\s+(?:daily|täglich|diarias))`],
  ['time per week', 'h', '1', `${hour}(?:${per}${week}|\\s+(?:weekly|wöchentlich|in der woche|semanales)|-week|-woche|[- ]stunden-woche)`],
  ['time per week', 'h', '1', `(?:-|\\s)?(?:hour|stunden)[- ](?:week|woche)`],
  ['speed', 'km/h', '1', `(?:km/h|kmh|kph|km/hr|${kilometre}${per}${hour}|stundenkilometern?|公里每小时|公里/小时)`],
  ['speed', 'mph', '1.609344', '(?:mph|miles?\\s+(?:per|an)\\s+hour|mi/h)'],
  ['speed', 'm/s', '3.6', '(?:m/s|met(?:er|re)s?\\s+per\\s+second)'],
  ['area', 'm²', '1', '(?:m²|m2|sqm|sq m|square met(?:er|re)s?|quadratmetern?|qm|mètres? carrés?|metros? cuadrados?|平方米)'],
  ['volume', 'm³', '1000', '(?:m³|m3|cubic met(?:er|re)s?|kubikmetern?|mètres? cubes?|metros? cúbicos?|立方米)'],
  ['volume', 'L', '1', litre],
  ['length', 'km', '1000', kilometre],
  ['length', 'cm', '0.01', '(?:cm|centimet(?:er|re)s?|zentimetern?|centimètres?|centímetros?|厘米)'],
  ['length', 'mm', '0.001', '(?:mm|millimet(?:er|re)s?|millimetern?|millimètres?|milímetros?|毫米)'],
  ['length', 'mi', '1609.344', '(?:miles?|mi|meilen|milles|millas|英里)'],
  ['time', 'min', '1/60', '(?:min(?:s|ute|utes|uten|utos?)?|分钟)'],
  ['length', 'm', '1', '(?:m|met(?:er|re)s?|metern|mètres?|metros?|米)'],
  ['length', 'ft', '0.3048', '(?:ft|feet|foot|fuß)'],
  ['length', 'in', '0.0254', '(?:″|inch(?:es)?|zoll|pouces?|pulgadas?)'],
  ['mass', 'kg', '1', '(?:kg|kgs|kilos?|kilogram(?:me|m)?s?|kilogrammes?|kilogramos?|公斤|千克)'],
  ['mass', 'lb', '0.45359237', '(?:lbs?|pounds?)'],
  ['power', 'kW', '1', '(?:kw|kilowatts?|kilovatios?|千瓦)'],
  ['power', 'W', '0.001', '(?:w|watts?|vatios?|瓦)'],
  ['time', 'h', '1', hour],
  ['money', '', '1', currency],
]

export const measureUnits: readonly MeasureUnit[] = rows.map(([kind, symbol, size, pattern]) => ({
  kind,
  symbol,
  size,
  pattern: new RegExp(`^\\s*${pattern}(?![\\p{Script=Latin}²³])`, 'iu'),
}))

const signs: readonly (readonly [pattern: RegExp, sign: string, scale: string])[] = [
  [/€|eur/i, '€', '1'],
  [/£|gbp|sterling/i, '£', '1'],
  [/\$|usd|dollar|dólar/i, '$', '1'],
  [/chf/i, 'CHF', '1'],
  [/元|块|yuan/i, '元', '1'],
  // Without a name, the hundredth part of any currency.
  [/cents?|ct|céntimos|centimes/i, '', '0.01'],
]

/** The sign of a currency as written, and how much of it one is: a cent is 0.01. */
export function currencySign(written: string): { readonly sign: string; readonly scale: string } {
  const [, sign = '', scale = '1'] = signs.find(([pattern]) => pattern.test(written)) ?? []
  return { sign, scale }
}
