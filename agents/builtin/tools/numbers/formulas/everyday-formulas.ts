/** Everyday formulas: which measures each needs, the words that ask for it, and how it is computed. */
import { add, divide, multiply, nthRoot, type Rational, rational, rationalOfDecimal } from '../rational.ts'
import type { MeasuredValue } from './find-measures.ts'
import type { FormulaLabel } from './formula-labels.ts'
import type { MeasureKind } from './measure-units.ts'

/** One line of an answer: `Fuel: 420 km × 7.2 L/100 km = 30.24 L`. */
export type FormulaLine = {
  readonly label: FormulaLabel
  /** Parts of the left side: measures, numbers and signs. */
  readonly left: readonly (MeasuredValue | Rational | string)[]
  readonly value: Rational
  readonly unit: string
  /** `money`: two decimals; `hours`: as hours and minutes; `pace`: as minutes and seconds. */
  readonly form?: 'money' | 'hours' | 'pace'
}

export type Formula = {
  /** In English. A sentence that begins with it and names the measures is read again. */
  readonly title: string
  /** In the order in which `solve` takes them. Those with a question mark may be missing. */
  readonly needs: readonly (MeasureKind | `${MeasureKind}?`)[]
  /** Of the text in lower case, without its measures. */
  readonly asks: RegExp
  readonly solve: (measures: readonly MeasuredValue[]) => FormulaLine[]
}

const pi = rationalOfDecimal('3.14159265358979323846')
const lengthUnit = (one: MeasuredValue): Rational => (one.value.n === 0n ? rational(1n) : divide(one.base, one.value))
const words = (list: string): RegExp => new RegExp(`(?<!\\p{Script=Latin})(?:${list})(?!\\p{Script=Latin})`, 'u')
const square = (unit: string): string => (unit === '' ? '' : `${unit}²`)
const cube = (unit: string): string => (unit === '' ? '' : `${unit}³`)

/** All in the unit of the first. */
function inFirstUnit(measures: readonly MeasuredValue[]): { readonly values: readonly Rational[]; readonly unit: string } {
  const [first] = measures
  if (!first) return { values: [], unit: '' }
  return { values: measures.map(({ base }) => divide(base, lengthUnit(first))), unit: first.symbol }
}

const money = (label: FormulaLabel, left: FormulaLine['left'], value: Rational, sign: string): FormulaLine => ({
  ...{ label, left, value, unit: sign, form: 'money' },
})

function fuel([distance, consumption, price]: readonly MeasuredValue[]): FormulaLine[] {
  if (!distance || !consumption) return []
  const litres = divide(multiply(distance.base, consumption.base), rational(100_000n))
  const lines: FormulaLine[] = [{ label: 'fuel', left: [distance, '×', consumption], value: litres, unit: 'L' }]
  if (price) lines.push(money('cost', [litres, 'L ×', price], multiply(litres, price.base), price.symbol))
  return lines
}

function range([tank, consumption]: readonly MeasuredValue[]): FormulaLine[] {
  if (!tank || !consumption) return []
  const km = divide(multiply(tank.base, rational(100n)), consumption.base)
  return [{ label: 'range', left: [tank, '÷', consumption], value: km, unit: 'km' }]
}

function travelTime([distance, speed]: readonly MeasuredValue[]): FormulaLine[] {
  if (!distance || !speed) return []
  const hours = divide(divide(distance.base, rational(1000n)), speed.base)
  return [{ label: 'time', left: [distance, '÷', speed], value: hours, unit: 'h', form: 'hours' }]
}

function distanceTravelled([speed, time]: readonly MeasuredValue[]): FormulaLine[] {
  if (!speed || !time) return []
  const km = multiply(speed.base, time.base)
  const isMiles = speed.symbol === 'mph'
  const value = isMiles ? divide(km, rationalOfDecimal('1.609344')) : km
  return [{ label: 'distance', left: [speed, '×', time], value, unit: isMiles ? 'mi' : 'km' }]
}

function averageSpeed([distance, time]: readonly MeasuredValue[]): FormulaLine[] {
  if (!distance || !time) return []
  const isMiles = distance.symbol === 'mi'
  const length = isMiles ? distance.value : divide(distance.base, rational(1000n))
  return [{ label: 'speed', left: [distance, '÷', time], value: divide(length, time.base), unit: isMiles ? 'mph' : 'km/h' }]
}

