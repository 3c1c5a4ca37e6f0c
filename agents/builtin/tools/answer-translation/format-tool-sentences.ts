/** The sentences of the tools for formats. */
import { readTemplates } from './sentence-template.ts'

/** Where the result is too long for the answer. */
const longResults = `
en: The result has 1 line.
de: Das Ergebnis hat 1 Zeile.
fr: Le résultat a 1 ligne.
es: El resultado tiene 1 línea.
zh: 结果有 1 行。

en: The result has {n:number} lines.
de: Das Ergebnis hat {n} Zeilen.
fr: Le résultat a {n} lignes.
es: El resultado tiene {n} líneas.
zh: 结果有 {n} 行。

en: The file has it.
de: Es steht in der Datei.
fr: Il est dans le fichier.
es: Está en el archivo.
zh: 见文件。

en: {h:resultTitle}: The result has 1 line.
de: {h}: Das Ergebnis hat 1 Zeile.
fr: {h} : le résultat a 1 ligne.
es: {h}: el resultado tiene 1 línea.
zh: {h}：结果有 1 行。

en: {h:resultTitle}: The result has {n:number} lines.
de: {h}: Das Ergebnis hat {n} Zeilen.
fr: {h} : le résultat a {n} lignes.
es: {h}: el resultado tiene {n} líneas.
zh: {h}：结果有 {n} 行。

en: {h:resultTitle}:
de: {h}:
fr: {h} :
es: {h}:
zh: {h}：
`

