/** What the planner says of tools: what they will do with a goal, and what they ask the client. */

const numberSummaries = `
en: I calculate prices: {t:text}.
de: Ich rechne mit Preisen: {t}.
fr: Je calcule des prix : {t}.
es: Calculo precios: {t}.
zh: 我将计算价格：{t}。

en: I calculate by a formula: {t:text}.
de: Ich rechne nach einer Formel: {t}.
fr: Je calcule par une formule : {t}.
es: Calculo con una fórmula: {t}.
zh: 我将用公式计算：{t}。

en: I compute interest: {t:text}.
de: Ich berechne Zinsen: {t}.
fr: Je calcule des intérêts : {t}.
es: Calculo intereses: {t}.
zh: 我将计算利息：{t}。

en: I scale 1 amount by {f:localNumber}[, for {a:number} instead of {b:number}].
de: Ich rechne 1 Menge mit dem Faktor {f} um[, für {a} statt {b}].
fr: Je multiplie 1 quantité par {f}[, pour {a} au lieu de {b}].
es: Multiplico 1 cantidad por {f}[, para {a} en lugar de {b}].
zh: 我将把 1 个用量乘以 {f}[（{a} 份代替 {b} 份）]。

en: I scale {n:number} amounts by {f:localNumber}[, for {a:number} instead of {b:number}].
de: Ich rechne {n} Mengen mit dem Faktor {f} um[, für {a} statt {b}].
fr: Je multiplie {n} quantités par {f}[, pour {a} au lieu de {b}].
es: Multiplico {n} cantidades por {f}[, para {a} en lugar de {b}].
zh: 我将把 {n} 个用量乘以 {f}[（{a} 份代替 {b} 份）]。
`

const textSummaries = `
en: I work on the lines: {s:lineSteps}.
de: Ich bearbeite die Zeilen: {s}.
fr: Je traite les lignes : {s}.
es: Proceso las líneas: {s}.
zh: 我将处理各行：{s}。

en: I break the lines at {n:number} characters, between words.
de: Ich breche die Zeilen bei {n} Zeichen um, zwischen Wörtern.
fr: Je coupe les lignes à {n} caractères, entre les mots.
es: Corto las líneas en {n} caracteres, entre palabras.
zh: 我将在 {n} 个字符处按词换行。

en: I replace {p:replacements}.
de: Ich ersetze {p}.
fr: Je remplace {p}.
es: Reemplazo {p}.
zh: 我将替换：{p}。

en: I replace personal data of a fixed form.
de: Ich ersetze persönliche Daten mit fester Form.
fr: Je remplace les données personnelles de forme fixe.
es: Reemplazo datos personales de forma fija.
zh: 我将替换固定格式的个人数据。

en: Names and postal addresses stay.
de: Namen und Postanschriften bleiben stehen.
fr: Les noms et les adresses postales restent.
es: Los nombres y las direcciones postales se quedan.
zh: 姓名和邮寄地址保持不变。

en: I replace {q:quoted} by {r:mark}.
de: Ich ersetze {q} durch {r}.
fr: Je remplace {q} par {r}.
es: Reemplazo {q} por {r}.
zh: 我将把{q}替换为 {r}。

en: Other names stay.
de: Andere Namen bleiben stehen.
fr: Les autres noms restent.
es: Los demás nombres se quedan.
zh: 其他名称保持不变。

en: I list what was removed from the first text and what was added in the second one.
de: Ich liste auf, was aus dem ersten Text entfernt und im zweiten hinzugefügt ist.
fr: Je relève ce qui a été supprimé du premier texte et ajouté dans le second.
es: Enumero lo que se quitó del primer texto y lo que se añadió en el segundo.
zh: 我将列出从第一段文字中删除的和在第二段中新增的内容。

en: I list what was removed from “{a:text}” and what was added in “{b:text}”.
de: Ich liste auf, was aus „{a}“ entfernt und in „{b}“ hinzugefügt ist.
fr: Je relève ce qui a été supprimé de « {a} » et ajouté dans « {b} ».
es: Enumero lo que se quitó de «{a}» y lo que se añadió en «{b}».
zh: 我将列出从“{a}”中删除的和在“{b}”中新增的内容。
`