function pace([distance, time]: readonly MeasuredValue[]): FormulaLine[] {
  if (!distance || !time) return []
  const isMiles = distance.symbol === 'mi'
  const length = isMiles ? distance.value : divide(distance.base, rational(1000n))
  const minutes = divide(multiply(time.base, rational(60n)), length)
  return [{ label: 'pace', left: [time, '÷', distance], value: minutes, unit: isMiles ? 'min/mi' : 'min/km', form: 'pace' }]
}

function rectangle(measures: readonly MeasuredValue[]): FormulaLine[] {
  const { values, unit } = inFirstUnit(measures)
  const [a, b] = values
  if (!a || !b) return []
  return [
    { label: 'area', left: [...sides(values, unit)], value: multiply(a, b), unit: square(unit) },
    { label: 'perimeter', left: [rational(2n), '× (', a, '+', b, ')'], value: multiply(rational(2n), add(a, b)), unit },
  ]
}

const sides = (values: readonly Rational[], unit: string): (Rational | string)[] =>
  values.flatMap((value, index) => [...(index > 0 ? ['×'] : []), value, unit]).filter((part) => part !== '')

const diagonalOf =
  (label: 'diagonal' | 'hypotenuse') =>
  (measures: readonly MeasuredValue[]): FormulaLine[] => {
    const { values, unit } = inFirstUnit(measures)
    const [a, b] = values
    if (!a || !b) return []
    const value = nthRoot(add(multiply(a, a), multiply(b, b)), 2n)
    return [{ label, left: ['√(', a, '² +', b, '²)'], value, unit }]
  }

/** In litres too, if the unit has a size. */
function box(measures: readonly MeasuredValue[]): FormulaLine[] {
  const { values, unit } = inFirstUnit(measures)
  const [first] = measures
  const [a, b, c] = values
  if (!first || !a || !b || !c) return []
  const value = multiply(multiply(a, b), c)
  return inLitres({ label: 'volume', left: [...sides(values, unit)], value, unit: cube(unit) }, first)
}

function inLitres(line: FormulaLine, first: MeasuredValue): FormulaLine[] {
  if (first.symbol === '') return [line]
  const side = lengthUnit(first)
  const litres = multiply(multiply(line.value, multiply(multiply(side, side), side)), rational(1000n))
  return [line, { label: 'volume', left: [line.value, line.unit], value: litres, unit: 'L' }]
}

const circleOf =
  (part: 'radius' | 'diameter') =>
  (measures: readonly MeasuredValue[]): FormulaLine[] => {
    const { values, unit } = inFirstUnit(measures)
    const [given] = values
    if (!given) return []
    const radius = part === 'radius' ? given : divide(given, rational(2n))
    return [
      { label: 'area', left: ['π ×', radius, '²'], value: multiply(pi, multiply(radius, radius)), unit: square(unit) },
      { label: 'circumference', left: ['2 × π ×', radius], value: multiply(rational(2n), multiply(pi, radius)), unit },
    ]
  }

const cylinderOf =
  (part: 'radius' | 'diameter') =>
  (measures: readonly MeasuredValue[]): FormulaLine[] => {
    const { values, unit } = inFirstUnit(measures)
    const [first] = measures
    const [given, height] = values
    if (!first || !given || !height) return []
    const radius = part === 'radius' ? given : divide(given, rational(2n))
    const value = multiply(multiply(pi, multiply(radius, radius)), height)
    return inLitres({ label: 'volume', left: ['π ×', radius, '² ×', height], value, unit: cube(unit) }, first)
  }

function triangle(measures: readonly MeasuredValue[]): FormulaLine[] {
  const { values, unit } = inFirstUnit(measures)
  const [base, height] = values
  if (!base || !height) return []
  return [{ label: 'area', left: [base, '×', height, '÷ 2'], value: divide(multiply(base, height), rational(2n)), unit: square(unit) }]
}

function bodyMassIndex([mass, height]: readonly MeasuredValue[]): FormulaLine[] {
  if (!mass || !height) return []
  const value = divide(mass.base, multiply(height.base, height.base))
  return [{ label: 'bmi', left: [mass.base, 'kg ÷ (', height.base, 'm)²'], value, unit: '' }]
}

