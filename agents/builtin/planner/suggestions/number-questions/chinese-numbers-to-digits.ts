/** Writes Chinese number words with digits: “三百二十” as `320`, “三亩六分” as `3.6亩`, “两个半” as `2.5个`. */

const digits: { readonly [sign: string]: number } = { 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 }
const factors: { readonly [sign: string]: number } = { 十: 10, 百: 100, 千: 1_000 }
const number = '[零〇一二两三四五六七八九十百千万]+'
/** Units of which a tenth has a name of its own. */
const tenths = new RegExp(`(${number}|\\d+)(亩|元|块|尺|寸)(${number.slice(0, -1)}|\\d)(?:分|角|毛|寸)?(?![\\d.十百千万])`, 'gu')
const halves = new RegExp(`(${number}|\\d+)(个|斤|公斤|亩|小时|米|升|里)半`, 'gu')
/** A number word in front of a unit or a percentage. One sign alone may be a part of another word. */
const counted = new RegExp(
  `(${number})(?=\\s?(?:个|位|人|天|年|月|岁|斤|公斤|千克|克|亩|米|公里|里|升|毫升|元|块|次|件|棵|张|份|倍|成|折|点|分钟|小时|％|%))`,
  'gu',
)
const percent = new RegExp(`百分之(${number}|\\d+(?:\\.\\d+)?)`, 'gu')

export const chineseNumbersToDigits = (text: string): string =>
  text
    .replace(tenths, (_, whole: string, unit: string, tenth: string) => `${valueOfNumeral(whole)}.${valueOfNumeral(tenth)}${unit}`)
    .replace(halves, (_, whole: string, unit: string) => `${valueOfNumeral(whole) + 0.5}${unit}`)
    .replace(percent, (_, value: string) => `${valueOfNumeral(value)}%`)
    .replace(counted, (_, value: string) => String(valueOfNumeral(value)))

function valueOfNumeral(text: string): number {
  if (/^\d/.test(text)) return Number(text)
  let [total, section, one] = [0, 0, 0]
  for (const sign of text) {
    const factor = factors[sign]
    if (sign === '万') [total, section, one] = [(total + section + one) * 10_000, 0, 0]
    else if (factor !== undefined) [section, one] = [section + (one === 0 ? 1 : one) * factor, 0]
    else one = digits[sign] ?? 0
  }
  return total + section + one
}