const formatSummaries = `
en: I format the {t:text}.
de: Ich formatiere: {t}.
fr: Je mets en forme : {t}.
es: Doy formato: {t}.
zh: 我将格式化：{t}。

en: I write the JSON without blanks and line breaks.
de: Ich schreibe das JSON ohne Leerzeichen und Zeilenumbrüche.
fr: J'écris le JSON sans espaces ni sauts de ligne.
es: Escribo el JSON sin espacios ni saltos de línea.
zh: 我将去掉 JSON 中的空格和换行。

en: I check whether the JSON is valid.
de: Ich prüfe, ob das JSON gültig ist.
fr: Je vérifie si le JSON est valide.
es: Compruebo si el JSON es válido.
zh: 我将检查 JSON 是否有效。

en: I repair common faults of the JSON and format it.
de: Ich repariere übliche Fehler des JSON und formatiere es.
fr: Je répare les erreurs courantes du JSON et je le mets en forme.
es: Reparo los fallos comunes del JSON y le doy formato.
zh: 我将修复 JSON 的常见错误并格式化。

en: I convert the {a:code} to {b:code}.
de: Ich wandle {a} in {b} um.
fr: Je convertis {a} en {b}.
es: Convierto {a} a {b}.
zh: 我将把 {a} 转换为 {b}。

en: I convert the Markdown to plain text.
de: Ich wandle das Markdown in reinen Text um.
fr: Je convertis le Markdown en texte brut.
es: Convierto el Markdown en texto sin formato.
zh: 我将把 Markdown 转换为纯文本。

en: I take the text out of the HTML.
de: Ich nehme den Text aus dem HTML.
fr: J'extrais le texte du HTML.
es: Extraigo el texto del HTML.
zh: 我将从 HTML 中取出文字。

en: I check whether the YAML is valid.
de: Ich prüfe, ob das YAML gültig ist.
fr: Je vérifie si le YAML est valide.
es: Compruebo si el YAML es válido.
zh: 我将检查 YAML 是否有效。

en: I decode the text from {c:codecs}.
de: Ich dekodiere den Text aus: {c}.
fr: Je décode le texte depuis : {c}.
es: Decodifico el texto de: {c}.
zh: 我将解码文字，来源编码：{c}。

en: I encode the text as: {c:codecs}.
de: Ich kodiere den Text als: {c}.
fr: J'encode le texte en : {c}.
es: Codifico el texto como: {c}.
zh: 我将把文字编码为：{c}。

en: I compute the contrast of {a:text} and {b:text}.
de: Ich berechne den Kontrast von {a} und {b}.
fr: Je calcule le contraste entre {a} et {b}.
es: Calculo el contraste entre {a} y {b}.
zh: 我将计算 {a} 与 {b} 的对比度。

en: I find the complement of {t:text}.
de: Ich bestimme die Komplementärfarbe von {t}.
fr: Je cherche la couleur complémentaire de {t}.
es: Busco el color complementario de {t}.
zh: 我将求 {t} 的互补色。

en: I convert {t:colours}.
de: Ich rechne um: {t}.
fr: Je convertis {t}.
es: Convierto {t}.
zh: 我将转换 {t}。

en: I write in another notation: {t:text}.
de: Ich schreibe in einer anderen Notation: {t}.
fr: J'écris dans une autre notation : {t}.
es: Escribo en otra notación: {t}.
zh: 我将换一种写法：{t}。

en: I list all matches of {t:text}.
de: Ich liste alle Treffer von {t} auf.
fr: Je relève toutes les correspondances de {t}.
es: Enumero todas las coincidencias de {t}.
zh: 我将列出 {t} 的所有匹配。

en: I test the pattern {t:text}.
de: Ich prüfe das Muster {t}.
fr: Je teste le motif {t}.
es: Pruebo el patrón {t}.
zh: 我将测试模式 {t}。

en: I explain the cron expression {t:text}.
de: Ich erkläre den Cron-Ausdruck {t}.
fr: J'explique l'expression cron {t}.
es: Explico la expresión cron {t}.
zh: 我将解释 cron 表达式 {t}。

en: I write “{t:text}” as a cron expression.
de: Ich schreibe „{t}“ als Cron-Ausdruck.
fr: J'écris « {t} » sous forme d'expression cron.
es: Escribo «{t}» como expresión cron.
zh: 我将把“{t}”写成 cron 表达式。
`

