/** The sentences of the tools that draw, join and describe tables. */
import { readTemplates } from './sentence-template.ts'
import { fileNotes, tableRemarks } from './table-remarks.ts'
import { questionAnswers } from './table-sentences.ts'

/** By skill id. */
export const chartAndJoinSentences = {
  'table.chart': readTemplates(`
${tableRemarks}
${fileNotes}
en: {k:chartKind} of {m:measures} by {g:groupName}[ where {w:filters}]: {i:items}.
de: {k}: {m} nach {g}[ mit {w}]: {i}.
fr: {k} : {m} par « {g} »[ avec {w}] : {i}.
es: {k}: {m} por {g}[ con {w}]: {i}.
zh: {k}：{m}（按 {g} 分组）[（条件：{w}）]：{i}。

en: {r:rows} has no number in “{c:column}”.
de: {r} hat keine Zahl in „{c}“.
fr: {r} n'a pas de nombre dans « {c} ».
es: {r} no tiene número en «{c}».
zh: {r}在“{c}”中没有数值。

en: {r:rows} have no number in “{c:column}”.
de: {r} haben keine Zahl in „{c}“.
fr: {r} n'ont pas de nombre dans « {c} ».
es: {r} no tienen número en «{c}».
zh: {r}在“{c}”中没有数值。
`),
  'table.join': readTemplates(
    `
en: {r:rows} of {a:text} joined with {b:text} on {k:column} = {o:column}.
de: {r} von {a} mit {b} verbunden über {k} = {o}.
fr: {r} de {a} jointes à {b} sur {k} = {o}.
es: {r} de {a} unidas con {b} por {k} = {o}.
zh: {a} 的 {r}已与 {b} 按 {k} = {o} 连接。

en: Every row of {a:text} has a match.
de: Jede Zeile von {a} hat eine Entsprechung.
fr: Chaque ligne de {a} a une correspondance.
es: Cada fila de {a} tiene una correspondencia.
zh: {a} 的每一行都有匹配。

en: {r:rows} without a match: {k:keyedRows}.
de: {r} ohne Entsprechung: {k}.
fr: {r} sans correspondance : {k}.
es: {r} sin correspondencia: {k}.
zh: {r}没有匹配：{k}。

en: {r:rows} without a match, left out: {k:keyedRows}.
de: {r} ohne Entsprechung, ausgelassen: {k}.
fr: {r} sans correspondance, laissées de côté : {k}.
es: {r} sin correspondencia, omitidas: {k}.
zh: {r}没有匹配，已略去：{k}。

en: Not used of {b:text}: {k:keyedRows}.
de: Nicht verwendet aus {b}: {k}.
fr: Non utilisé de {b} : {k}.
es: Sin usar de {b}: {k}.
zh: {b} 中未使用：{k}。
${[tableRemarks, questionAnswers].join('\n')}`,
  ),
  'table.statistics': readTemplates(`
${fileNotes}
en: {s:tableSize}.
de: {s}.
fr: {s}.
es: {s}.
zh: {s}。

en: {c:columnStatistics}.
de: {c}.
fr: {c}.
es: {c}.
zh: {c}。

en: The file has all columns.
de: Die Datei hat alle Spalten.
fr: Le fichier contient toutes les colonnes.
es: El archivo tiene todas las columnas.
zh: 文件包含所有列。

en: # Statistics
de: # Statistik
fr: # Statistiques
es: # Estadísticas
zh: # 统计

en: From “{t:text}”: {s:tableSize}.
de: Aus „{t}“: {s}.
fr: D'après « {t} » : {s}.
es: De «{t}»: {s}.
zh: 来自“{t}”：{s}。

en: ## Numbers
de: ## Zahlen
fr: ## Nombres
es: ## Números
zh: ## 数值

en: ## Texts and times
de: ## Texte und Zeiten
fr: ## Textes et dates
es: ## Textos y fechas
zh: ## 文本和时间

en: ## How the file was read
de: ## Wie die Datei gelesen wurde
fr: ## Comment le fichier a été lu
es: ## Cómo se leyó el archivo
zh: ## 文件的读取方式

en: | Column | Kind | Filled | Missing | Minimum | 25 % | Median | Mean | 75 % | Maximum | Standard deviation |
de: | Spalte | Art | Gefüllt | Fehlend | Minimum | 25 % | Median | Mittelwert | 75 % | Maximum | Standardabweichung |
fr: | Colonne | Type | Remplies | Manquantes | Minimum | 25 % | Médiane | Moyenne | 75 % | Maximum | Écart type |
es: | Columna | Tipo | Llenas | Vacías | Mínimo | 25 % | Mediana | Media | 75 % | Máximo | Desviación estándar |
zh: | 列 | 类型 | 有值 | 缺失 | 最小值 | 25% | 中位数 | 平均值 | 75% | 最大值 | 标准差 |

en: | Column | Filled | Missing | Different | Most frequent |
de: | Spalte | Gefüllt | Fehlend | Verschieden | Am häufigsten |
fr: | Colonne | Remplies | Manquantes | Différentes | La plus fréquente |
es: | Columna | Llenas | Vacías | Distintas | Más frecuente |
zh: | 列 | 有值 | 缺失 | 不同 | 最常见 |

en: Quartiles are interpolated between neighbours.
de: Quartile sind zwischen Nachbarn interpoliert.
fr: Les quartiles sont interpolés entre valeurs voisines.
es: Los cuartiles se interpolan entre valores vecinos.
zh: 四分位数在相邻值之间插值。

en: The standard deviation is that of a sample.
de: Die Standardabweichung ist die einer Stichprobe.
fr: L'écart type est celui d'un échantillon.
es: La desviación estándar es la de una muestra.
zh: 标准差为样本标准差。
`),
} as const