/** By skill id. */
export const formatToolSentences = {
  'format.json': readTemplates(`${longResults}
en: The JSON was valid.
de: Das JSON war gültig.
fr: Le JSON était valide.
es: El JSON era válido.
zh: 该 JSON 是有效的。

en: Repaired JSON: {r:jsonRepairs}.
de: Repariertes JSON: {r}.
fr: JSON réparé : {r}.
es: JSON reparado: {r}.
zh: 已修复的 JSON：{r}。

en: A repaired form ({r:jsonRepairs}):
de: Eine reparierte Form ({r}):
fr: Une forme réparée ({r}) :
es: Una forma reparada ({r}):
zh: 修复后的形式（{r}）：

en: A repaired form ({r:jsonRepairs}): The result has {n:number} lines.
de: Eine reparierte Form ({r}): Das Ergebnis hat {n} Zeilen.
fr: Une forme réparée ({r}) : le résultat a {n} lignes.
es: Una forma reparada ({r}): el resultado tiene {n} líneas.
zh: 修复后的形式（{r}）：结果有 {n} 行。

en: Valid JSON: an object with {c:textCount}.
de: Gültiges JSON: ein Objekt ({c}).
fr: JSON valide : un objet avec {c}.
es: JSON válido: un objeto con {c}.
zh: 有效的 JSON：含 {c}的对象。

en: Valid JSON: a list with {c:textCount}.
de: Gültiges JSON: eine Liste ({c}).
fr: JSON valide : une liste avec {c}.
es: JSON válido: una lista con {c}.
zh: 有效的 JSON：含 {c}的列表。

en: Valid JSON: a single value.
de: Gültiges JSON: ein einzelner Wert.
fr: JSON valide : une seule valeur.
es: JSON válido: un solo valor.
zh: 有效的 JSON：单个值。

en: The name {t:text} comes twice in one object; most programs keep only the last.
de: Der Name {t} kommt in einem Objekt zweimal vor; die meisten Programme behalten nur den letzten.
fr: Le nom {t} figure deux fois dans un objet ; la plupart des programmes ne gardent que le dernier.
es: El nombre {t} aparece dos veces en un objeto; la mayoría de los programas solo conservan el último.
zh: 名称 {t} 在同一对象中出现两次；多数程序只保留最后一个。

en: Not valid JSON.
de: Kein gültiges JSON.
fr: JSON non valide.
es: JSON no válido.
zh: 无效的 JSON。

en: Valid YAML.
de: Gültiges YAML.
fr: YAML valide.
es: YAML válido.
zh: 有效的 YAML。

en: Not valid YAML.
de: Kein gültiges YAML.
fr: YAML non valide.
es: YAML no válido.
zh: 无效的 YAML。

en: Line {n:number}, column {m:number}: {f:jsonFault}.
de: Zeile {n}, Spalte {m}: {f}.
fr: Ligne {n}, colonne {m} : {f}.
es: Línea {n}, columna {m}: {f}.
zh: 第 {n} 行第 {m} 列：{f}。
`),
  'format.encode': readTemplates(longResults),
  'format.markdown': readTemplates(longResults),
  'format.code': readTemplates(longResults),
  'format.colour': readTemplates(`${longResults}
en: Contrast of {a:text} and {b:text}: {n:number}:1.
de: Kontrast von {a} und {b}: {n}:1.
fr: Contraste entre {a} et {b} : {n}:1.
es: Contraste entre {a} y {b}: {n}:1.
zh: {a} 与 {b} 的对比度：{n}:1。

en: WCAG 2.2 level AA: {v:verdict} for normal text (4.5:1), {w:verdict} for large text and for controls (3:1).
de: WCAG 2.2 Stufe AA: {v} für normalen Text (4,5:1), {w} für großen Text und für Bedienelemente (3:1).
fr: WCAG 2.2 niveau AA : {v} pour le texte normal (4,5:1), {w} pour le grand texte et les commandes (3:1).
es: WCAG 2.2 nivel AA: {v} para texto normal (4,5:1), {w} para texto grande y controles (3:1).
zh: WCAG 2.2 AA 级：普通文字{v}（4.5:1），大号文字和控件{w}（3:1）。

en: Level AAA: {v:verdict} for normal text (7:1), {w:verdict} for large text (4.5:1).
de: Stufe AAA: {v} für normalen Text (7:1), {w} für großen Text (4,5:1).
fr: Niveau AAA : {v} pour le texte normal (7:1), {w} pour le grand texte (4,5:1).
es: Nivel AAA: {v} para texto normal (7:1), {w} para texto grande (4,5:1).
zh: AAA 级：普通文字{v}（7:1），大号文字{w}（4.5:1）。

en: The complement of {a:text} is {c:colours}.
de: Die Komplementärfarbe von {a} ist {c}.
fr: La couleur complémentaire de {a} est {c}.
es: El color complementario de {a} es {c}.
zh: {a} 的互补色是 {c}。

en: {c:colours}.
de: {c}.
fr: {c}.
es: {c}.
zh: {c}。

en: In CSS its name is {t:code}.
de: In CSS heißt sie {t}.
fr: En CSS, elle s'appelle {t}.
es: En CSS se llama {t}.
zh: 它在 CSS 中的名称是 {t}。

en: CMYK is computed without a colour profile; a print shop may get other values.
de: CMYK ist ohne Farbprofil berechnet; eine Druckerei kann andere Werte erhalten.
fr: Le CMYK est calculé sans profil de couleur ; une imprimerie peut obtenir d'autres valeurs.
es: CMYK se calcula sin perfil de color; una imprenta puede obtener otros valores.
zh: CMYK 未使用色彩配置文件计算；印刷厂得到的值可能不同。
`),
  'format.numerals': readTemplates(`${longResults}
en: {r:text} = {n:code} (the usual form is {u:code})
de: {r} = {n} (üblich ist {u})
fr: {r} = {n} (la forme usuelle est {u})
es: {r} = {n} (la forma habitual es {u})
zh: {r} = {n}（通常写作 {u}）

en: {r:text} = {n:code} (the usual form is not defined above 3,999)
de: {r} = {n} (über 3.999 gibt es keine übliche Form)
fr: {r} = {n} (aucune forme usuelle au-dessus de 3 999)
es: {r} = {n} (no hay forma habitual por encima de 3.999)
zh: {r} = {n}（3,999 以上没有通常写法）

en: {b:basedNumbers}
de: {b}
fr: {b}
es: {b}
zh: {b}

en: {a:romanPair}
de: {a}
fr: {a}
es: {a}
zh: {a}

en: {n:integer}
de: {n}
fr: {n}
es: {n}
zh: {n}

en: {a:text} = {w:englishWords}
de: {a} = {w} (auf Englisch)
fr: {a} = {w} (en anglais)
es: {a} = {w} (en inglés)
zh: {a} = {w}（英文）

en: {a:text} = {w:localWords}
de: {a} = {w}
fr: {a} = {w}
es: {a} = {w}
zh: {a} = {w}
`),
  'format.cron': readTemplates(`${longResults}
en: “{s:text}” is the cron expression {c:cronMeaning}.
de: „{s}“ ist der Cron-Ausdruck {c}.
fr: « {s} » est l'expression cron {c}.
es: «{s}» es la expresión cron {c}.
zh: “{s}”的 cron 表达式是 {c}。

en: {c:cronExplanation}.
de: {c}.
fr: {c}.
es: {c}.
zh: {c}。

en: It runs on a day that meets either of the two conditions, not only where both hold.
de: Es läuft an jedem Tag, der eine der beiden Bedingungen erfüllt, nicht nur, wenn beide gelten.
fr: Elle s'exécute les jours qui remplissent l'une des deux conditions, pas seulement les deux.
es: Se ejecuta los días que cumplen una de las dos condiciones, no solo cuando se cumplen ambas.
zh: 只要满足两个条件之一的日子就会运行，不必同时满足。

en: The count starts again with each month or year.
de: Die Zählung beginnt mit jedem Monat oder Jahr neu.
fr: Le compte recommence chaque mois ou chaque année.
es: La cuenta vuelve a empezar cada mes o cada año.
zh: 计数在每月或每年重新开始。

en: The interval of minutes is shorter at the end of each hour.
de: Der Abstand der Minuten ist am Ende jeder Stunde kürzer.
fr: L'intervalle des minutes est plus court à la fin de chaque heure.
es: El intervalo de minutos es más corto al final de cada hora.
zh: 每小时末尾的分钟间隔较短。

en: The interval of hours is shorter at the end of each day.
de: Der Abstand der Stunden ist am Ende jedes Tages kürzer.
fr: L'intervalle des heures est plus court à la fin de chaque jour.
es: El intervalo de horas es más corto al final de cada día.
zh: 每天末尾的小时间隔较短。

en: The interval of minutes and hours is shorter at the end of each hour.
de: Der Abstand der Minuten und Stunden ist am Ende jeder Stunde kürzer.
fr: L'intervalle des minutes et des heures est plus court à la fin de chaque heure.
es: El intervalo de minutos y horas es más corto al final de cada hora.
zh: 每小时末尾的分钟和小时间隔较短。

en: It never runs, because no month that it names has such a day.
de: Er läuft nie, weil kein genannter Monat einen solchen Tag hat.
fr: Elle ne s'exécute jamais, car aucun mois nommé n'a un tel jour.
es: Nunca se ejecuta, porque ningún mes indicado tiene ese día.
zh: 它永远不会运行，因为所列月份没有这一天。

en: The next time (local time):
de: Der nächste Zeitpunkt (Ortszeit):
fr: La prochaine exécution (heure locale) :
es: La próxima vez (hora local):
zh: 下一次（当地时间）：

en: The next {n:number} times (local time):
de: Die nächsten {n} Zeitpunkte (Ortszeit):
fr: Les {n} prochaines exécutions (heure locale) :
es: Las próximas {n} veces (hora local):
zh: 接下来 {n} 次（当地时间）：

en: - {w:weekday}, {d:iso} {t:clock}
de: - {w}, {d} {t}
fr: - {w} {d} {t}
es: - {w}, {d} {t}
zh: - {w} {d} {t}
`),
  'format.regex': readTemplates(`${longResults}
en: Pattern {t:text} (flags {f:code})
de: Muster {t} (Schalter {f})
fr: Motif {t} (options {f})
es: Patrón {t} (opciones {f})
zh: 模式 {t}（标志 {f}）

en: Pattern {t:text}
de: Muster {t}
fr: Motif {t}
es: Patrón {t}
zh: 模式 {t}

en: No matches.
de: Keine Treffer.
fr: Aucune correspondance.
es: Ninguna coincidencia.
zh: 没有匹配。

en: {n:number} or more matches:
de: {n} oder mehr Treffer:
fr: {n} correspondances ou plus :
es: {n} coincidencias o más:
zh: {n} 处或更多匹配：

en: {c:textCount}:
de: {c}:
fr: {c} :
es: {c}:
zh: {c}：

en: - {t:quotedMatch} (character {n:number}); groups: {g:matchGroups}
de: - {t} (Zeichen {n}); Gruppen: {g}
fr: - {t} (caractère {n}) ; groupes : {g}
es: - {t} (carácter {n}); grupos: {g}
zh: - {t}（第 {n} 个字符）；分组：{g}

en: - {t:quotedMatch} (character {n:number})
de: - {t} (Zeichen {n})
fr: - {t} (caractère {n})
es: - {t} (carácter {n})
zh: - {t}（第 {n} 个字符）

en: - {t:text}: {m:matchResult}
de: - {t}: {m}
fr: - {t} : {m}
es: - {t}: {m}
zh: - {t}：{m}
`),
  'image.convert': readTemplates(`
en: {f:code} image, {w:number} × {h:number} pixels, {n:number} bytes.
de: {f}-Bild, {w} × {h} Pixel, {n} Bytes.
fr: Image {f}, {w} × {h} pixels, {n} octets.
es: Imagen {f}, {w} × {h} píxeles, {n} bytes.
zh: {f} 图片，{w} × {h} 像素，{n} 字节。

en: It was a {f:code} image, {w:number} × {h:number} pixels, {n:number} bytes.
de: Vorher: {f}-Bild, {w} × {h} Pixel, {n} Bytes.
fr: Avant : image {f}, {w} × {h} pixels, {n} octets.
es: Antes: imagen {f}, {w} × {h} píxeles, {n} bytes.
zh: 原图：{f}，{w} × {h} 像素，{n} 字节。

en: Edges were cut to keep the proportions.
de: Ränder wurden abgeschnitten, um die Proportionen zu erhalten.
fr: Des bords ont été coupés pour garder les proportions.
es: Se recortaron bordes para mantener las proporciones.
zh: 为保持比例，裁剪了边缘。
`),
} as const