const tableSummaries = `
en: I join “{a:text}” with “{b:text}” on {k:text}, and list the rows without a match, and answer: {t:text}.
de: Ich verbinde „{a}“ mit „{b}“ über {k}, liste die Zeilen ohne Entsprechung auf und beantworte: {t}.
fr: Je joins « {a} » à « {b} » sur {k}, je liste les lignes sans correspondance et je réponds : {t}.
es: Uno «{a}» con «{b}» por {k}, enumero las filas sin correspondencia y respondo: {t}.
zh: 我将按 {k} 连接“{a}”和“{b}”，列出没有匹配的行，并回答：{t}。

en: I join “{a:text}” with “{b:text}” on {k:text}, and answer: {t:text}.
de: Ich verbinde „{a}“ mit „{b}“ über {k} und beantworte: {t}.
fr: Je joins « {a} » à « {b} » sur {k} et je réponds : {t}.
es: Uno «{a}» con «{b}» por {k} y respondo: {t}.
zh: 我将按 {k} 连接“{a}”和“{b}”，并回答：{t}。

en: I join “{a:text}” with “{b:text}” on {k:text}, and list the rows without a match.
de: Ich verbinde „{a}“ mit „{b}“ über {k} und liste die Zeilen ohne Entsprechung auf.
fr: Je joins « {a} » à « {b} » sur {k} et je liste les lignes sans correspondance.
es: Uno «{a}» con «{b}» por {k} y enumero las filas sin correspondencia.
zh: 我将按 {k} 连接“{a}”和“{b}”，并列出没有匹配的行。

en: I join “{a:text}” with “{b:text}” on {k:text}.
de: Ich verbinde „{a}“ mit „{b}“ über {k}.
fr: Je joins « {a} » à « {b} » sur {k}.
es: Uno «{a}» con «{b}» por {k}.
zh: 我将按 {k} 连接“{a}”和“{b}”。

en: I draw a bar chart of {t:text} from “{f:text}”.
de: Ich zeichne ein Balkendiagramm aus „{f}“: {t}.
fr: Je dessine un diagramme en barres à partir de « {f} » : {t}.
es: Dibujo un gráfico de barras a partir de «{f}»: {t}.
zh: 我将根据“{f}”绘制柱状图：{t}。

en: I draw a line chart of {t:text} from “{f:text}”.
de: Ich zeichne ein Liniendiagramm aus „{f}“: {t}.
fr: Je dessine une courbe à partir de « {f} » : {t}.
es: Dibujo un gráfico de líneas a partir de «{f}»: {t}.
zh: 我将根据“{f}”绘制折线图：{t}。

en: I draw a pie chart of {t:text} from “{f:text}”.
de: Ich zeichne ein Kreisdiagramm aus „{f}“: {t}.
fr: Je dessine un diagramme circulaire à partir de « {f} » : {t}.
es: Dibujo un gráfico circular a partir de «{f}»: {t}.
zh: 我将根据“{f}”绘制饼图：{t}。

en: I describe each column of “{t:text}”.
de: Ich beschreibe jede Spalte von „{t}“.
fr: Je décris chaque colonne de « {t} ».
es: Describo cada columna de «{t}».
zh: 我将描述“{t}”的每一列。
`

