/** Sentences that follow answers over tables: notes on how the file and the words were read, and checks of its cells. */

export const tableChecks = `
en: No outliers in “{c:column}” (1.5 interquartile ranges: below {a:number} or above {b:number}).
de: Keine Ausreißer in „{c}“ (1,5 Interquartilsabstände: unter {a} oder über {b}).
fr: Aucune valeur aberrante dans « {c} » (1,5 écart interquartile : sous {a} ou au-dessus de {b}).
es: Ningún valor atípico en «{c}» (1,5 rangos intercuartílicos: por debajo de {a} o por encima de {b}).
zh: “{c}”中没有离群值（1.5 倍四分位距：低于 {a} 或高于 {b}）。

en: 1 outlier in “{c:column}”: {o:outliers} (1.5 interquartile ranges: below {a:number} or above {b:number}).
de: 1 Ausreißer in „{c}“: {o} (1,5 Interquartilsabstände: unter {a} oder über {b}).
fr: 1 valeur aberrante dans « {c} » : {o} (1,5 écart interquartile : sous {a} ou au-dessus de {b}).
es: 1 valor atípico en «{c}»: {o} (1,5 rangos intercuartílicos: por debajo de {a} o por encima de {b}).
zh: “{c}”中有 1 个离群值：{o}（1.5 倍四分位距：低于 {a} 或高于 {b}）。

en: {n:number} outliers in “{c:column}”: {o:outliers} (1.5 interquartile ranges: below {a:number} or above {b:number}).
de: {n} Ausreißer in „{c}“: {o} (1,5 Interquartilsabstände: unter {a} oder über {b}).
fr: {n} valeurs aberrantes dans « {c} » : {o} (1,5 écart interquartile : sous {a} ou au-dessus de {b}).
es: {n} valores atípicos en «{c}»: {o} (1,5 rangos intercuartílicos: por debajo de {a} o por encima de {b}).
zh: “{c}”中有 {n} 个离群值：{o}（1.5 倍四分位距：低于 {a} 或高于 {b}）。

en: “{c:column}” has fewer than {n:number} numbers, too few to tell outliers.
de: „{c}“ hat weniger als {n} Zahlen, zu wenige, um Ausreißer zu erkennen.
fr: « {c} » a moins de {n} nombres, trop peu pour repérer des valeurs aberrantes.
es: «{c}» tiene menos de {n} números, demasiado pocos para detectar valores atípicos.
zh: “{c}”的数值少于 {n} 个，不足以判断离群值。

en: Average of {c:column}: {p:averages}.
de: Durchschnitt von {c}: {p}.
fr: Moyenne de « {c} » : {p}.
es: Media de {c}: {p}.
zh: {c} 的平均值：{p}。

en: Median of {c:column}: {p:averages}.
de: Median von {c}: {p}.
fr: Médiane de « {c} » : {p}.
es: Mediana de {c}: {p}.
zh: {c} 的中位数：{p}。

en: Outliers lie more than 1.5 interquartile ranges outside the quartiles.
de: Ausreißer liegen mehr als 1,5 Interquartilsabstände außerhalb der Quartile.
fr: Les valeurs aberrantes sont à plus de 1,5 écart interquartile des quartiles.
es: Los valores atípicos están a más de 1,5 rangos intercuartílicos de los cuartiles.
zh: 离群值指超出四分位数 1.5 倍四分位距以上的值。

en: No cell is missing in {q:quotedColumns} ({r:rows}).
de: In {q} fehlt keine Zelle ({r}).
fr: Aucune cellule ne manque dans {q} ({r}).
es: No falta ninguna celda en {q} ({r}).
zh: {q}中没有缺失的单元格（{r}）。

en: No cell is missing in 1 column ({r:rows}).
de: In 1 Spalte fehlt keine Zelle ({r}).
fr: Aucune cellule ne manque dans 1 colonne ({r}).
es: No falta ninguna celda en 1 columna ({r}).
zh: 1 列中没有缺失的单元格（{r}）。

en: No cell is missing in {n:number} columns ({r:rows}).
de: In {n} Spalten fehlt keine Zelle ({r}).
fr: Aucune cellule ne manque dans {n} colonnes ({r}).
es: No falta ninguna celda en {n} columnas ({r}).
zh: {n} 列中没有缺失的单元格（{r}）。

en: 1 cell is missing: {m:missingCells}.
de: 1 Zelle fehlt: {m}.
fr: 1 cellule manque : {m}.
es: Falta 1 celda: {m}.
zh: 缺失 1 个单元格：{m}。

en: {n:number} cells are missing: {m:missingCells}.
de: {n} Zellen fehlen: {m}.
fr: {n} cellules manquent : {m}.
es: Faltan {n} celdas: {m}.
zh: 缺失 {n} 个单元格：{m}。

en: No cell of {q:quotedColumns} occurs more than once ({r:rows}).
de: Keine Zelle von {q} kommt mehr als einmal vor ({r}).
fr: Aucune cellule de {q} n'apparaît plus d'une fois ({r}).
es: Ninguna celda de {q} aparece más de una vez ({r}).
zh: {q}中没有重复出现的单元格（{r}）。

en: No row is a duplicate of another ({r:rows}).
de: Keine Zeile wiederholt eine andere ({r}).
fr: Aucune ligne n'en répète une autre ({r}).
es: Ninguna fila repite otra ({r}).
zh: 没有重复的行（{r}）。

en: 1 entry of {q:quotedColumns} occurs more than once: {c:repeatedCells}.
de: 1 Eintrag von {q} kommt mehr als einmal vor: {c}.
fr: 1 entrée de {q} apparaît plus d'une fois : {c}.
es: 1 entrada de {q} aparece más de una vez: {c}.
zh: {q}中有 1 个条目重复出现：{c}。

en: {n:number} entries of {q:quotedColumns} occur more than once: {c:repeatedCells}.
de: {n} Einträge von {q} kommen mehr als einmal vor: {c}.
fr: {n} entrées de {q} apparaissent plus d'une fois : {c}.
es: {n} entradas de {q} aparecen más de una vez: {c}.
zh: {q}中有 {n} 个条目重复出现：{c}。

en: 1 row repeats an earlier one: {c:repeatedCells}.
de: 1 Zeile wiederholt eine frühere: {c}.
fr: 1 ligne en répète une précédente : {c}.
es: 1 fila repite una anterior: {c}.
zh: 有 1 行与前面的行重复：{c}。

en: {n:number} rows repeat an earlier one: {c:repeatedCells}.
de: {n} Zeilen wiederholen eine frühere: {c}.
fr: {n} lignes en répètent une précédente : {c}.
es: {n} filas repiten una anterior: {c}.
zh: 有 {n} 行与前面的行重复：{c}。
`

