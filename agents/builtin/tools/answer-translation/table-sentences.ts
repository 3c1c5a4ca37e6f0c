/** The sentences of the tools for questions over tables and for converting tables. */
import { readTemplates } from './sentence-template.ts'
import { fileNotes, tableChecks, tableRemarks } from './table-remarks.ts'

const aggregates = `
en: No row fulfils the condition[: {w:filters}].
de: Keine Zeile erfüllt die Bedingung[: {w}].
fr: Aucune ligne ne remplit la condition[ : {w}].
es: Ninguna fila cumple la condición[: {w}].
zh: 没有符合条件的行[：{w}]。

en: No group fulfils the condition[ where {w:filters}].
de: Keine Gruppe erfüllt die Bedingung[ bei {w}].
fr: Aucun groupe ne remplit la condition[ avec {w}].
es: Ningún grupo cumple la condición[ con {w}].
zh: 没有符合条件的组[（条件：{w}）]。

en: No row has a number for {m:measureName}[ where {w:filters}].
de: Keine Zeile hat eine Zahl für {m}[ bei {w}].
fr: Aucune ligne n'a de nombre pour « {m} »[ avec {w}].
es: Ninguna fila tiene un número para {m}[ con {w}].
zh: 没有一行含有 {m} 的数值[（条件：{w}）]。

en: {r:rows} in the table[, one for each of the {o:noun}].
de: {r} in der Tabelle.
fr: {r} dans le tableau.
es: {r} en la tabla.
zh: 表中共 {r}。

en: {r:rows} where {w:filters}[, one for each of the {o:noun}].
de: {r} mit {w}.
fr: {r} avec {w}.
es: {r} con {w}.
zh: {r}（条件：{w}）。

en: {n:number} different cells in “{c:column}”[ where {w:filters}].
de: {n} verschiedene Werte in „{c}“[ mit {w}].
fr: {n} valeurs différentes dans « {c} »[ avec {w}].
es: {n} valores distintos en «{c}»[ con {w}].
zh: “{c}”中有 {n} 个不同的值[（条件：{w}）]。

en: {n:number} different cells in “{c:column}”[ where {w:filters}] ({r:rows}).
de: {n} verschiedene Werte in „{c}“[ mit {w}] ({r}).
fr: {n} valeurs différentes dans « {c} »[ avec {w}] ({r}).
es: {n} valores distintos en «{c}»[ con {w}] ({r}).
zh: “{c}”中有 {n} 个不同的值[（条件：{w}）]（{r}）。

en: {v:ownValue} ({m:measureName}[ where {w:filters}]).
de: {v} ({m}[ mit {w}]).
fr: {v} ({m}[ avec {w}]).
es: {v} ({m}[ con {w}]).
zh: {v}（{m}[，条件：{w}]）。

en: {v:value} ({p:parts}[ where {w:filters}]).
de: {v} ({p}[ mit {w}]).
fr: {v} ({p}[ avec {w}]).
es: {v} ({p}[ con {w}]).
zh: {v}（{p}[，条件：{w}]）。

en: {v:value}[ for {l:cellList}] ({m:measure}[: {p:parts}] over {r:rows}[ where {w:filters}][, {x:rows} without a number]).
de: {v}[ für {l}] ({m}[: {p}] über {r}[ mit {w}][, zusätzlich {x} ohne Zahl]).
fr: {v}[ pour {l}] ({m}[ : {p}] sur {r}[ avec {w}][, en plus {x} sans nombre]).
es: {v}[ para {l}] ({m}[: {p}] en {r}[ con {w}][, además {x} sin número]).
zh: {v}[（{l}）]（{m}[：{p}]，共 {r}[，条件：{w}][，另有 {x}没有数值]）。

en: {v:value} in {k:rows} ({m:measure}[: {p:parts}] over {r:rows}[ where {w:filters}][, {x:rows} without a number]).
de: {v} in {k} ({m}[: {p}] über {r}[ mit {w}][, zusätzlich {x} ohne Zahl]).
fr: {v} dans {k} ({m}[ : {p}] sur {r}[ avec {w}][, en plus {x} sans nombre]).
es: {v} en {k} ({m}[: {p}] en {r}[ con {w}][, además {x} sin número]).
zh: {v}，见于 {k}（{m}[：{p}]，共 {r}[，条件：{w}][，另有 {x}没有数值]）。

en: {m:measureValues} ({r:rows}[ where {w:filters}]).
de: {m} ({r}[ mit {w}]).
fr: {m} ({r}[ avec {w}]).
es: {m} ({r}[ con {w}]).
zh: {m}（{r}[，条件：{w}]）。
`