const parts = `
en: A part of this can be done: {s:summary}
de: Ein Teil davon ist möglich: {s}
fr: Une partie est possible : {s}
es: Una parte es posible: {s}
zh: 其中一部分可以完成：{s}

en: No agent online understands {q:quotedList}.
de: Niemand online versteht {q}.
fr: Personne en ligne ne comprend {q}.
es: Nadie en línea entiende {q}.
zh: 在线的代理都不理解{q}。

en: Leave that out, or say it in other words.
de: Lassen Sie das weg, oder sagen Sie es mit anderen Worten.
fr: Retirez cela, ou dites-le autrement.
es: Omita eso o dígalo con otras palabras.
zh: 请去掉这部分，或换一种说法。

en: Read as background only: {q:quotedList}.
de: Nur als Hintergrund gelesen: {q}.
fr: Lu seulement comme contexte : {q}.
es: Leído solo como contexto: {q}.
zh: 仅作为背景理解：{q}。

en: I can't tell from these words what to compute.
de: Aus diesen Worten geht nicht hervor, was zu berechnen ist.
fr: Ces mots ne disent pas ce qu'il faut calculer.
es: Estas palabras no dicen qué hay que calcular.
zh: 从这些话看不出要计算什么。

en: The columns of “{t:text}” are {c:list}.
de: Die Spalten von „{t}“ sind {c}.
fr: Les colonnes de « {t} » sont {c}.
es: Las columnas de «{t}» son {c}.
zh: “{t}”的列为 {c}。

en: Ask with those names, for example for a total, an average, a list or a chart.
de: Fragen Sie mit diesen Namen, zum Beispiel nach einer Summe, einem Durchschnitt, einer Liste oder einem Diagramm.
fr: Posez la question avec ces noms, par exemple pour un total, une moyenne, une liste ou un graphique.
es: Pregunte con esos nombres, por ejemplo por un total, una media, una lista o un gráfico.
zh: 请用这些名称提问，例如询问总和、平均值、列表或图表。
`