/** On how the file was read. */
export const fileNotes = `
en: The rows are the list “{t:text}” of the JSON.
de: Die Zeilen sind die Liste „{t}“ im JSON.
fr: Les lignes sont la liste « {t} » du JSON.
es: Las filas son la lista «{t}» del JSON.
zh: 各行取自 JSON 中的列表“{t}”。

en: Left out: {q:quotedNames}.
de: Ausgelassen: {q}.
fr: Laissé de côté : {q}.
es: Omitido: {q}.
zh: 略去：{q}。

en: 1 record has an empty list “{t:text}” and no row.
de: 1 Datensatz hat eine leere Liste „{t}“ und keine Zeile.
fr: 1 enregistrement a une liste « {t} » vide et aucune ligne.
es: 1 registro tiene una lista «{t}» vacía y ninguna fila.
zh: 1 条记录的列表“{t}”为空，没有对应的行。

en: {n:number} records have an empty list “{t:text}” and no row.
de: {n} Datensätze haben eine leere Liste „{t}“ und keine Zeile.
fr: {n} enregistrements ont une liste « {t} » vide et aucune ligne.
es: {n} registros tienen una lista «{t}» vacía y ninguna fila.
zh: {n} 条记录的列表“{t}”为空，没有对应的行。

en: Several columns have the name {q:quotedNames}; the later ones have a number in brackets.
de: Mehrere Spalten heißen {q}; die späteren haben eine Nummer in Klammern.
fr: Plusieurs colonnes portent le nom {q} ; les suivantes ont un numéro entre parenthèses.
es: Varias columnas se llaman {q}; las posteriores llevan un número entre paréntesis.
zh: 有多列名为{q}；后面的列带有括号中的编号。
`