const extremes = `
en: {t:extreme} {m:measureName}[ where {w:filters}]: {v:value}[ ({l:cellList})][: {p:parts}].
de: {t} von {m}[ bei {w}]: {v}[ ({l})][: {p}].
fr: {t} de « {m} »[ avec {w}] : {v}[ ({l})][ : {p}].
es: {t} de {m}[ con {w}]: {v}[ ({l})][: {p}].
zh: {m} {t}[（条件：{w}）]：{v}[（{l}）][：{p}]。

en: {t:extreme} {m:measureName}[ where {w:filters}]: {v:value} ({r:rows}).
de: {t} von {m}[ bei {w}]: {v} ({r}).
fr: {t} de « {m} »[ avec {w}] : {v} ({r}).
es: {t} de {m}[ con {w}]: {v} ({r}).
zh: {m} {t}[（条件：{w}）]：{v}（{r}）。

en: {t:extreme}: {l:cellList}, {v:value} ({h:how}[, {r:rows}][ where {w:filters}]).
de: {t}: {l} mit {v} ({h}[, {r}][, mit {w}]).
fr: {t} : {l} avec {v} ({h}[, {r}][, avec {w}]).
es: {t}: {l} con {v} ({h}[, {r}][, con {w}]).
zh: {t}：{l}，{v}（{h}[，{r}][，条件：{w}]）。

en: {t:extreme}: {a:number} of {b:number} groups, {v:value} ({h:how}[ where {w:filters}]).
de: {t}: {a} von {b} Gruppen, {v} ({h}[, mit {w}]).
fr: {t} : {a} groupes sur {b}, {v} ({h}[, avec {w}]).
es: {t}: {a} de {b} grupos, {v} ({h}[, con {w}]).
zh: {t}：{b} 个组中的 {a} 个，{v}（{h}[，条件：{w}]）。

en: Highest {n:number}: {i:items} ({h:how}[ where {w:filters}]).
de: Die {n} höchsten: {i} ({h}[, mit {w}]).
fr: Les {n} plus élevés : {i} ({h}[, avec {w}]).
es: Los {n} más altos: {i} ({h}[, con {w}]).
zh: 最高的 {n} 个：{i}（{h}[，条件：{w}]）。

en: Lowest {n:number}: {i:items} ({h:how}[ where {w:filters}]).
de: Die {n} niedrigsten: {i} ({h}[, mit {w}]).
fr: Les {n} plus bas : {i} ({h}[, avec {w}]).
es: Los {n} más bajos: {i} ({h}[, con {w}]).
zh: 最低的 {n} 个：{i}（{h}[，条件：{w}]）。

en: There are fewer than {n:number} different values of {h:how}.
de: Es gibt weniger als {n} verschiedene Werte von {h}.
fr: Il y a moins de {n} valeurs différentes de {h}.
es: Hay menos de {n} valores distintos de {h}.
zh: {h} 的不同值少于 {n} 个。

en: {m:measure} by {g:groupName}[ where {w:filters}]: {i:items}[; {f:measures} in the file][; {x:rows} without a number].
de: {m} nach {g}[ mit {w}]: {i}[; {f} in der Datei][; zusätzlich {x} ohne Zahl].
fr: {m} par « {g} »[ avec {w}] : {i}[ ; {f} dans le fichier][ ; en plus {x} sans nombre].
es: {m} por {g}[ con {w}]: {i}[; {f} en el archivo][; además {x} sin número].
zh: {m}（按 {g} 分组）[（条件：{w}）]：{i}[；文件中还有{f}][；另有 {x}没有数值]。

en: {m:measure} {s:comparison} {n:number} by {g:groupName}[ where {w:filters}]: {i:items}[; {f:measures} in the file][; {x:rows} without a number].
de: {m} {s} {n} nach {g}[ mit {w}]: {i}[; {f} in der Datei][; zusätzlich {x} ohne Zahl].
fr: {m} {s} {n} par « {g} »[ avec {w}] : {i}[ ; {f} dans le fichier][ ; en plus {x} sans nombre].
es: {m} {s} {n} por {g}[ con {w}]: {i}[; {f} en el archivo][; además {x} sin número].
zh: {m} {s} {n}（按 {g} 分组）[（条件：{w}）]：{i}[；文件中还有{f}][；另有 {x}没有数值]。
`