const questions = `
en: Which tax rate in percent do I use? Answer such as “{t:text}”.
de: Welcher Steuersatz in Prozent gilt? Antworten Sie zum Beispiel mit „{t}“.
fr: Quel taux de taxe en pour cent faut-il utiliser ? Répondez par exemple « {t} ».
es: ¿Qué tipo impositivo en porcentaje se usa? Responda por ejemplo «{t}».
zh: 使用百分之几的税率？请例如回答“{t}”。

en: Which interest rate per year do I use? Answer such as “{t:text}”.
de: Welcher Zinssatz pro Jahr gilt? Antworten Sie zum Beispiel mit „{t}“.
fr: Quel taux d'intérêt annuel faut-il utiliser ? Répondez par exemple « {t} ».
es: ¿Qué tipo de interés anual se usa? Responda por ejemplo «{t}».
zh: 年利率是多少？请例如回答“{t}”。

en: Between how many people do I split the total? Answer such as “{t:text}”.
de: Auf wie viele Personen wird die Summe geteilt? Antworten Sie zum Beispiel mit „{t}“.
fr: Entre combien de personnes faut-il partager le total ? Répondez par exemple « {t} ».
es: ¿Entre cuántas personas se reparte el total? Responda por ejemplo «{t}».
zh: 总额由几个人分摊？请例如回答“{t}”。

en: Is the tip a percentage of the amount before tax or after tax? Answer “before tax” or “after tax”.
de: Bezieht sich das Trinkgeld auf den Betrag vor oder nach Steuer? Antworten Sie mit „before tax“ (vor Steuer) oder „after tax“ (nach Steuer).
fr: Le pourboire est-il un pourcentage du montant avant ou après taxe ? Répondez « before tax » (avant taxe) ou « after tax » (après taxe).
es: ¿La propina es un porcentaje del importe antes o después de impuestos? Responda «before tax» (antes) o «after tax» (después).
zh: 小费按税前还是税后金额计算？请回答“before tax”（税前）或“after tax”（税后）。

en: For how many portions are these amounts? Answer with a number, such as “{t:text}”.
de: Für wie viele Portionen sind diese Mengen? Antworten Sie mit einer Zahl, zum Beispiel „{t}“.
fr: Pour combien de portions sont ces quantités ? Répondez par un nombre, par exemple « {t} ».
es: ¿Para cuántas raciones son estas cantidades? Responda con un número, por ejemplo «{t}».
zh: 这些用量是几份的？请回答一个数字，例如“{t}”。

en: For how many portions do you need the amounts? Answer with a number, such as “{t:text}”.
de: Für wie viele Portionen brauchen Sie die Mengen? Antworten Sie mit einer Zahl, zum Beispiel „{t}“.
fr: Pour combien de portions vous faut-il les quantités ? Répondez par un nombre, par exemple « {t} ».
es: ¿Para cuántas raciones necesita las cantidades? Responda con un número, por ejemplo «{t}».
zh: 您需要几份的用量？请回答一个数字，例如“{t}”。

en: Which text is it? Write it after a colon or between backticks, or attach it as one text file.
de: Welcher Text ist gemeint? Schreiben Sie ihn nach einen Doppelpunkt oder zwischen Backticks, oder hängen Sie ihn als eine Textdatei an.
fr: De quel texte s'agit-il ? Écrivez-le après deux-points ou entre accents graves, ou joignez-le comme un seul fichier texte.
es: ¿De qué texto se trata? Escríbalo después de dos puntos o entre acentos graves, o adjúntelo como un archivo de texto.
zh: 是哪段文字？请写在冒号之后或反引号之间，或作为一个文本文件附上。

en: Which two texts are compared? Put each in quotation marks, or attach two text files.
de: Welche zwei Texte werden verglichen? Setzen Sie jeden in Anführungszeichen, oder hängen Sie zwei Textdateien an.
fr: Quels deux textes faut-il comparer ? Mettez chacun entre guillemets, ou joignez deux fichiers texte.
es: ¿Qué dos textos se comparan? Ponga cada uno entre comillas o adjunte dos archivos de texto.
zh: 比较哪两段文字？请分别放在引号中，或附上两个文本文件。

en: Which table is described? Attach it as a CSV or JSON file.
de: Welche Tabelle wird beschrieben? Hängen Sie sie als CSV- oder JSON-Datei an.
fr: Quel tableau faut-il décrire ? Joignez-le comme fichier CSV ou JSON.
es: ¿Qué tabla se describe? Adjúntela como archivo CSV o JSON.
zh: 描述哪张表格？请以 CSV 或 JSON 文件附上。

en: Attach both tables as CSV or JSON files.
de: Hängen Sie beide Tabellen als CSV- oder JSON-Dateien an.
fr: Joignez les deux tableaux comme fichiers CSV ou JSON.
es: Adjunte ambas tablas como archivos CSV o JSON.
zh: 请以 CSV 或 JSON 文件附上两张表格。

en: Of which two colours? Name both, such as #333333 on #ffffff.
de: Von welchen zwei Farben? Nennen Sie beide, zum Beispiel #333333 auf #ffffff.
fr: De quelles deux couleurs ? Nommez les deux, par exemple #333333 sur #ffffff.
es: ¿De qué dos colores? Indique ambos, por ejemplo #333333 sobre #ffffff.
zh: 是哪两种颜色？请写出两种，例如 #ffffff 上的 #333333。

en: From which date and time do the next runs count? Write it such as 2027-01-31 08:00.
de: Ab welchem Datum und welcher Uhrzeit zählen die nächsten Läufe? Schreiben Sie es zum Beispiel als 2027-01-31 08:00.
fr: À partir de quelle date et heure comptent les prochaines exécutions ? Écrivez par exemple 2027-01-31 08:00.
es: ¿Desde qué fecha y hora cuentan las próximas ejecuciones? Escríbalo por ejemplo como 2027-01-31 08:00.
zh: 接下来的运行从哪个日期和时间算起？请写成例如 2027-01-31 08:00。
`

/** Templates as text. */
export const plannerToolSentences = [parts, numberSummaries, textSummaries, formatSummaries, tableSummaries, questions].join('\n')