/** On how the words were read. */
export const tableRemarks = `
en: The table has no column “{a:text}”; it is computed as {f:column}.
de: Die Tabelle hat keine Spalte „{a}“; sie ist berechnet als {f}.
fr: Le tableau n'a pas de colonne « {a} » ; elle est calculée comme {f}.
es: La tabla no tiene una columna «{a}»; se calcula como {f}.
zh: 表格中没有“{a}”这一列；按 {f} 计算。

en: {r:rows} more has the same value as the last one.
de: {r} mehr mit demselben Wert wie die letzte.
fr: {r} de plus a la même valeur que la dernière.
es: {r} más tiene el mismo valor que la última.
zh: 另有 {r}与最后一行的值相同。

en: {r:rows} more have the same value as the last one.
de: {r} mehr haben denselben Wert wie die letzte.
fr: {r} de plus ont la même valeur que la dernière.
es: {r} más tienen el mismo valor que la última.
zh: 另有 {r}与最后一行的值相同。

en: Not answered: “{t:text}”.
de: Nicht beantwortet: „{t}“.
fr: Sans réponse : « {t} ».
es: Sin respuesta: «{t}».
zh: 未回答：“{t}”。

en: No column or cell has the name {q:quotedWords}.
de: Keine Spalte oder Zelle heißt {q}.
fr: Aucune colonne ni cellule ne porte le nom {q}.
es: Ninguna columna ni celda se llama {q}.
zh: 没有名为{q}的列或单元格。

en: I cannot use {q:quotedWords} in “{t:text}”.
de: {q} lässt sich in „{t}“ nicht verwenden.
fr: {q} ne peut pas être utilisé dans « {t} ».
es: No se puede usar {q} en «{t}».
zh: 无法在“{t}”中使用{q}。

en: Ask for one thing in each sentence.
de: Fragen Sie in jedem Satz nach einer Sache.
fr: Demandez une seule chose par phrase.
es: Pregunte una sola cosa en cada frase.
zh: 请每句话只问一件事。

en: I do not see what to compute in “{t:text}”.
de: Es ist nicht klar, was in „{t}“ zu berechnen ist.
fr: Il n'est pas clair ce qu'il faut calculer dans « {t} ».
es: No está claro qué hay que calcular en «{t}».
zh: 不清楚“{t}”中要计算什么。

en: The columns are {c:columnNames}.
de: Die Spalten sind {c}.
fr: Les colonnes sont {c}.
es: Las columnas son {c}.
zh: 现有的列为 {c}。

en: State the date at which the ages are wanted, such as “on 28 November 2026”.
de: Nennen Sie das Datum, zu dem das Alter gefragt ist, zum Beispiel „am 28. November 2026“.
fr: Indiquez la date à laquelle les âges sont demandés, par exemple « le 28 novembre 2026 ».
es: Indique la fecha para la que se piden las edades, por ejemplo «el 28 de noviembre de 2026».
zh: 请说明按哪一天计算年龄，例如“2026年11月28日”。

en: “{a:text}” is read as the column “{b:column}”.
de: „{a}“ ist als Spalte „{b}“ gelesen.
fr: « {a} » est lu comme la colonne « {b} ».
es: «{a}» se lee como la columna «{b}».
zh: “{a}”按列“{b}”理解。

en: “{a:text}” is read as “{b:cell}”.
de: „{a}“ ist als „{b}“ gelesen.
fr: « {a} » est lu comme « {b} ».
es: «{a}» se lee como «{b}».
zh: “{a}”按“{b}”理解。

en: The value stands in several columns; I take “{c:column}”.
de: Der Wert steht in mehreren Spalten; verwendet ist „{c}“.
fr: La valeur figure dans plusieurs colonnes ; « {c} » est utilisée.
es: El valor está en varias columnas; se usa «{c}».
zh: 该值出现在多列中；采用“{c}”。

en: The file has all {n:number} answers.
de: Alle {n} Antworten stehen in der Datei.
fr: Les {n} réponses sont toutes dans le fichier.
es: Las {n} respuestas están todas en el archivo.
zh: 全部 {n} 个答案见文件。

en: # Answer
de: # Antwort
fr: # Réponse
es: # Respuesta
zh: # 答案

en: From “pasted table”: {n:number} rows, {m:number} columns.
de: Aus der eingefügten Tabelle: {n} Zeilen, {m} Spalten.
fr: D'après le tableau collé : {n} lignes, {m} colonnes.
es: De la tabla pegada: {n} filas, {m} columnas.
zh: 来自粘贴的表格：{n} 行，{m} 列。

en: From “{t:text}”: {n:number} rows, {m:number} columns.
de: Aus „{t}“: {n} Zeilen, {m} Spalten.
fr: D'après « {t} » : {n} lignes, {m} colonnes.
es: De «{t}»: {n} filas, {m} columnas.
zh: 来自“{t}”：{n} 行，{m} 列。

en: ## How the file was read
de: ## Wie die Datei gelesen wurde
fr: ## Comment le fichier a été lu
es: ## Cómo se leyó el archivo
zh: ## 文件的读取方式

en: ## {q:text}
de: ## {q}
fr: ## {q}
es: ## {q}
zh: ## {q}

en: Left out above the heading: {n:number} lines.
de: Über den Überschriften ausgelassen: {n} Zeilen.
fr: Laissées de côté au-dessus des en-têtes : {n} lignes.
es: Omitidas por encima de los encabezados: {n} líneas.
zh: 标题上方略去 {n} 行。

en: Left out above the heading: 1 line.
de: Über den Überschriften ausgelassen: 1 Zeile.
fr: Laissée de côté au-dessus des en-têtes : 1 ligne.
es: Omitida por encima de los encabezados: 1 línea.
zh: 标题上方略去 1 行。

en: The file has no heading, so the columns have numbers.
de: Die Datei hat keine Überschriften, also haben die Spalten Nummern.
fr: Le fichier n'a pas d'en-têtes, les colonnes ont donc des numéros.
es: El archivo no tiene encabezados, así que las columnas llevan números.
zh: 文件没有标题行，因此各列以编号命名。

en: The last row, “{t:text}”, is left out, because it holds totals.
de: Die letzte Zeile, „{t}“, ist ausgelassen, weil sie Summen enthält.
fr: La dernière ligne, « {t} », est laissée de côté, car elle contient des totaux.
es: La última fila, «{t}», se omite porque contiene totales.
zh: 最后一行“{t}”是合计，已略去。

en: The dates of “{c:column}” are read with the month first.
de: Die Daten in „{c}“ sind mit dem Monat zuerst gelesen.
fr: Les dates de « {c} » sont lues avec le mois en premier.
es: Las fechas de «{c}» se leen con el mes primero.
zh: “{c}”中的日期按月份在前读取。

en: {n:number} cells of “{c:column}” are no dates and count as missing.
de: {n} Zellen von „{c}“ sind keine Daten und gelten als fehlend.
fr: {n} cellules de « {c} » ne sont pas des dates et comptent comme manquantes.
es: {n} celdas de «{c}» no son fechas y cuentan como vacías.
zh: “{c}”中有 {n} 个单元格不是日期，按缺失处理。

en: {n:number} cells of “{c:column}” are no numbers and count as missing.
de: {n} Zellen von „{c}“ sind keine Zahlen und gelten als fehlend.
fr: {n} cellules de « {c} » ne sont pas des nombres et comptent comme manquantes.
es: {n} celdas de «{c}» no son números y cuentan como vacías.
zh: “{c}”中有 {n} 个单元格不是数字，按缺失处理。

en: 1 cell of “{c:column}” is no number and counts as missing.
de: 1 Zelle von „{c}“ ist keine Zahl und gilt als fehlend.
fr: 1 cellule de « {c} » n'est pas un nombre et compte comme manquante.
es: 1 celda de «{c}» no es un número y cuenta como vacía.
zh: “{c}”中有 1 个单元格不是数字，按缺失处理。
`
