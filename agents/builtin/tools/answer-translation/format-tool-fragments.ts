/** Parts of the sentences on formats: titles of results, faults of JSON, and matches of patterns. */
import { readTemplates } from './sentence-template.ts'

export const formatToolFragments = {
  resultTitles: readTemplates(`
en: Formatted {t:text}
de: Formatiertes {t}
fr: {t} mis en forme
es: {t} con formato
zh: 已格式化的 {t}

en: Minified JSON
de: Verkleinertes JSON
fr: JSON compact
es: JSON compacto
zh: 压缩后的 JSON

en: As plain text
de: Als reiner Text
fr: En texte brut
es: Como texto sin formato
zh: 纯文本

en: As {t:code}
de: Als {t}
fr: En {t}
es: Como {t}
zh: {t} 形式

en: The text in each encoding
de: Der Text in jeder Kodierung
fr: Le texte dans chaque encodage
es: El texto en cada codificación
zh: 各种编码的文字

en: Decoded from {c:codecName}
de: Dekodiert aus {c}
fr: Décodé depuis {c}
es: Decodificado de {c}
zh: 从 {c} 解码

en: {c:codecName}
de: {c}
fr: {c}
es: {c}
zh: {c}
`),

  codecNames: readTemplates(`
en: Base64
de: Base64
fr: Base64
es: Base64
zh: Base64

en: Base32
de: Base32
fr: Base32
es: Base32
zh: Base32

en: URL encoding
de: URL-Kodierung
fr: encodage URL
es: codificación URL
zh: URL 编码

en: Hexadecimal
de: Hexadezimal
fr: hexadécimal
es: hexadecimal
zh: 十六进制

en: Binary
de: Binär
fr: binaire
es: binario
zh: 二进制

en: HTML entities
de: HTML-Entitäten
fr: entités HTML
es: entidades HTML
zh: HTML 实体

en: Morse code
de: Morsecode
fr: code Morse
es: código Morse
zh: 摩尔斯电码

en: NATO spelling alphabet
de: NATO-Buchstabieralphabet
fr: alphabet radio de l'OTAN
es: alfabeto radiofónico de la OTAN
zh: 北约拼读字母

en: Character codes
de: Zeichencodes
fr: codes de caractères
es: códigos de caracteres
zh: 字符编码

en: Unicode code points
de: Unicode-Codepunkte
fr: points de code Unicode
es: puntos de código Unicode
zh: Unicode 码位

en: URL-friendly
de: URL-tauglich
fr: adapté aux URL
es: apto para URL
zh: 适合 URL
`),

  jsonRepairs: readTemplates(`
en: an equals sign became a colon
de: ein Gleichheitszeichen wurde zum Doppelpunkt
fr: un signe égal est devenu deux-points
es: un signo igual pasó a ser dos puntos
zh: 等号改为冒号

en: a comma before the closing {t:text} was removed
de: ein Komma vor dem schließenden {t} ist entfernt
fr: une virgule avant {t} fermant a été supprimée
es: se quitó una coma antes de {t} de cierre
zh: 删除了结尾 {t} 前的逗号

en: a missing {t:text} was added at the end
de: ein fehlendes {t} ist am Ende ergänzt
fr: un {t} manquant a été ajouté à la fin
es: se añadió un {t} que faltaba al final
zh: 在末尾补上缺少的 {t}

en: a missing comma was added
de: ein fehlendes Komma ist ergänzt
fr: une virgule manquante a été ajoutée
es: se añadió una coma que faltaba
zh: 补上缺少的逗号

en: a name was put in quotation marks
de: ein Name ist in Anführungszeichen gesetzt
fr: un nom a été mis entre guillemets
es: un nombre se puso entre comillas
zh: 给名称加上引号

en: a line break in a string was escaped
de: ein Zeilenumbruch in einer Zeichenkette ist maskiert
fr: un saut de ligne dans une chaîne a été échappé
es: se escapó un salto de línea en una cadena
zh: 转义了字符串中的换行

en: a tab in a string was escaped
de: ein Tabulator in einer Zeichenkette ist maskiert
fr: une tabulation dans une chaîne a été échappée
es: se escapó una tabulación en una cadena
zh: 转义了字符串中的制表符

en: a control character in a string was escaped
de: ein Steuerzeichen in einer Zeichenkette ist maskiert
fr: un caractère de contrôle dans une chaîne a été échappé
es: se escapó un carácter de control en una cadena
zh: 转义了字符串中的控制字符

en: other quotation marks became "
de: andere Anführungszeichen wurden zu "
fr: d'autres guillemets sont devenus "
es: otras comillas pasaron a ser "
zh: 其他引号改为 "

en: a comment was removed
de: ein Kommentar ist entfernt
fr: un commentaire a été supprimé
es: se quitó un comentario
zh: 删除了注释

en: {a:text} became {b:code}
de: {a} wurde zu {b}
fr: {a} est devenu {b}
es: {a} pasó a ser {b}
zh: {a} 改为 {b}
`),

  jsonFaults: readTemplates(`
en: two commas follow one another
de: zwei Kommas folgen aufeinander
fr: deux virgules se suivent
es: hay dos comas seguidas
zh: 连续出现两个逗号

en: a comma stands before the closing {t:text}; remove it
de: vor dem schließenden {t} steht ein Komma; entfernen Sie es
fr: une virgule précède {t} fermant ; supprimez-la
es: hay una coma antes de {t} de cierre; quítela
zh: 结尾 {t} 前有逗号；请删除

en: a comma is missing before {p:jsonPlace}
de: vor {p} fehlt ein Komma
fr: une virgule manque avant {p}
es: falta una coma antes de {p}
zh: {p}前缺少逗号

en: a value is missing before {p:jsonPlace}
de: vor {p} fehlt ein Wert
fr: une valeur manque avant {p}
es: falta un valor antes de {p}
zh: {p}前缺少值

en: a name in quotation marks is missing before {p:jsonPlace}
de: vor {p} fehlt ein Name in Anführungszeichen
fr: un nom entre guillemets manque avant {p}
es: falta un nombre entre comillas antes de {p}
zh: {p}前缺少带引号的名称

en: a colon is missing after the name {t:text}, before {p:jsonPlace}
de: nach dem Namen {t} fehlt ein Doppelpunkt, vor {p}
fr: deux-points manquent après le nom {t}, avant {p}
es: faltan dos puntos después del nombre {t}, antes de {p}
zh: 名称 {t} 之后、{p}之前缺少冒号

en: the value of {t:text} is missing
de: der Wert von {t} fehlt
fr: la valeur de {t} manque
es: falta el valor de {t}
zh: {t} 缺少值

en: the name {t:text} needs quotation marks
de: der Name {t} braucht Anführungszeichen
fr: le nom {t} doit être entre guillemets
es: el nombre {t} necesita comillas
zh: 名称 {t} 需要加引号

en: the string that begins here is not closed
de: die Zeichenkette, die hier beginnt, ist nicht geschlossen
fr: la chaîne qui commence ici n'est pas fermée
es: la cadena que empieza aquí no está cerrada
zh: 从此处开始的字符串没有结束

en: the string begins with {t:text}; JSON needs the quotation mark "
de: die Zeichenkette beginnt mit {t}; JSON braucht das Anführungszeichen "
fr: la chaîne commence par {t} ; JSON exige le guillemet "
es: la cadena empieza con {t}; JSON necesita la comilla "
zh: 字符串以 {t} 开头；JSON 要求引号 "

en: the object that begins at line {n:number}, column {m:number} is not closed: a {t:text} is missing
de: das Objekt, das in Zeile {n}, Spalte {m} beginnt, ist nicht geschlossen: {t} fehlt
fr: l'objet qui commence à la ligne {n}, colonne {m} n'est pas fermé : {t} manque
es: el objeto que empieza en la línea {n}, columna {m} no está cerrado: falta {t}
zh: 从第 {n} 行第 {m} 列开始的对象没有结束：缺少 {t}

en: the list that begins at line {n:number}, column {m:number} is not closed: a {t:text} is missing
de: die Liste, die in Zeile {n}, Spalte {m} beginnt, ist nicht geschlossen: {t} fehlt
fr: la liste qui commence à la ligne {n}, colonne {m} n'est pas fermée : {t} manque
es: la lista que empieza en la línea {n}, columna {m} no está cerrada: falta {t}
zh: 从第 {n} 行第 {m} 列开始的列表没有结束：缺少 {t}

en: JSON has no comments
de: JSON hat keine Kommentare
fr: JSON n'a pas de commentaires
es: JSON no tiene comentarios
zh: JSON 不允许注释
`),

  jsonPlaces: readTemplates(`
en: the end of the text
de: dem Ende des Textes
fr: la fin du texte
es: el final del texto
zh: 文字末尾

en: the line break
de: dem Zeilenumbruch
fr: le saut de ligne
es: el salto de línea
zh: 换行

en: the character {t:text}
de: dem Zeichen {t}
fr: le caractère {t}
es: el carácter {t}
zh: 字符 {t} 
`),

  /** What a pattern matches in a text. */
  matchResults: readTemplates(`
en: no match
de: kein Treffer
fr: aucune correspondance
es: sin coincidencia
zh: 不匹配

en: matches entirely[; groups: {g:matchGroups}]
de: passt ganz[; Gruppen: {g}]
fr: correspond en entier[ ; groupes : {g}]
es: coincide por completo[; grupos: {g}]
zh: 完全匹配[；分组：{g}]

en: matches the empty text at character {n:number}, not the whole text[; groups: {g:matchGroups}][ ({m:moreMatches})]
de: passt auf den leeren Text bei Zeichen {n}, nicht auf den ganzen Text[; Gruppen: {g}][ ({m})]
fr: correspond au texte vide au caractère {n}, pas au texte entier[ ; groupes : {g}][ ({m})]
es: coincide con el texto vacío en el carácter {n}, no con todo el texto[; grupos: {g}][ ({m})]
zh: 匹配第 {n} 个字符处的空文本，而非全文[；分组：{g}][（{m}）]

en: matches {t:quotedMatch} at character {n:number}, not the whole text[; groups: {g:matchGroups}][ ({m:moreMatches})]
de: passt auf {t} bei Zeichen {n}, nicht auf den ganzen Text[; Gruppen: {g}][ ({m})]
fr: correspond à {t} au caractère {n}, pas au texte entier[ ; groupes : {g}][ ({m})]
es: coincide con {t} en el carácter {n}, no con todo el texto[; grupos: {g}][ ({m})]
zh: 匹配第 {n} 个字符处的 {t}，而非全文[；分组：{g}][（{m}）]

en: matches {t:quotedMatch} at characters {a:number} to {b:number}, not the whole text[; groups: {g:matchGroups}][ ({m:moreMatches})]
de: passt auf {t} bei den Zeichen {a} bis {b}, nicht auf den ganzen Text[; Gruppen: {g}][ ({m})]
fr: correspond à {t} aux caractères {a} à {b}, pas au texte entier[ ; groupes : {g}][ ({m})]
es: coincide con {t} en los caracteres {a} a {b}, no con todo el texto[; grupos: {g}][ ({m})]
zh: 匹配第 {a} 到 {b} 个字符处的 {t}，而非全文[；分组：{g}][（{m}）]
`),

  moreMatches: readTemplates(`
en: {n:number} matches; this is the first
de: {n} Treffer; dies ist der erste
fr: {n} correspondances ; voici la première
es: {n} coincidencias; esta es la primera
zh: 共 {n} 处匹配；这是第一处

en: {n:number} or more matches; this is the first
de: {n} oder mehr Treffer; dies ist der erste
fr: {n} correspondances ou plus ; voici la première
es: {n} coincidencias o más; esta es la primera
zh: {n} 处或更多匹配；这是第一处
`),

  baseNames: readTemplates(`
en: binary
de: binär
fr: binaire
es: binario
zh: 二进制

en: octal
de: oktal
fr: octal
es: octal
zh: 八进制

en: decimal
de: dezimal
fr: décimal
es: decimal
zh: 十进制

en: hexadecimal
de: hexadezimal
fr: hexadécimal
es: hexadecimal
zh: 十六进制

en: base {n:number}
de: Basis {n}
fr: base {n}
es: base {n}
zh: {n} 进制
`),
} as const
