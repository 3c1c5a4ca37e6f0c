/** Writes formulas of the calculator: numbers, and the names of functions. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { writeLocalNumbers } from './write-local-number.ts'

/** `English = German; French; Spanish; Chinese`. */
const functionLines = `
average = Durchschnitt; moyenne; media; 平均值
median = Median; médiane; mediana; 中位数
sum = Summe; somme; suma; 总和
product = Produkt; produit; producto; 乘积
round = Runden; arrondi; redondeo; 四舍五入
floor = Abrunden; arrondi inférieur; redondeo hacia abajo; 向下取整
ceil = Aufrunden; arrondi supérieur; redondeo hacia arriba; 向上取整
gcd = ggT; PGCD; mcd; 最大公约数
lcm = kgV; PPCM; mcm; 最小公倍数
min = Minimum; minimum; mínimo; 最小值
max = Maximum; maximum; máximo; 最大值
abs = abs; abs; abs; abs
cbrt = Kubikwurzel; racine cubique; raíz cúbica; 立方根
root = Wurzel; racine; raíz; 方根
`
/** Names that mathematics writes alike in all of the languages. */
const commonNames = 'ln log log2 log10 exp sin cos tan sind cosd tand factorial choose permutations mod'.split(' ')

const functionNames = new Map<string, InEachLanguage>(
  functionLines.split('\n').flatMap((line) => {
    const [english = '', others] = line.split(' = ')
    const [de = '', fr = '', es = '', zh = ''] = (others ?? '').split(';').map((one) => one.trim())
    return others === undefined ? [] : [[english, { de, fr, es, zh }] as const]
  }),
)

const partOf: InEachLanguage = { de: ' von ', fr: ' de ', es: ' de ', zh: ' × ' }
const about: InEachLanguage = { de: 'etwa ', fr: 'environ ', es: 'aproximadamente ', zh: '约 ' }
/** Where a comma precedes decimals, a semicolon stands between the inputs of a function. */
const betweenInputs: InEachLanguage = { de: '; ', fr: '\u00A0; ', es: '; ', zh: ', ' }

/** `15% of 240`, `average(12, 15)`; undefined if it holds other words. */
export function writeLocalFormula(text: string, language: AnswerLanguage): string | undefined {
  const words = text.match(/\p{L}[\p{L}\d]*/gu) ?? []
  if (!words.every((word) => word === 'of' || word === 'about' || functionNames.has(word) || commonNames.includes(word))) return undefined
  if (!/\d/.test(text) || /["“”«»;:?]|^[=≈<>×÷]|[=≈<>×÷] ?$/.test(text)) return undefined
  return writeLocalNumbers(text, language)
    .replaceAll(' of ', partOf[language])
    .replaceAll('about ', about[language])
    .replace(/\b[a-z]+(?=\()/g, (name) => functionNames.get(name)?.[language] ?? name)
    .replace(/, (?=[\d√(−-])/g, betweenInputs[language])
}
