/** The units that the tool converts, each with its exact size in the base unit of its kind. */
import { divide, multiply, type Rational, rational, rationalOfDecimal } from './rational.ts'

export type Unit = {
  /** Units of one kind convert into each other. */
  readonly kind: string
  readonly symbol: string
  /** In base units of the kind. */
  readonly size: Rational
  /** Base units at zero, for temperatures. */
  readonly zero?: Rational
  /** What a reader must know of the unit, such as which gallon it is. */
  readonly note?: string
  /** Base units are per this quantity, as with litres per 100 km. */
  readonly isInverse?: boolean
}

/** `symbol; size; names; note`. Names are in lower case and in the singular; symbols keep their case. */
const table: { readonly [kind: string]: string } = {
  length: `m; 1; metre, meter
    km; 1000; kilometre, kilometer, kilo metre, km, kms, k m
    dm; 0.1; decimetre, decimeter
    cm; 0.01; centimetre, centimeter, cms
    mm; 0.001; millimetre, millimeter, mms
    µm; 0.000001; micrometre, micrometer, micron, um
    nm; 0.000000001; nanometre, nanometer
    in; 0.0254; inch, inche, ″, "
    ft; 0.3048; foot, feet, ′, '
    yd; 0.9144; yard, yds
    mi; 1609.344; mile, statute mile, land mile
    nmi; 1852; nautical mile, sea mile
    fathoms; 1.8288; fathom
    furlongs; 201.168; furlong
    light-years; 9460730472580800; light year, light-year, lightyear, ly
    au; 149597870700; astronomical unit
    pc; 30856775814913673; parsec`,
  mass: `kg; 1; kilogram, kilogramme, kilo, kgs
    g; 0.001; gram, gramme, gm, gr
    mg; 0.000001; milligram, milligramme, mgs
    µg; 0.000000001; microgram, mcg, ug
    t; 1000; tonne, metric ton
    lb; 0.45359237; pound, lbs, pounds mass
    oz; 0.028349523125; ounce
    st; 6.35029318; stone
    short tons; 907.18474; ton, short ton, us ton; a US short ton of 2,000 lb
    long tons; 1016.0469088; long ton, imperial ton, uk ton; an imperial ton of 2,240 lb
    ct; 0.0002; carat
    grains; 0.00006479891; grain`,
  time: `seconds; 1; second, sec, s
    milliseconds; 0.001; millisecond, ms, msec
    microseconds; 0.000001; microsecond, µs
    nanoseconds; 0.000000001; nanosecond, ns
    minutes; 60; minute, min, mins
    hours; 3600; hour, hr, h
    days; 86400; day, d
    weeks; 604800; week, wk
    fortnights; 1209600; fortnight
    months; 2628000; month; a month of 1/12 year
    quarters; 7884000; quarter year; a quarter of a year of 365 days
    years; 31536000; year, yr; a year of 365 days
    leap years; 31622400; leap year; a leap year of 366 days
    decades; 315360000; decade; years of 365 days
    centuries; 3153600000; century, centurie; years of 365 days
    millennia; 31536000000; millennium, millennia, millenium; years of 365 days`,
  area: `m²; 1; m2, sqm, sq m, m^2
    km²; 1000000; km2, sqkm, sq km, km^2
    cm²; 0.0001; cm2, sq cm, cm^2
    ha; 10000; hectare
    acres; 4046.8564224; acre, ac
    mu; 2000/3; chinese mu; a Chinese mu of 666⅔ m²
    ft²; 0.09290304; ft2, sqft, sq ft, ft^2, sf
    in²; 0.00064516; in2, sq in, in^2
    mi²; 2589988.110336; mi2, sq mi, mi^2`,
  volume: `m³; 1; m3, cbm, m^3
    L; 0.001; litre, liter, l, ltr
    dL; 0.0001; decilitre, deciliter, dl
    cL; 0.00001; centilitre, centiliter, cl
    mL; 0.000001; millilitre, milliliter, ml, cc, cm3, cm^3
    hL; 0.1; hectolitre, hectoliter, hl
    gal; 0.003785411784; gallon, us gallon, us gal; a US gallon
    qt; 0.000946352946; quart, us quart; a US quart
    pt; 0.000473176473; pint, us pint; a US pint
    cups; 0.0002365882365; cup, us cup; a US cup
    fl oz; 0.0000295735295625; fluid ounce, us fluid ounce, floz, fl. oz; a US fluid ounce
    tbsp; 0.00001478676478125; tablespoon, tbs; a US tablespoon
    tsp; 0.00000492892159375; teaspoon; a US teaspoon
    imp gal; 0.00454609; imperial gallon, uk gallon, british gallon
    imp qt; 0.0011365225; imperial quart, uk quart
    imp pt; 0.00056826125; imperial pint, uk pint, british pint
    imp fl oz; 0.0000284130625; imperial fluid ounce, uk fluid ounce
    bbl; 0.158987294928; barrel, oil barrel; an oil barrel of 42 US gallons
    ft³; 0.028316846592; ft3, cu ft, ft^3
    in³; 0.000016387064; in3, cu in, in^3`,
  'length/time': `m/s; 1; mps, m/s, meter/second
    km/h; 1/3.6; kph, kmh, km/h, kmph, kilometre an hour, kilometer an hour
    mph; 0.44704; mph, mile an hour, mi/h
    kn; 1852/3600; knot, kt, kts
    ft/s; 0.3048; fps, ft/s
    × speed of light; 299792458; speed of light`,
  data: `bit; 1; bit, b
    kbit; 1000; kilobit
    Mbit; 1000000; megabit, mbit, Mb
    Gbit; 1000000000; gigabit, gbit, Gb
    Tbit; 1000000000000; terabit, Tb
    B; 8; byte
    kB; 8000; kilobyte, KB, kb
    MB; 8000000; megabyte, mb, meg
    GB; 8000000000; gigabyte, gb, gig
    TB; 8000000000000; terabyte, tb
    PB; 8000000000000000; petabyte, pb
    KiB; 8192; kibibyte, kib
    MiB; 8388608; mebibyte, mib
    GiB; 8589934592; gibibyte, gib
    TiB; 8796093022208; tebibyte, tib`,
  energy: `J; 1; joule
    kJ; 1000; kilojoule, kj
    MJ; 1000000; megajoule, mj
    cal; 4.184; calorie, small calorie; a calorie of 4.184 J, not a food calorie
    kcal; 4184; kilocalorie, food calorie, Cal, Calorie, Calories, large calorie
    Wh; 3600; watt hour, watt-hour, wh
    kWh; 3600000; kilowatt hour, kilowatt-hour, kwh, kilowatthour
    MWh; 3600000000; megawatt hour, megawatt-hour, mwh
    BTU; 1055.05585262; btu, british thermal unit
    eV; 0.0000000000000000001602176634; electronvolt, electron volt, ev`,
  power: `W; 1; watt, w
    kW; 1000; kilowatt, kw
    MW; 1000000; megawatt
    GW; 1000000000; gigawatt, gw
    mW; 0.001; milliwatt
    hp; 745.69987158227022; horsepower, horse power, bhp; mechanical horsepower
    PS; 735.49875; metric horsepower, ps`,
  pressure: `Pa; 1; pascal, pa
    hPa; 100; hectopascal, hpa
    kPa; 1000; kilopascal, kpa
    MPa; 1000000; megapascal, mpa
    bar; 100000; bar
    mbar; 100; millibar, mbar
    atm; 101325; atmosphere, atm
    psi; 6894.757293168; psi, pounds per square inch, pound per square inch
    mmHg; 133.322387415; mmhg, millimetre of mercury, millimeter of mercury
    torr; 101325/760; torr`,
  angle: `°; 1; degree, deg, °, degree of arc
    rad; 57.295779513082320876798154814105; radian, rad
    gon; 0.9; gradian, gon
    arcmin; 1/60; arcminute, arc minute, arcmin
    arcsec; 1/3600; arcsecond, arc second, arcsec
    turns; 360; turn, revolution, full turn`,
  force: `N; 1; newton, n
    kN; 1000; kilonewton
    lbf; 4.4482216152605; pound-force, pound force, lbf
    kgf; 9.80665; kilogram-force, kilogram force, kgf, kilopond`,
  frequency: `Hz; 1; hertz, hz
    kHz; 1000; kilohertz, khz
    MHz; 1000000; megahertz, mhz
    GHz; 1000000000; gigahertz, ghz
    rpm; 1/60; rpm, revolutions per minute, revolution per minute`,
}

