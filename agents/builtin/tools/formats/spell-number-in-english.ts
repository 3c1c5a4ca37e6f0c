/** Writes numbers as English words, exactly, digit by digit. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** The short scale, as used in English. */
const scales = ' thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'.split(' ')
/** The most digits before the point. */
export const maxSpelledDigits = scales.length * 3

function spellBelowThousand(value: number): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100]
  const small = rest < 20 ? (units[rest] ?? '') : `${tens[Math.floor(rest / 10)] ?? ''}${rest % 10 > 0 ? `-${units[rest % 10] ?? ''}` : ''}`
  if (hundreds === 0) return small
  return `${units[hundreds] ?? ''} hundred${rest > 0 ? ` and ${small}` : ''}`
}

/** `1234` is `one thousand two hundred and thirty-four`. @param digits at most 36 digits */
export function spellNumberInEnglish(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '')
  if (plain === '0') return 'zero'
  const groups: string[] = []
  for (let end = plain.length; end > 0; end -= 3) groups.push(plain.slice(Math.max(0, end - 3), end))
  const parts = groups.flatMap((group, scale) => {
    const value = Number(group)
    if (value === 0) return []
    const words = `${spellBelowThousand(value)} ${scales[scale] ?? ''}`.trim()
    // "One thousand and five", but "one thousand one hundred".
    return [scale === 0 && value < 100 && groups.length > 1 ? `and ${words}` : words]
  })
  return parts.reverse().join(' ')
}

/** A decimal such as `-12.50`: the digits after the point one by one. */
export function spellDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^([-−+]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const after = fraction === '' ? '' : ` point ${[...fraction].map((digit) => units[Number(digit)]).join(' ')}`
  return `${/[-−]/.test(sign) ? 'minus ' : ''}${spellNumberInEnglish(whole)}${after}`
}

const irregular: { readonly [word: string]: string } = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}

/** `21` is `twenty-first`. */
export function spellOrdinal(digits: string): string {
  return spellNumberInEnglish(digits).replace(
    /(?<![a-z])[a-z]+$/,
    (last) => irregular[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`),
  )
}

type Currency = { readonly one: string; readonly many: string; readonly cent: string; readonly cents: string }
export const currencies: { readonly [id: string]: Currency } = {
  USD: { one: 'dollar', many: 'dollars', cent: 'cent', cents: 'cents' },
  EUR: { one: 'euro', many: 'euros', cent: 'cent', cents: 'cents' },
  GBP: { one: 'pound', many: 'pounds', cent: 'penny', cents: 'pence' },
  CNY: { one: 'yuan', many: 'yuan', cent: 'fen', cents: 'fen' },
}

/** An amount with at most two digits after the point. */
export function spellAmount(text: string, { one, many, cent, cents }: Currency): string {
  const [, sign = '', whole = '0', fraction = ''] = /^([-−]?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? []
  const small = Number(fraction.padEnd(2, '0'))
  const unit = BigInt(whole) === 1n ? one : many
  const rest = small === 0 ? '' : ` and ${spellNumberInEnglish(String(small))} ${small === 1 ? cent : cents}`
  return `${sign === '' ? '' : 'minus '}${spellNumberInEnglish(whole)} ${unit}${rest}`
}
