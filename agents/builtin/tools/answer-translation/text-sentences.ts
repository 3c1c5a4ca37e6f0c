/** The sentences of the tools for texts. */
import { readTemplates } from './sentence-template.ts'

/** By skill id. */
export const textSentences = {
  'text.statistics': readTemplates(`
en: {w:textCount}, {c:textCount} ({n:number} without spaces), {s:textCount}, {p:textCount}.
de: {w}, {c} ({n} ohne Leerzeichen), {s}, {p}.
fr: {w}, {c} ({n} sans espaces), {s}, {p}.
es: {w}, {c} ({n} sin espacios), {s}, {p}.
zh: {w}，{c}（不含空格 {n} 个），{s}，{p}。

en: {c:textCount}.
de: {c}.
fr: {c}.
es: {c}.
zh: {c}。

en: About {c:textCount}.
de: Etwa {c}.
fr: Environ {c}.
es: Aproximadamente {c}.
zh: 约 {c}。

en: Average sentence length: {n:number} words ({w:textCount} in {s:textCount}).
de: Durchschnittliche Satzlänge: {n} Wörter ({w} in {s}).
fr: Longueur moyenne des phrases : {n} mots ({w} dans {s}).
es: Longitud media de las frases: {n} palabras ({w} en {s}).
zh: 平均句长：{n} 个单词（{s}共 {w}）。

en: Average word length: {n:number} characters.
de: Durchschnittliche Wortlänge: {n} Zeichen.
fr: Longueur moyenne des mots : {n} caractères.
es: Longitud media de las palabras: {n} caracteres.
zh: 平均词长：{n} 个字符。

en: Average paragraph length: {n:number} words.
de: Durchschnittliche Absatzlänge: {n} Wörter.
fr: Longueur moyenne des paragraphes : {n} mots.
es: Longitud media de los párrafos: {n} palabras.
zh: 平均段落长度：{n} 个单词。

en: Longest word: {t:text} ({n:number} characters).
de: Längstes Wort: {t} ({n} Zeichen).
fr: Mot le plus long : {t} ({n} caractères).
es: Palabra más larga: {t} ({n} caracteres).
zh: 最长的单词：{t}（{n} 个字符）。

en: Longest sentence: {w:textCount}: “{t:text}”
de: Längster Satz: {w}: „{t}“
fr: Phrase la plus longue : {w} : « {t} »
es: Frase más larga: {w}: «{t}»
zh: 最长的句子：{w}：“{t}”

en: Shortest sentence: {w:textCount}: “{t:text}”
de: Kürzester Satz: {w}: „{t}“
fr: Phrase la plus courte : {w} : « {t} »
es: Frase más corta: {w}: «{t}»
zh: 最短的句子：{w}：“{t}”

en: Most frequent words: {t:text}.
de: Häufigste Wörter: {t}.
fr: Mots les plus fréquents : {t}.
es: Palabras más frecuentes: {t}.
zh: 最常见的单词：{t}。

en: Without common words such as “the”: {t:text}.
de: Ohne häufige Wörter wie „the“: {t}.
fr: Sans les mots courants comme « the » : {t}.
es: Sin palabras comunes como «the»: {t}.
zh: 不计“the”等常用词：{t}。

en: Speaking time about {t:duration}, at {n:number} words per minute.
de: Sprechzeit etwa {t} bei {n} Wörtern pro Minute.
fr: Temps de parole : environ {t}, à {n} mots par minute.
es: Tiempo de lectura en voz alta: aprox. {t}, a {n} palabras por minuto.
zh: 朗读时间约 {t}，按每分钟 {n} 词计算。

en: Reading time about {t:duration}.
de: Lesezeit etwa {t}.
fr: Temps de lecture : environ {t}.
es: Tiempo de lectura: aprox. {t}.
zh: 阅读时间约 {t}。

en: Reading time: about {t:duration}, at {n:number} words per minute.
de: Lesezeit: etwa {t} bei {n} Wörtern pro Minute.
fr: Temps de lecture : environ {t}, à {n} mots par minute.
es: Tiempo de lectura: aprox. {t}, a {n} palabras por minuto.
zh: 阅读时间：约 {t}，按每分钟 {n} 词计算。

en: Flesch reading ease {n:number} ({l:readability}).
de: Lesbarkeit nach Flesch {n} ({l}).
fr: Lisibilité de Flesch {n} ({l}).
es: Legibilidad de Flesch {n} ({l}).
zh: Flesch 易读性 {n}（{l}）。

en: Readability: Flesch reading ease {n:number} ({l:readability}); Flesch-Kincaid grade {g:number}; for readers from about {y:number} years.
de: Lesbarkeit: nach Flesch {n} ({l}); Schulstufe nach Flesch-Kincaid {g}; für Leser ab etwa {y} Jahren.
fr: Lisibilité : Flesch {n} ({l}) ; niveau scolaire Flesch-Kincaid {g} ; pour des lecteurs à partir d'environ {y} ans.
es: Legibilidad: Flesch {n} ({l}); curso según Flesch-Kincaid {g}; para lectores a partir de unos {y} años.
zh: 可读性：Flesch 易读性 {n}（{l}）；Flesch-Kincaid 年级 {g}；适合约 {y} 岁以上的读者。

en: ({w:number} words, {p:number} words per sentence; the score counts lengths only and knows nothing of the subject.)
de: ({w} Wörter, {p} Wörter pro Satz; der Wert zählt nur Längen und weiß nichts vom Thema.)
fr: ({w} mots, {p} mots par phrase ; le score ne compte que les longueurs et ignore le sujet.)
es: ({w} palabras, {p} palabras por frase; la puntuación solo cuenta longitudes y no sabe nada del tema.)
zh: （{w} 个单词，每句 {p} 个单词；该分数只计算长度，不涉及内容。）

en: Words and sentences are found by the rules of Unicode (UAX #29).
de: Wörter und Sätze sind nach den Regeln von Unicode (UAX #29) bestimmt.
fr: Les mots et les phrases sont déterminés selon les règles d'Unicode (UAX #29).
es: Las palabras y las frases se determinan según las reglas de Unicode (UAX #29).
zh: 单词和句子按 Unicode 规则（UAX #29）划分。

en: Syllables are estimated, so the readability is approximate.
de: Silben sind geschätzt; die Lesbarkeit ist daher ungefähr.
fr: Les syllabes sont estimées ; la lisibilité est donc approximative.
es: Las sílabas se estiman, así que la legibilidad es aproximada.
zh: 音节数为估计值，因此易读性为近似值。

en: Its formulas are for English and German.
de: Ihre Formeln gelten für Englisch und Deutsch.
fr: Ses formules valent pour l'anglais et l'allemand.
es: Sus fórmulas valen para el inglés y el alemán.
zh: 其公式适用于英文和德文。

en: Flesch reading ease for German (Amstad) {n:number} ({l:readability}).
de: Lesbarkeit nach Flesch für Deutsch (Amstad) {n} ({l}).
fr: Lisibilité de Flesch pour l'allemand (Amstad) {n} ({l}).
es: Legibilidad de Flesch para el alemán (Amstad) {n} ({l}).
zh: Flesch 德文易读性（Amstad）{n}（{l}）。

en: # Text statistics
de: # Textstatistik
fr: # Statistiques du texte
es: # Estadísticas del texto
zh: # 文本统计

en: ## Most frequent words
de: ## Häufigste Wörter
fr: ## Mots les plus fréquents
es: ## Palabras más frecuentes
zh: ## 最常见的词

en: None.
de: Keine.
fr: Aucun.
es: Ninguna.
zh: 无。

en: - {w:text}: {n:number}
de: - {w}: {n}
fr: - {w} : {n}
es: - {w}: {n}
zh: - {w}：{n}

en: | Count | Value |
de: | Zählung | Wert |
fr: | Mesure | Valeur |
es: | Recuento | Valor |
zh: | 项目 | 数值 |

en: | Words | {n:number} |
de: | Wörter | {n} |
fr: | Mots | {n} |
es: | Palabras | {n} |
zh: | 单词 | {n} |

en: | Different words | {n:number} |
de: | Verschiedene Wörter | {n} |
fr: | Mots différents | {n} |
es: | Palabras distintas | {n} |
zh: | 不同的单词 | {n} |

en: | Characters | {n:number} |
de: | Zeichen | {n} |
fr: | Caractères | {n} |
es: | Caracteres | {n} |
zh: | 字符 | {n} |

en: | Characters without spaces | {n:number} |
de: | Zeichen ohne Leerzeichen | {n} |
fr: | Caractères sans espaces | {n} |
es: | Caracteres sin espacios | {n} |
zh: | 不含空格的字符 | {n} |

en: | Letters | {n:number} |
de: | Buchstaben | {n} |
fr: | Lettres | {n} |
es: | Letras | {n} |
zh: | 字母 | {n} |

en: | Sentences | {n:number} |
de: | Sätze | {n} |
fr: | Phrases | {n} |
es: | Frases | {n} |
zh: | 句子 | {n} |

en: | Paragraphs | {n:number} |
de: | Absätze | {n} |
fr: | Paragraphes | {n} |
es: | Párrafos | {n} |
zh: | 段落 | {n} |

en: | Lines | {n:number} |
de: | Zeilen | {n} |
fr: | Lignes | {n} |
es: | Líneas | {n} |
zh: | 行 | {n} |
`),
  'text.extract': readTemplates(`
en: Found {k:entityCounts}[: {v:values}].
de: Gefunden: {k}[: {v}].
fr: Trouvé : {k}[ : {v}].
es: Encontrado: {k}[: {v}].
zh: 找到 {k}[：{v}]。

en: Left out {n:number} more of the same.
de: {n} gleiche sind ausgelassen.
fr: Laissés de côté : {n} identiques.
es: Se omiten {n} más iguales.
zh: 略去 {n} 个相同项。

en: By domain: {t:text}.
de: Nach Domain: {t}.
fr: Par domaine : {t}.
es: Por dominio: {t}.
zh: 按域名：{t}。

en: Found no open to-do.
de: Keine offene Aufgabe gefunden.
fr: Aucune tâche ouverte trouvée.
es: No se encontró ninguna tarea pendiente.
zh: 没有找到待办事项。

en: {c:textCount}:
de: {c}:
fr: {c} :
es: {c}:
zh: {c}：

en: … and {n:number} more in the file
de: … und {n} weitere in der Datei
fr: … et {n} de plus dans le fichier
es: … y {n} más en el archivo
zh: …… 另有 {n} 个见文件

en: Only lines marked as “to-do” or “action item”, or with a checkbox, count.
de: Nur Zeilen mit „to-do“ oder „action item“ oder mit einem Kästchen zählen.
fr: Seules comptent les lignes marquées « to-do » ou « action item », ou avec une case à cocher.
es: Solo cuentan las líneas marcadas como «to-do» o «action item», o con una casilla.
zh: 只计标有“to-do”或“action item”或带复选框的行。

en: 1 is marked as done and left out.
de: 1 ist als erledigt markiert und ausgelassen.
fr: 1 est marquée comme faite et laissée de côté.
es: 1 está marcada como hecha y se omite.
zh: 1 个已标为完成，已略去。

en: {n:number} are marked as done and left out.
de: {n} sind als erledigt markiert und ausgelassen.
fr: {n} sont marquées comme faites et laissées de côté.
es: {n} están marcadas como hechas y se omiten.
zh: {n} 个已标为完成，已略去。
`),
  'text.language': readTemplates(`
en: The text is in {l:languageName}.
de: Der Text ist auf {l}.
fr: Le texte est en {l}.
es: El texto está en {l}.
zh: 这段文字是{l}。

en: The text is probably in {l:languageName}.
de: Der Text ist wahrscheinlich auf {l}.
fr: Le texte est probablement en {l}.
es: El texto está probablemente en {l}.
zh: 这段文字很可能是{l}。

en: It is short, so this is not certain.
de: Er ist kurz, daher ist das nicht sicher.
fr: Il est court, ce n'est donc pas certain.
es: Es corto, así que no es seguro.
zh: 文字较短，因此不能确定。
`),
  'text.transform': readTemplates(`
en: “{t:text}” occurs once.
de: „{t}“ kommt einmal vor.
fr: « {t} » apparaît une fois.
es: «{t}» aparece una vez.
zh: “{t}”出现一次。

en: “{t:text}” occurs 0 times.
de: „{t}“ kommt nicht vor (0-mal).
fr: « {t} » n'apparaît pas (0 fois).
es: «{t}» no aparece (0 veces).
zh: “{t}”没有出现（0 次）。

en: “{t:text}” occurs {n:number} times.
de: „{t}“ kommt {n}-mal vor.
fr: « {t} » apparaît {n} fois.
es: «{t}» aparece {n} veces.
zh: “{t}”出现 {n} 次。

en: {q:quotedWords} in other small or capital letters stays.
de: {q} in anderer Groß- oder Kleinschreibung bleibt.
fr: {q} avec d'autres majuscules ou minuscules reste.
es: {q} con otras mayúsculas o minúsculas se queda.
zh: 大小写不同的{q}保持不变。

en: {q:quotedWords} does not occur in the text.
de: {q} kommt im Text nicht vor.
fr: {q} n'apparaît pas dans le texte.
es: {q} no aparece en el texto.
zh: 文中没有出现{q}。

en: {q:quotedWords} do not occur in the text.
de: {q} kommen im Text nicht vor.
fr: {q} n'apparaissent pas dans le texte.
es: {q} no aparecen en el texto.
zh: 文中没有出现{q}。

en: The result has {n:number} characters.
de: Das Ergebnis hat {n} Zeichen.
fr: Le résultat a {n} caractères.
es: El resultado tiene {n} caracteres.
zh: 结果有 {n} 个字符。

en: The file has it.
de: Es steht in der Datei.
fr: Il est dans le fichier.
es: Está en el archivo.
zh: 见文件。
`),
  'text.keywords': readTemplates(`
en: Key phrases: {t:text}.
de: Schlüsselwörter: {t}.
fr: Mots-clés : {t}.
es: Palabras clave: {t}.
zh: 关键词：{t}。
`),
  'text.summary': readTemplates(`
en: # Summary
de: # Zusammenfassung
fr: # Résumé
es: # Resumen
zh: # 摘要

en: {n:number} of {m:number} sentences, quoted unchanged.
de: {n} von {m} Sätzen, unverändert zitiert.
fr: {n} phrases sur {m}, citées sans changement.
es: {n} de {m} frases, citadas sin cambios.
zh: 从 {m} 句中选出 {n} 句，原文引用。

en: They are those whose words occur most often in the text.
de: Es sind die, deren Wörter im Text am häufigsten vorkommen.
fr: Ce sont celles dont les mots sont les plus fréquents dans le texte.
es: Son aquellas cuyas palabras aparecen más a menudo en el texto.
zh: 这些句子中的词在文中出现得最多。

en: {q:text} The file has all {n:number} sentences.
de: {q} Alle {n} Sätze stehen in der Datei.
fr: {q} Les {n} phrases sont toutes dans le fichier.
es: {q} Las {n} frases están todas en el archivo.
zh: {q} 全部 {n} 句见文件。
`),
} as const