const temperatures: readonly { readonly unit: Unit; readonly names: readonly string[] }[] = [
  {
    unit: { kind: 'temperature', symbol: '°C', size: rational(1n), zero: rationalOfDecimal('273.15') },
    names: [
      'celsius',
      'c',
      '°c',
      'centigrade',
      'degree c',
      'degree celsius',
      'degree centigrade',
      'celcius',
      'degree celcius',
      'deg c',
      'ºc',
    ],
  },
  {
    unit: { kind: 'temperature', symbol: '°F', size: rational(5n, 9n), zero: divide(rationalOfDecimal('2298.35'), rational(9n)) },
    names: ['fahrenheit', 'f', '°f', 'degree f', 'degree fahrenheit', 'farenheit', 'degree farenheit', 'fahrenheits', 'deg f', 'ºf'],
  },
  { unit: { kind: 'temperature', symbol: 'K', size: rational(1n), zero: rational(0n) }, names: ['kelvin', 'k', 'degree kelvin'] },
]

/** Consumption: base litres per metre. Distance per volume is its inverse. */
const consumptions: readonly { readonly unit: Unit; readonly names: readonly string[] }[] = [
  {
    unit: { kind: 'consumption', symbol: 'L/100 km', size: rational(1n, 100_000n) },
    names: [
      'l/100km',
      'l/100 km',
      'litre per 100 km',
      'liter per 100 km',
      'litre per 100 kilometre',
      'liter per 100 kilometer',
      'l per 100 km',
    ],
  },
  {
    unit: {
      kind: 'consumption',
      symbol: 'mpg',
      size: divide(rationalOfDecimal('1609.344'), rationalOfDecimal('3.785411784')),
      isInverse: true,
      note: 'US gallons',
    },
    names: ['mpg', 'mile per gallon', 'us mpg', 'mpg us', 'mile per us gallon'],
  },
  {
    unit: {
      kind: 'consumption',
      symbol: 'mpg (imperial)',
      size: divide(rationalOfDecimal('1609.344'), rationalOfDecimal('4.54609')),
      isInverse: true,
    },
    names: ['uk mpg', 'mpg uk', 'imperial mpg', 'mpg imperial', 'mile per imperial gallon', 'mile per uk gallon'],
  },
  {
    unit: { kind: 'consumption', symbol: 'km/L', size: rational(1_000n), isInverse: true },
    names: ['km/l', 'kilometre per litre', 'kilometer per liter', 'km per litre', 'km per liter', 'kmpl'],
  },
]