const relations = `
en: {p:number}% ({m:measure}: {a:value} of {b:value}[ where {w:filters}]).
de: {p} % ({m}: {a} von {b}[, mit {w}]).
fr: {p} % ({m} : {a} sur {b}[, avec {w}]).
es: {p} % ({m}: {a} de {b}[, con {w}]).
zh: {p}%（{m}：{b} 中的 {a}[，条件：{w}]）。

en: The whole is 0[ where {w:filters}], so there is no share.
de: Das Ganze ist 0[ bei {w}], also gibt es keinen Anteil.
fr: Le total est 0[ avec {w}], il n'y a donc pas de part.
es: El total es 0[ con {w}], así que no hay proporción.
zh: 总数为 0[（条件：{w}）]，因此没有占比。

en: {s:value} more for {a:cell} than for {b:cell} ({m:measure}: {x:cellValues}[, {p:change}][ where {w:filters}]).
de: {s} mehr bei {a} als bei {b} ({m}: {x}[; {p}][, mit {w}]).
fr: {s} de plus pour {a} que pour {b} ({m} : {x}[; {p}][, avec {w}]).
es: {s} más para {a} que para {b} ({m}: {x}[; {p}][, con {w}]).
zh: {a} 比 {b} 多 {s}（{m}：{x}[，{p}][，条件：{w}]）。

en: {s:value} less for {a:cell} than for {b:cell} ({m:measure}: {x:cellValues}[, {p:change}][ where {w:filters}]).
de: {s} weniger bei {a} als bei {b} ({m}: {x}[; {p}][, mit {w}]).
fr: {s} de moins pour {a} que pour {b} ({m} : {x}[; {p}][, avec {w}]).
es: {s} menos para {a} que para {b} ({m}: {x}[; {p}][, con {w}]).
zh: {a} 比 {b} 少 {s}（{m}：{x}[，{p}][，条件：{w}]）。

en: No difference ({m:measure}: {x:cellValues}[ where {w:filters}]).
de: Kein Unterschied ({m}: {x}[, mit {w}]).
fr: Aucune différence ({m} : {x}[, avec {w}]).
es: Ninguna diferencia ({m}: {x}[, con {w}]).
zh: 没有差别（{m}：{x}[，条件：{w}]）。

en: No row has a number for {l:cellList}, so there is nothing to compare.
de: Keine Zeile hat eine Zahl für {l}, also gibt es nichts zu vergleichen.
fr: Aucune ligne n'a de nombre pour {l}, il n'y a donc rien à comparer.
es: Ninguna fila tiene un número para {l}, así que no hay nada que comparar.
zh: 没有一行含有 {l} 的数值，因此无法比较。

en: {v:number}: {s:strength} correlation of {a:column} and {b:column} (Pearson, {r:rows}[ where {w:filters}][, {x:rows} without both numbers left out]; r² {q:number}; mean {c:column} {i:number}, mean {d:column} {j:number}).
de: {v}: {s} Korrelation von {a} und {b} (Pearson, {r}[, mit {w}][, ohne {x}, denen eine der Zahlen fehlt]; r² {q}; Mittelwert {c} {i}, Mittelwert {d} {j}).
fr: {v} : corrélation {s} entre « {a} » et « {b} » (Pearson, {r}[, avec {w}][, sans {x} où l'un des nombres manque] ; r² {q} ; moyenne de « {c} » {i}, moyenne de « {d} » {j}).
es: {v}: correlación {s} entre {a} y {b} (Pearson, {r}[, con {w}][, sin {x} a las que falta uno de los números]; r² {q}; media de {c} {i}, media de {d} {j}).
zh: {v}：{a} 与 {b} {s}（皮尔逊相关系数，{r}[，条件：{w}][，{x}缺少其中一个数值，未计入]；r² {q}；{c} 的平均值 {i}，{d} 的平均值 {j}）。

en: {v:number}: almost no correlation of {a:column} and {b:column} (Pearson, {r:rows}[ where {w:filters}][, {x:rows} without both numbers left out]; r² {q:number}; mean {c:column} {i:number}, mean {d:column} {j:number}).
de: {v}: fast keine Korrelation von {a} und {b} (Pearson, {r}[, mit {w}][, ohne {x}, denen eine der Zahlen fehlt]; r² {q}; Mittelwert {c} {i}, Mittelwert {d} {j}).
fr: {v} : presque aucune corrélation entre « {a} » et « {b} » (Pearson, {r}[, avec {w}][, sans {x} où l'un des nombres manque] ; r² {q} ; moyenne de « {c} » {i}, moyenne de « {d} » {j}).
es: {v}: casi ninguna correlación entre {a} y {b} (Pearson, {r}[, con {w}][, sin {x} a las que falta uno de los números]; r² {q}; media de {c} {i}, media de {d} {j}).
zh: {v}：{a} 与 {b} 几乎不相关（皮尔逊相关系数，{r}[，条件：{w}][，{x}缺少其中一个数值，未计入]；r² {q}；{c} 的平均值 {i}，{d} 的平均值 {j}）。

en: A correlation alone does not prove a cause.
de: Eine Korrelation allein beweist keine Ursache.
fr: Une corrélation seule ne prouve pas une cause.
es: Una correlación por sí sola no demuestra una causa.
zh: 仅有相关性并不能证明因果关系。

en: {r:rows} without {g:column}: {v:value}.
de: {r} ohne {g}: {v}.
fr: {r} sans « {g} » : {v}.
es: {r} sin {g}: {v}.
zh: {r}没有 {g}：{v}。

en: {r:rows} without {g:column}.
de: {r} ohne {g}.
fr: {r} sans « {g} ».
es: {r} sin {g}.
zh: {r}没有 {g}。

en: The correlation of {a:column} and {b:column} needs at least three rows with different numbers.
de: Die Korrelation von {a} und {b} braucht mindestens drei Zeilen mit verschiedenen Zahlen.
fr: La corrélation entre « {a} » et « {b} » demande au moins trois lignes avec des nombres différents.
es: La correlación entre {a} y {b} necesita al menos tres filas con números distintos.
zh: 计算 {a} 与 {b} 的相关性至少需要三行不同的数值。
`