const payPerHour =
  (periods: bigint) =>
  ([pay, hours]: readonly MeasuredValue[]): FormulaLine[] => {
    if (!pay || !hours) return []
    const yearly = multiply(pay.base, rational(periods))
    const value = divide(yearly, multiply(hours.base, rational(52n)))
    const left = periods === 1n ? [pay, '÷ (52 ×', hours, ')'] : [pay, '× 12 ÷ (52 ×', hours, ')']
    return [money('per hour', left, value, pay.symbol)]
  }

function payFromHours([rate, hours]: readonly MeasuredValue[]): FormulaLine[] {
  if (!rate || !hours) return []
  const yearly = multiply(multiply(rate.base, hours.base), rational(52n))
  return [
    money('per month', [rate, '×', hours, '× 52 ÷ 12'], divide(yearly, rational(12n)), rate.symbol),
    money('per year', [rate, '×', hours, '× 52'], yearly, rate.symbol),
  ]
}

function electricityPerYear([power, hours, price]: readonly MeasuredValue[]): FormulaLine[] {
  if (!power || !hours || !price) return []
  const energy = multiply(multiply(power.base, hours.base), rational(365n))
  return [
    { label: 'energy', left: [power, '×', hours, '× 365'], value: energy, unit: 'kWh' },
    money('per year', [energy, 'kWh ×', price], multiply(energy, price.base), price.symbol),
  ]
}

const howLong =
  'how long|how many hours|how much time|travel(?:ling)? time|driving time|time does|take|wie lange|fahrzeit|dauert|wie viele stunden|combien de temps|durée|combien d.heures|cuánto tiempo|cuánto tard\\p{L}+|cuántas horas'
const howFar =
  'how far|distance|how many (?:km|kilomet(?:er|re)s|miles)|wie weit|strecke|wie viele kilometer|quelle distance|combien de (?:km|kilomètres)|qué distancia|cuántos (?:km|kilómetros)'
const howFast = 'how fast|speed|average speed|wie schnell|geschwindigkeit|vitesse|velocidad|qué tan rápido|km/h'
const paceWords =
  'pace|per (?:km|kilomet(?:er|re)|mile)|tempo|pro kilometer|allure|au kilomètre|par kilomètre|ritmo|por kilómetro|(?:en )?cada kilómetro|(?:pour )?chaque kilomètre|(?:für )?jeden kilometer'
const circle = 'circle|circular|round|kreis\\p{L}*|rund\\p{L}*|cercle|ronde?|circulaire|círculo|circular|redond[oa]'
const radiusWords = 'radius|radio|rayon'
const diameterWords = 'diameter|across|durchmesser|diamètre|diámetro'
const cylinder = 'cylind\\p{L}*|zylind\\p{L}*|cilindr\\p{L}*|barrel|drum|tonne'
const both = (one: RegExp, other: RegExp): RegExp => new RegExp(`(?=[\\s\\S]*${one.source})[\\s\\S]*${other.source}`, 'u')
const zh = (one: RegExp, chinese: string): RegExp => new RegExp(`(?:${one.source}|${chinese})`, 'u')

/** Shapes with formulas of their own, above the rectangle's. */
const otherShapes = `triang\\p{L}*|triáng\\p{L}*|dreieck\\p{L}*|${circle}|${cylinder}`
const ofRectangle = (asks: RegExp): RegExp =>
  new RegExp(`^(?![\\s\\S]*(?:${words(otherShapes).source}|三角|圆))[\\s\\S]*${asks.source}`, 'u')