function sizeOf(text: string): Rational {
  const [n = '', d = '1'] = text.split('/')
  return divide(rationalOfDecimal(n), rationalOfDecimal(d))
}

/** By symbol with its case, and by name in lower case. */
const bySymbol = new Map<string, Unit>()
const byName = new Map<string, Unit>()
for (const [kind, lines] of Object.entries(table))
  for (const line of lines.split('\n')) {
    const [symbol = '', size = '', names = '', note] = line.split(';').map((part) => part.trim())
    const unit: Unit = { kind, symbol, size: sizeOf(size), ...(note !== undefined && { note }) }
    bySymbol.set(symbol, unit)
    for (const name of names.split(', ')) {
      if (/[A-Z]/.test(name)) bySymbol.set(name, unit)
      else if (!byName.has(name)) byName.set(name, unit)
    }
  }
for (const { unit, names } of [...temperatures, ...consumptions]) for (const name of names) byName.set(name, unit)

const currencies: { readonly [word: string]: string } = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  usd: 'USD',
  dollar: 'USD',
  'us dollar': 'USD',
  'american dollar': 'USD',
  buck: 'USD',
  eur: 'EUR',
  euro: 'EUR',
  gbp: 'GBP',
  'british pound': 'GBP',
  'pound sterling': 'GBP',
  sterling: 'GBP',
  quid: 'GBP',
  jpy: 'JPY',
  yen: 'JPY',
  'japanese yen': 'JPY',
  chf: 'CHF',
  franc: 'CHF',
  'swiss franc': 'CHF',
  inr: 'INR',
  rupee: 'INR',
  'indian rupee': 'INR',
  cny: 'CNY',
  yuan: 'CNY',
  rmb: 'CNY',
  cad: 'CAD',
  'canadian dollar': 'CAD',
  aud: 'AUD',
  'australian dollar': 'AUD',
  nzd: 'NZD',
  sek: 'SEK',
  nok: 'NOK',
  dkk: 'DKK',
  krona: 'SEK',
  pln: 'PLN',
  zloty: 'PLN',
  czk: 'CZK',
  huf: 'HUF',
  mxn: 'MXN',
  peso: 'MXN',
  brl: 'BRL',
  real: 'BRL',
  krw: 'KRW',
  won: 'KRW',
  try: 'TRY',
  lira: 'TRY',
  zar: 'ZAR',
  rand: 'ZAR',
  rub: 'RUB',
  ruble: 'RUB',
  btc: 'BTC',
  bitcoin: 'BTC',
  eth: 'ETH',
  usdc: 'USDC',
  usdt: 'USDT',
}