const lists = `
en: {n:number} different cells in “{c:column}”[ where {w:filters}]: {t:cells}.
de: {n} verschiedene Werte in „{c}“[ mit {w}]: {t}.
fr: {n} valeurs différentes dans « {c} »[ avec {w}] : {t}.
es: {n} valores distintos en «{c}»[ con {w}]: {t}.
zh: “{c}”中有 {n} 个不同的值[（条件：{w}）]：{t}。

en: 1 different cell in “{c:column}”[ where {w:filters}]: {t:cells}.
de: 1 Wert in „{c}“[ mit {w}]: {t}.
fr: 1 valeur dans « {c} »[ avec {w}] : {t}.
es: 1 valor en «{c}»[ con {w}]: {t}.
zh: “{c}”中有 1 个值[（条件：{w}）]：{t}。

en: {r:rows}[ where {w:filters}][, highest {h:measureName} first]: {t:cells}.
de: {r}[ mit {w}][, absteigend nach {h}]: {t}.
fr: {r}[ avec {w}][, par « {h} » décroissant] : {t}.
es: {r}[ con {w}][, por {h} de mayor a menor]: {t}.
zh: {r}[（条件：{w}）][，按 {h} 从高到低]：{t}。

en: {r:rows}[ where {w:filters}][, lowest {h:measureName} first]: {t:cells}.
de: {r}[ mit {w}][, aufsteigend nach {h}]: {t}.
fr: {r}[ avec {w}][, par « {h} » croissant] : {t}.
es: {r}[ con {w}][, por {h} de menor a mayor]: {t}.
zh: {r}[（条件：{w}）][，按 {h} 从低到高]：{t}。

en: {t:shownCell} ({c:columnList}[ where {w:filters}]).
de: {t} ({c}[, mit {w}]).
fr: {t} ({c}[, avec {w}]).
es: {t} ({c}[, con {w}]).
zh: {t}（{c}[，条件：{w}]）。
`

/** Answers to questions over rows. */
export const questionAnswers = [lists, relations, extremes, aggregates].join('\n')

/** By skill id. */
export const tableSentences = {
  'table.question': readTemplates([tableRemarks, fileNotes, tableChecks, questionAnswers].join('\n')),
  'table.convert': readTemplates(`
${fileNotes}
en: {s:tableSize} as {f:code}.
de: {s} als {f}.
fr: {s} en {f}.
es: {s} como {f}.
zh: {s}，格式为 {f}。

en: 1 duplicate row removed.
de: 1 doppelte Zeile entfernt.
fr: 1 ligne en double supprimée.
es: 1 fila duplicada eliminada.
zh: 已删除 1 个重复行。

en: 0 duplicate rows removed.
de: 0 doppelte Zeilen entfernt.
fr: 0 ligne en double supprimée.
es: 0 filas duplicadas eliminadas.
zh: 已删除 0 个重复行。

en: 1 row left out.
de: 1 Zeile ausgelassen.
fr: 1 ligne laissée de côté.
es: 1 fila omitida.
zh: 略去 1 行。

en: 0 rows left out.
de: 0 Zeilen ausgelassen.
fr: 0 ligne laissée de côté.
es: 0 filas omitidas.
zh: 略去 0 行。

en: {n:number} rows left out.
de: {n} Zeilen ausgelassen.
fr: {n} lignes laissées de côté.
es: {n} filas omitidas.
zh: 略去 {n} 行。

en: {n:number} duplicate rows removed.
de: {n} doppelte Zeilen entfernt.
fr: {n} lignes en double supprimées.
es: {n} filas duplicadas eliminadas.
zh: 已删除 {n} 个重复行。
`),
} as const
