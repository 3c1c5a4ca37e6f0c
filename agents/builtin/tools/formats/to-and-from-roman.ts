/** Roman numerals in their modern form, from 1 to 3,999. */

const values: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]
export const largestRoman = 3_999

/** @param value from 1 to 3,999 */
export function toRoman(value: number): string {
  let [rest, text] = [value, '']
  for (const [sign, size] of values)
    while (rest >= size) {
      text += sign
      rest -= size
    }
  return text
}

/** The value of a numeral, and whether it has the modern form. Undefined: the letters are no Roman numeral. */
export function fromRoman(text: string): { readonly value: number; readonly isModern: boolean } | undefined {
  const plain = text.toUpperCase()
  if (!/^M{0,4}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})$/.test(plain) || plain === '') return undefined
  let [value, at] = [0, 0]
  for (const [sign, size] of values)
    while (plain.startsWith(sign, at)) {
      value += size
      at += sign.length
    }
  return at === plain.length ? { value, isModern: value <= largestRoman && toRoman(value) === plain } : undefined
}