const singular = (name: string): string[] => [name, name.replace(/s$/, ''), name.replace(/es$/, ''), name.replace(/ies$/, 'y')]

/** The code of a currency, such as `EUR`. */
export function currencyOf(text: string): string | undefined {
  const name = text.trim().toLowerCase()
  return singular(name)
    .map((one) => (Object.hasOwn(currencies, one) ? currencies[one] : undefined))
    .find((code) => code !== undefined)
}

/** The unit of a name or symbol, such as `km`, `square feet` or `miles per hour`. */
export function findUnit(text: string): Unit | undefined {
  const name = text.trim().replace(/\.$/, '').replace(/\s+/g, ' ')
  const plain = bySymbol.get(name.replace('²', '2').replace('³', '3')) ?? bySymbol.get(name)
  if (plain) return plain
  const lower = name
    .toLowerCase()
    .replace('²', '2')
    .replace('³', '3')
    .replace(/^degrees /, 'degree ')
  for (const one of singular(lower)) {
    const found = byName.get(one)
    if (found) return found
  }
  return findPower(lower) ?? findRate(lower)
}

/** `square feet`, `cubic metres`, `sq. yards`. */
function findPower(name: string): Unit | undefined {
  const [, word = '', rest = ''] = /^(square|sq\.?|cubic|cu\.?) (.+)$/.exec(name) ?? []
  const base = rest === '' ? undefined : findUnit(rest)
  if (base?.kind !== 'length') return undefined
  const isSquare = word.startsWith('s')
  const square = multiply(base.size, base.size)
  return {
    kind: isSquare ? 'area' : 'volume',
    symbol: `${base.symbol}${isSquare ? '²' : '³'}`,
    size: isSquare ? square : multiply(square, base.size),
  }
}

/** `metres per second`, `MB/s`, `litres per minute`. */
function findRate(name: string): Unit | undefined {
  const [, top = '', bottom = ''] = /^([^/]+?)(?: per |\/| an? (?=hour|second|minute|day))(.+)$/.exec(name) ?? []
  if (top === '' || /[/]| per /.test(bottom)) return undefined
  const [upper, lower] = [findUnit(top), findUnit(bottom)]
  if (!upper || !lower || lower.kind !== 'time' || upper.kind === 'temperature') return undefined
  const unit = { seconds: 's', minutes: 'min', hours: 'h' }[lower.symbol] ?? lower.symbol.replace(/s$/, '')
  return { kind: `${upper.kind}/time`, symbol: `${upper.symbol}/${unit}`, size: divide(upper.size, lower.size) }
}
