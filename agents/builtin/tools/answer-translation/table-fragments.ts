/** Parts of the sentences on tables: measures, conditions and sizes. */
import { readTemplates } from './sentence-template.ts'

export const tableFragments = {
  rowCounts: readTemplates(`
en: 1 row
de: 1 Zeile
fr: 1 ligne
es: 1 fila
zh: 1 行

en: 0 rows
de: 0 Zeilen
fr: 0 ligne
es: 0 filas
zh: 0 行

en: {n:number} rows
de: {n} Zeilen
fr: {n} lignes
es: {n} filas
zh: {n} 行
`),

  tableSizes: readTemplates(`
en: {r:rows} and 1 column
de: {r} und 1 Spalte
fr: {r} et 1 colonne
es: {r} y 1 columna
zh: {r} 1 列

en: {r:rows} and {n:number} columns
de: {r} und {n} Spalten
fr: {r} et {n} colonnes
es: {r} y {n} columnas
zh: {r} {n} 列
`),

  measures: readTemplates(`
en: sum of {m:measureName}
de: Summe von {m}
fr: somme de « {m} »
es: suma de {m}
zh: {m} 的总和

en: average of {m:measureName}
de: Durchschnitt von {m}
fr: moyenne de « {m} »
es: media de {m}
zh: {m} 的平均值

en: median of {m:measureName}
de: Median von {m}
fr: médiane de « {m} »
es: mediana de {m}
zh: {m} 的中位数

en: lowest of {m:measureName}
de: niedrigster Wert von {m}
fr: valeur la plus basse de « {m} »
es: valor más bajo de {m}
zh: {m} 的最低值

en: highest of {m:measureName}
de: höchster Wert von {m}
fr: valeur la plus élevée de « {m} »
es: valor más alto de {m}
zh: {m} 的最高值

en: range of {m:measureName}
de: Spannweite von {m}
fr: étendue de « {m} »
es: rango de {m}
zh: {m} 的极差

en: standard deviation of {m:measureName}
de: Standardabweichung von {m}
fr: écart type de « {m} »
es: desviación estándar de {m}
zh: {m} 的标准差

en: number of rows
de: Anzahl der Zeilen
fr: nombre de lignes
es: número de filas
zh: 行数

en: number of {m:measureName}
de: Anzahl von {m}
fr: nombre de « {m} »
es: número de {m}
zh: {m} 的数量

en: different cells of {m:measureName}
de: verschiedene Werte von {m}
fr: valeurs différentes de « {m} »
es: valores distintos de {m}
zh: {m} 的不同值

en: {m:measureName}
de: {m}
fr: {m}
es: {m}
zh: {m}
`),

  /** Names of measures that the tool makes from two columns. */
  derivedNames: readTemplates(`
en: profit
de: Gewinn
fr: bénéfice
es: beneficio
zh: 利润

en: margin
de: Marge
fr: marge
es: margen
zh: 利润率

en: churn rate
de: Abwanderungsrate
fr: taux d'attrition
es: tasa de abandono
zh: 流失率

en: conversion rate
de: Konversionsrate
fr: taux de conversion
es: tasa de conversión
zh: 转化率

en: net growth
de: Nettowachstum
fr: croissance nette
es: crecimiento neto
zh: 净增长
`),

  extremeNames: readTemplates(`
en: highest
de: höchster Wert
fr: valeur la plus élevée
es: valor más alto
zh: 最高值

en: lowest
de: niedrigster Wert
fr: valeur la plus basse
es: valor más bajo
zh: 最低值

en: second highest
de: zweithöchster Wert
fr: deuxième valeur la plus élevée
es: segundo valor más alto
zh: 第二高的值

en: second lowest
de: zweitniedrigster Wert
fr: deuxième valeur la plus basse
es: segundo valor más bajo
zh: 第二低的值

en: third highest
de: dritthöchster Wert
fr: troisième valeur la plus élevée
es: tercer valor más alto
zh: 第三高的值

en: third lowest
de: drittniedrigster Wert
fr: troisième valeur la plus basse
es: tercer valor más bajo
zh: 第三低的值
`),

  /** How the number of a group was computed. */
  howComputed: readTemplates(`
en: change of {m:measure} from the one before
de: Veränderung zum Vorherigen: {m}
fr: variation par rapport au précédent : {m}
es: cambio respecto al anterior: {m}
zh: 与前一项相比的变化：{m}

en: {m:measureName} from {a:value} to {b:value}
de: {m} von {a} auf {b}
fr: « {m} » de {a} à {b}
es: {m} de {a} a {b}
zh: {m} 从 {a} 变为 {b}

en: {p:parts}
de: {p}
fr: {p}
es: {p}
zh: {p}

en: {m:measure}
de: {m}
fr: {m}
es: {m}
zh: {m}

en: {h:how}; {m:measureValues}
de: {h}; {m}
fr: {h} ; {m}
es: {h}; {m}
zh: {h}；{m}
`),

  computedParts: readTemplates(`
en: ({a:column} {x:value} − {b:column} {y:value}) ÷ {c:column} {z:value}
de: ({a} {x} − {b} {y}) ÷ {c} {z}
fr: ({a} {x} − {b} {y}) ÷ {c} {z}
es: ({a} {x} − {b} {y}) ÷ {c} {z}
zh: ({a} {x} − {b} {y}) ÷ {c} {z}

en: {a:column} {x:value} − {b:column} {y:value}
de: {a} {x} − {b} {y}
fr: {a} {x} − {b} {y}
es: {a} {x} − {b} {y}
zh: {a} {x} − {b} {y}

en: {a:column} {x:value} + {b:column} {y:value}
de: {a} {x} + {b} {y}
fr: {a} {x} + {b} {y}
es: {a} {x} + {b} {y}
zh: {a} {x} + {b} {y}

en: {a:column} {x:value} × {b:column} {y:value}
de: {a} {x} × {b} {y}
fr: {a} {x} × {b} {y}
es: {a} {x} × {b} {y}
zh: {a} {x} × {b} {y}

en: {a:column} {x:value} ÷ {b:column} {y:value}
de: {a} {x} ÷ {b} {y}
fr: {a} {x} ÷ {b} {y}
es: {a} {x} ÷ {b} {y}
zh: {a} {x} ÷ {b} {y}
`),

  strengths: readTemplates(`
en: strong positive
de: starke positive
fr: positive forte
es: positiva fuerte
zh: 强正相关

en: strong negative
de: starke negative
fr: négative forte
es: negativa fuerte
zh: 强负相关

en: moderate positive
de: mäßige positive
fr: positive modérée
es: positiva moderada
zh: 中等正相关

en: moderate negative
de: mäßige negative
fr: négative modérée
es: negativa moderada
zh: 中等负相关

en: weak positive
de: schwache positive
fr: positive faible
es: positiva débil
zh: 弱正相关

en: weak negative
de: schwache negative
fr: négative faible
es: negativa débil
zh: 弱负相关
`),

  /** One condition on rows. */
  filterNames: readTemplates(`
en: {c:column} is not missing
de: {c} ≠ leer
fr: {c} ≠ vide
es: {c} ≠ vacío
zh: {c} 非空

en: {c:column} is missing
de: {c} = leer
fr: {c} = vide
es: {c} = vacío
zh: {c} 为空

en: {c:column} is above its average
de: {c} über dem Durchschnitt
fr: {c} au-dessus de la moyenne
es: {c} por encima de la media
zh: {c} 高于平均值

en: {c:column} is below its average
de: {c} unter dem Durchschnitt
fr: {c} en dessous de la moyenne
es: {c} por debajo de la media
zh: {c} 低于平均值

en: {c:column} is not {v:choice}
de: {c} ≠ {v}
fr: {c} ≠ {v}
es: {c} ≠ {v}
zh: {c} ≠ {v}

en: {c:column} is {v:choice}
de: {c} = {v}
fr: {c} = {v}
es: {c} = {v}
zh: {c} = {v}

en: {c:column} is {p:period}
de: {c} {p}
fr: {c} {p}
es: {c} {p}
zh: {c} {p}

en: {c:column} contains “{v:text}”
de: {c} enthält „{v}“
fr: {c} contient « {v} »
es: {c} contiene «{v}»
zh: {c} 包含“{v}”

en: {c:column} starts with “{v:text}”
de: {c} beginnt mit „{v}“
fr: {c} commence par « {v} »
es: {c} empieza por «{v}»
zh: {c} 以“{v}”开头

en: {c:column} {s:comparison} {n:value}
de: {c} {s} {n}
fr: {c} {s} {n}
es: {c} {s} {n}
zh: {c} {s} {n}
`),

  periods: readTemplates(`
en: until {t:time}
de: bis {t}
fr: jusqu'à {t}
es: hasta {t}
zh: 截至{t}

en: before {t:time}
de: vor {t}
fr: avant {t}
es: antes de {t}
zh: 早于{t}

en: after {t:time}
de: nach {t}
fr: après {t}
es: después de {t}
zh: 晚于{t}

en: since {t:time}
de: seit {t}
fr: depuis {t}
es: desde {t}
zh: 自{t}起

en: {a:time} to {b:time}
de: von {a} bis {b}
fr: de {a} à {b}
es: de {a} a {b}
zh: 从{a}到{b}
`),

  /** The name of a column of groups, and what its cells are. */
  groupNames: readTemplates(`
en: Year of {c:column}
de: Jahr von {c}
fr: année de {c}
es: año de {c}
zh: {c} 的年份

en: Quarter of {c:column}
de: Quartal von {c}
fr: trimestre de {c}
es: trimestre de {c}
zh: {c} 的季度

en: Month of {c:column}
de: Monat von {c}
fr: mois de {c}
es: mes de {c}
zh: {c} 的月份

en: Month of year of {c:column}
de: Kalendermonat von {c}
fr: mois de l'année de {c}
es: mes del año de {c}
zh: {c} 的月份（不分年份）

en: Weekday of {c:column}
de: Wochentag von {c}
fr: jour de la semaine de {c}
es: día de la semana de {c}
zh: {c} 的星期

en: Day of {c:column}
de: Tag von {c}
fr: jour de {c}
es: día de {c}
zh: {c} 的日期

en: {c:column}
de: {c}
fr: {c}
es: {c}
zh: {c}

en: {a:groupName}, {b:groupName}
de: {a}, {b}
fr: {a}, {b}
es: {a}, {b}
zh: {a}、{b}
`),
} as const
