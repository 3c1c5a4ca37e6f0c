/** Writes the values of cells and computed numbers, with their units. */
import type { InEachLanguage } from './answer-languages.ts'
import type { SlotWriter } from './sentence-template.ts'
import { englishNumber, writeLocalNumber, writeLocalPercent } from './write-local-number.ts'

const withUnit = new RegExp(`^((?:≈ )?[-−+]?${englishNumber})(?:(%)|( [^\\s\\d]{1,12}))?$`)
const noValue: InEachLanguage = { de: 'kein Wert', fr: 'aucune valeur', es: 'sin valor', zh: '无数值' }

/** Such as `12.5%`, `1,200 kg` or `no value`. */
export const writeLocalValue: SlotWriter = (text, { language }) => {
  if (text === 'no value') return noValue[language]
  const [, number, percent, unit = ''] = withUnit.exec(text) ?? []
  if (number === undefined) return undefined
  return percent === undefined ? `${writeLocalNumber(number, language)}${unit}` : writeLocalPercent(number, language)
}