/** More special ones come first. */
export const everydayFormulas: readonly Formula[] = [
  {
    title: 'Fuel need and its cost',
    needs: ['length', 'consumption', 'money per volume?'],
    asks: zh(
      words(
        'fuel|petrol|gas(?:oline)?|diesel|cost|costs|litres?|liters?|how much|sprit|benzin|kraftstoff|kost\\p{L}*|wie ?viel|litern?|carburant|essence|gazole|coût\\p{L}*|combien|litros?|gasolina|combustible|gasóleo|cuest\\p{L}*|cuánt\\p{L}*',
      ),
      '油|多少',
    ),
    solve: fuel,
  },
  {
    title: 'Range of a full tank',
    needs: ['volume', 'consumption'],
    asks: zh(words(`${howFar}|range|reichweite|autonomie|autonomía`), '多远|多少公里'),
    solve: range,
  },
  { title: 'Travel time', needs: ['length', 'speed'], asks: zh(words(howLong), '多久|多长时间|几个?小时'), solve: travelTime },
  { title: 'Distance travelled', needs: ['speed', 'time'], asks: zh(words(howFar), '多远|多少公里'), solve: distanceTravelled },
  { title: 'Pace of a run', needs: ['length', 'time'], asks: zh(words(paceWords), '配速|每公里'), solve: pace },
  { title: 'Average speed', needs: ['length', 'time'], asks: zh(words(howFast), '速度|时速|多快'), solve: averageSpeed },
  {
    title: 'Body mass index (BMI)',
    needs: ['mass', 'length'],
    asks: zh(words('bmi|body mass index|imc'), 'bmi|体重指数|身体质量指数'),
    solve: bodyMassIndex,
  },
  {
    title: 'Pay per hour',
    needs: ['money per month', 'time per week'],
    asks: zh(words('per hour|an hour|hourly|pro stunde|stundenlohn|par heure|de l.heure|taux horaire|por hora|la hora'), '时薪|每小时'),
    solve: payPerHour(12n),
  },
  {
    title: 'Pay per hour',
    needs: ['money per year', 'time per week'],
    asks: zh(words('per hour|an hour|hourly|pro stunde|stundenlohn|par heure|de l.heure|taux horaire|por hora|la hora'), '时薪|每小时'),
    solve: payPerHour(1n),
  },
  {
    title: 'Pay per month and year',
    needs: ['money per hour', 'time per week'],
    asks: zh(
      words(
        'per month|a month|monthly|per year|a year|yearly|annually|pro monat|im monat|monatlich|pro jahr|im jahr|par mois|par an|por mes|al mes|por año|al año',
      ),
      '月薪|年薪|每月|每年',
    ),
    solve: payFromHours,
  },
  {
    title: 'Electricity cost per year',
    needs: ['power', 'time per day', 'money per energy'],
    asks: zh(words('per year|a year|yearly|annually|pro jahr|im jahr|jährlich|par an|por año|al año'), '每年|一年'),
    solve: electricityPerYear,
  },
  {
    title: 'Volume of a cylinder by its radius',
    needs: ['length', 'length'],
    asks: both(words(cylinder), words(radiusWords)),
    solve: cylinderOf('radius'),
  },
  {
    title: 'Volume of a cylinder by its diameter',
    needs: ['length', 'length'],
    asks: both(words(cylinder), words(diameterWords)),
    solve: cylinderOf('diameter'),
  },
  {
    title: 'Area and circumference of a circle by its radius',
    needs: ['length'],
    asks: both(zh(words(circle), '圆'), zh(words(radiusWords), '半径')),
    solve: circleOf('radius'),
  },
  {
    title: 'Area and circumference of a circle by its diameter',
    needs: ['length'],
    asks: both(zh(words(circle), '圆'), zh(words(diameterWords), '直径')),
    solve: circleOf('diameter'),
  },
  {
    title: 'Hypotenuse of a right triangle',
    needs: ['length', 'length'],
    asks: words('hypotenuse|hypoténuse|hipotenusa'),
    solve: diagonalOf('hypotenuse'),
  },
  {
    title: 'Area of a triangle by its base and height',
    needs: ['length', 'length'],
    asks: both(
      zh(words('triangle|triangular|dreieck\\p{L}*|triángulo'), '三角形'),
      zh(words('height|high|höhe|hoch|hauteur|altura'), '高'),
    ),
    solve: triangle,
  },
  { title: 'Diagonal of a rectangle', needs: ['length', 'length'], asks: words('diagonal|diagonale'), solve: diagonalOf('diagonal') },
  {
    title: 'Volume of a box',
    needs: ['length', 'length', 'length'],
    asks: ofRectangle(
      zh(
        words(
          'volume|volumen|capacity|litres?|liters?|hold|holds|cubic met(?:er|re)s?|rauminhalt|fasst|inhalt|litern?|contenance|contient|volumen|capacidad|litros?|cabe',
        ),
        '体积|容积|多少升',
      ),
    ),
    solve: box,
  },
  {
    title: 'Area and perimeter of a rectangle',
    needs: ['length', 'length'],
    asks: ofRectangle(
      zh(
        words(
          'area|perimeter|square met(?:er|re)s?|square feet|fläche|flächeninhalt|umfang|quadratmeter|wie groß|aire|superficie|périmètre|surface|área|perímetro|metros cuadrados',
        ),
        '面积|周长|多少平方米',
      ),
    ),
    solve: rectangle,
  },
]
