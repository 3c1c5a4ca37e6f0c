/** What the lines of a formula's answer are called, in each language. */
import type { AnswerLanguage } from '../../answer-translation/answer-languages.ts'

export type FormulaLabel =
  | 'fuel'
  | 'cost'
  | 'range'
  | 'time'
  | 'distance'
  | 'speed'
  | 'pace'
  | 'area'
  | 'perimeter'
  | 'volume'
  | 'circumference'
  | 'diagonal'
  | 'hypotenuse'
  | 'bmi'
  | 'per hour'
  | 'per month'
  | 'per year'
  | 'energy'

const rows: { readonly [label in FormulaLabel]: string } = {
  fuel: 'Fuel; Kraftstoff; Carburant; Combustible; 燃油',
  cost: 'Cost; Kosten; Coût; Coste; 费用',
  range: 'Range; Reichweite; Autonomie; Autonomía; 续航里程',
  time: 'Time; Zeit; Durée; Tiempo; 时间',
  distance: 'Distance; Strecke; Distance; Distancia; 距离',
  speed: 'Speed; Geschwindigkeit; Vitesse; Velocidad; 速度',
  pace: 'Pace; Tempo; Allure; Ritmo; 配速',
  area: 'Area; Fläche; Aire; Área; 面积',
  perimeter: 'Perimeter; Umfang; Périmètre; Perímetro; 周长',
  volume: 'Volume; Volumen; Volume; Volumen; 体积',
  circumference: 'Circumference; Umfang; Circonférence; Circunferencia; 周长',
  diagonal: 'Diagonal; Diagonale; Diagonale; Diagonal; 对角线',
  hypotenuse: 'Hypotenuse; Hypotenuse; Hypoténuse; Hipotenusa; 斜边',
  bmi: 'BMI; BMI; IMC; IMC; BMI',
  'per hour': 'Per hour; Pro Stunde; Par heure; Por hora; 每小时',
  'per month': 'Per month; Pro Monat; Par mois; Por mes; 每月',
  'per year': 'Per year; Pro Jahr; Par an; Por año; 每年',
  energy: 'Energy; Energie; Énergie; Energía; 用电量',
}

const order = ['en', 'de', 'fr', 'es', 'zh'] as const

export const formulaLabel = (label: FormulaLabel, language: AnswerLanguage | 'en'): string =>
  rows[label].split('; ')[order.indexOf(language)] ?? label

const notes: { readonly [language in AnswerLanguage | 'en']: string } = {
  en: 'A value after ≈ is rounded.',
  de: 'Ein Wert nach ≈ ist gerundet.',
  fr: 'Une valeur après ≈ est arrondie.',
  es: 'Un valor después de ≈ está redondeado.',
  zh: '≈ 之后的数值经过舍入。',
}
const headings: { readonly [language in AnswerLanguage | 'en']: string } = {
  en: 'Result',
  de: 'Ergebnis',
  fr: 'Résultat',
  es: 'Resultado',
  zh: '结果',
}

export const roundingNote = (language: AnswerLanguage | 'en'): string => notes[language]
export const resultHeading = (language: AnswerLanguage | 'en'): string => headings[language]
