/** Compares telephone numbers that are written in different ways, and writes them in a given form. */

/** Calling codes of one and two digits, and the beginnings of those with three. All others are unknown. */
const shortCodes = new Set(
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
)
const longCode = /^(?:2[1-9]\d|35\d|37\d|38\d|42\d|5[09]\d|6[789]\d|80\d|85\d|87\d|88\d|96\d|97\d|99\d)/

type SplitPhone = { /** Without + or zeros; undefined for a national number. */ readonly code: string | undefined; readonly rest: string }

/** The calling code, and the digits after it or after the leading 0. */
function splitPhone(phone: string): SplitPhone {
  // "+44 (0)20" has the national 0 as well.
  const digits = phone.replace(/\(0\)/g, '').replace(/\D/g, '')
  const isInternational = /^\s*\(?\+/.test(phone) || digits.startsWith('00')
  if (!isInternational) return { code: undefined, rest: digits.replace(/^0/, '') }
  const plain = digits.replace(/^00/, '')
  const code = [plain.slice(0, 1), plain.slice(0, 2)].find((one) => shortCodes.has(one)) ?? longCode.exec(plain)?.[0]
  return { code, rest: code === undefined ? plain : plain.slice(code.length) }
}

/** True if both numbers are the same, one perhaps without its calling code. */
function isSamePhone(a: SplitPhone, b: SplitPhone): boolean {
  return a.rest === b.rest && (a.code === b.code || a.code === undefined || b.code === undefined)
}

/** The first writing of each number. */
export function uniquePhones<Found extends { readonly text: string }>(found: readonly Found[]): Found[] {
  const known = new Map<string, SplitPhone[]>()
  return found.filter(({ text }) => {
    const phone = splitPhone(text)
    const same = known.get(phone.rest) ?? []
    if (same.some((one) => isSamePhone(one, phone))) return false
    known.set(phone.rest, [...same, phone])
    return true
  })
}

/** A plus sign, the calling code and the digits without blanks (E.164). */
export const internationalForm = '+'

/** A form such as `0X XX XX XX XX` or `+33 X XX XX XX XX`. Each X is a digit of the number without its leading 0. */
export const isPhoneForm = (form: string): boolean =>
  form === internationalForm || (/^(?:0|\+\d{1,3} ?)?[x ()./-]{6,30}$/i.test(form) && (form.match(/x/gi)?.length ?? 0) >= 6)

/** The calling code of most numbers that have one. */
export function commonCallingCode(phones: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { code } of phones.map(splitPhone)) if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

/**
 * The number in the form. Undefined if it has another count of digits, or is of another country than the others.
 *
 * @param country the calling code of the other numbers, if one is known
 */
export function formatPhoneNumber(phone: string, form: string, country: string | undefined): string | undefined {
  const { code, rest } = splitPhone(phone)
  if (form === internationalForm) return (code ?? country) === undefined ? undefined : `+${code ?? country}${rest}`
  const wanted = /^\+(\d{1,3})/.exec(form)?.[1] ?? country
  if (code !== undefined && wanted !== undefined && code !== wanted) return undefined
  const places = form.match(/x/gi)?.length ?? 0
  // A form without a leading 0 or code has a place for the 0.
  const digits = /^[0+]/.test(form) ? rest : places === rest.length + 1 ? `0${rest}` : rest
  if (digits.length !== places) return undefined
  let at = 0
  return form.replace(/x/gi, () => digits[at++] ?? '')
}
