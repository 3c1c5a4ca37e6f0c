/** The statistics of a list of numbers, of which each is a part of one sentence. */
import { fragment, listWriter } from './list-writer.ts'
import { readTemplates, type SlotKind } from './sentence-template.ts'
import { englishNumber, writeLocalNumber } from './write-local-number.ts'

const parts = readTemplates(`
en: count {n:approximate}
de: Anzahl {n}
fr: nombre {n}
es: cantidad {n}
zh: 个数 {n}

en: sum {n:approximate}
de: Summe {n}
fr: somme {n}
es: suma {n}
zh: 总和 {n}

en: mean {n:approximate}
de: Mittelwert {n}
fr: moyenne {n}
es: media {n}
zh: 平均值 {n}

en: median {n:approximate}
de: Median {n}
fr: médiane {n}
es: mediana {n}
zh: 中位数 {n}

en: mode {n:approximate} ({k:approximate} times)
de: Modalwert {n} ({k}-mal)
fr: mode {n} ({k} fois)
es: moda {n} ({k} veces)
zh: 众数 {n}（{k} 次）

en: modes {n:numberList} ({k:approximate} times each)
de: Modalwerte {n} (je {k}-mal)
fr: modes {n} ({k} fois chacun)
es: modas {n} ({k} veces cada una)
zh: 众数 {n}（各 {k} 次）

en: no mode, because each number occurs once
de: kein Modalwert, weil jede Zahl einmal vorkommt
fr: pas de mode, car chaque nombre apparaît une fois
es: sin moda, porque cada número aparece una vez
zh: 没有众数，因为每个数只出现一次

en: minimum {n:approximate}
de: Minimum {n}
fr: minimum {n}
es: mínimo {n}
zh: 最小值 {n}

en: maximum {n:approximate}
de: Maximum {n}
fr: maximum {n}
es: máximo {n}
zh: 最大值 {n}

en: range {n:approximate} ({a:approximate} to {b:approximate})
de: Spannweite {n} ({a} bis {b})
fr: étendue {n} (de {a} à {b})
es: rango {n} (de {a} a {b})
zh: 极差 {n}（{a} 到 {b}）

en: variance {a:approximate} (sample) or {b:approximate} (population)
de: Varianz {a} (Stichprobe) oder {b} (Grundgesamtheit)
fr: variance {a} (échantillon) ou {b} (population)
es: varianza {a} (muestra) o {b} (población)
zh: 方差 {a}（样本）或 {b}（总体）

en: standard deviation {a:approximate} (sample, n − 1) or {b:approximate} (population, n)
de: Standardabweichung {a} (Stichprobe, n − 1) oder {b} (Grundgesamtheit, n)
fr: écart type {a} (échantillon, n − 1) ou {b} (population, n)
es: desviación estándar {a} (muestra, n − 1) o {b} (población, n)
zh: 标准差 {a}（样本，n − 1）或 {b}（总体，n）

en: sample standard deviation {a:approximate} (n − 1)
de: Standardabweichung der Stichprobe {a} (n − 1)
fr: écart type de l'échantillon {a} (n − 1)
es: desviación estándar de la muestra {a} (n − 1)
zh: 样本标准差 {a}（n − 1）

en: population standard deviation {a:approximate} (n)
de: Standardabweichung der Grundgesamtheit {a} (n)
fr: écart type de la population {a} (n)
es: desviación estándar de la población {a} (n)
zh: 总体标准差 {a}（n）

en: sample variance {a:approximate} (n − 1)
de: Varianz der Stichprobe {a} (n − 1)
fr: variance de l'échantillon {a} (n − 1)
es: varianza de la muestra {a} (n − 1)
zh: 样本方差 {a}（n − 1）

en: population variance {a:approximate} (n)
de: Varianz der Grundgesamtheit {a} (n)
fr: variance de la population {a} (n)
es: varianza de la población {a} (n)
zh: 总体方差 {a}（n）
`)

const names = 'count|sum|mean|median|modes?|no mode|minimum|maximum|range|variance|standard|sample|population'
const separators = new RegExp(`(?:, | and )(?=(?:${names})\\b)`, 'g')

export const statisticsSlots: { readonly [kind: string]: SlotKind } = {
  approximate: {
    pattern: new RegExp(`(?:≈ )?[-−]?${englishNumber}`, 'y'),
    write: (text, { language }) => writeLocalNumber(text, language),
  },
  numberList: {
    write: listWriter((text, { language }) => (/^[-−]?[\d.,]+$/.test(text) ? writeLocalNumber(text, language) : undefined)),
  },
  listStatistics: { write: listWriter(fragment(parts), { separators, comma: '; ' }) },
}