export const readabilityLevels = readTemplates(`
en: very easy
de: sehr leicht
fr: très facile
es: muy fácil
zh: 非常容易

en: easy
de: leicht
fr: facile
es: fácil
zh: 容易

en: fairly easy
de: ziemlich leicht
fr: assez facile
es: bastante fácil
zh: 比较容易

en: plain
de: allgemein verständlich
fr: niveau courant
es: nivel corriente
zh: 一般水平

en: fairly difficult
de: ziemlich schwer
fr: assez difficile
es: bastante difícil
zh: 比较难

en: difficult
de: schwer
fr: difficile
es: difícil
zh: 难

en: very difficult
de: sehr schwer
fr: très difficile
es: muy difícil
zh: 非常难
`)

export const durations = readTemplates(`
en: {n:number} s
de: {n} s
fr: {n} s
es: {n} s
zh: {n} 秒

en: {n:number} min
de: {n} min
fr: {n} min
es: {n} min
zh: {n} 分钟
`)

export const foundValues = readTemplates(`
en: {v:text}; and {n:number} more in the file
de: {v}; und {n} weitere in der Datei
fr: {v} ; et {n} de plus dans le fichier
es: {v}; y {n} más en el archivo
zh: {v}；另有 {n} 个见文件

en: {v:text}
de: {v}
fr: {v}
es: {v}
zh: {v}
`)
