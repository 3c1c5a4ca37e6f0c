/** The sentences of the tools that work on lines, redact and compare texts. */
import { readTemplates } from './sentence-template.ts'

/** By skill id. */
export const lineSentences = {
  'text.lines': readTemplates(`
en: {r:lineReport}.
de: {r}.
fr: {r}.
es: {r}.
zh: {r}。

en: No line occurs more than once.
de: Keine Zeile kommt mehr als einmal vor.
fr: Aucune ligne n'apparaît plus d'une fois.
es: Ninguna línea aparece más de una vez.
zh: 没有重复出现的行。

en: No item occurs more than once.
de: Kein Eintrag kommt mehr als einmal vor.
fr: Aucun élément n'apparaît plus d'une fois.
es: Ningún elemento aparece más de una vez.
zh: 没有重复出现的项。

en: {c:textCount} occurs more than once: {t:text}.
de: {c} kommt mehr als einmal vor: {t}.
fr: {c} apparaît plus d'une fois : {t}.
es: {c} aparece más de una vez: {t}.
zh: {c}重复出现：{t}。

en: {c:textCount} occur more than once: {t:text}.
de: {c} kommen mehr als einmal vor: {t}.
fr: {c} apparaissent plus d'une fois : {t}.
es: {c} aparecen más de una vez: {t}.
zh: {c}重复出现：{t}。

en: {n:number} more of level CRITICAL or FATAL is not counted as ERROR.
de: {n} weitere der Stufe CRITICAL oder FATAL ist nicht als ERROR gezählt.
fr: {n} autre de niveau CRITICAL ou FATAL n'est pas comptée comme ERROR.
es: {n} más de nivel CRITICAL o FATAL no se cuenta como ERROR.
zh: 另有 {n} 行级别为 CRITICAL 或 FATAL，未计入 ERROR。

en: {n:number} more of level CRITICAL or FATAL are not counted as ERROR.
de: {n} weitere der Stufe CRITICAL oder FATAL sind nicht als ERROR gezählt.
fr: {n} autres de niveau CRITICAL ou FATAL ne sont pas comptées comme ERROR.
es: {n} más de nivel CRITICAL o FATAL no se cuentan como ERROR.
zh: 另有 {n} 行级别为 CRITICAL 或 FATAL，未计入 ERROR。

en: Spaces around {c:textCount} were removed.
de: Leerzeichen vor oder hinter {c} sind entfernt.
fr: Espaces supprimées autour de {c}.
es: Se quitaron espacios alrededor de {c}.
zh: 已删除 {c}首尾的空格。

en: {c:textCount} without {n:lineNeed} is left out.
de: {c} ohne {n} ist ausgelassen.
fr: {c} sans {n} : laissé de côté.
es: {c} sin {n}: se omite.
zh: {c}没有{n}，已略去。

en: {c:textCount} without {n:lineNeed} are left out.
de: {c} ohne {n} sind ausgelassen.
fr: {c} sans {n} : laissés de côté.
es: {c} sin {n}: se omiten.
zh: {c}没有{n}，已略去。

en: There were no duplicates.
de: Es gab keine Duplikate.
fr: Il n'y avait pas de doublons.
es: No había duplicados.
zh: 没有重复项。

en: Removed {c:textCount}.
de: Entfernt: {c}.
fr: Supprimé : {c}.
es: Eliminado: {c}.
zh: 已删除 {c}。

en: Small and capital letters count as the same: “{a:text}” and “{b:text}” are one line.
de: Groß- und Kleinbuchstaben gelten als gleich: „{a}“ und „{b}“ sind eine Zeile.
fr: Majuscules et minuscules comptent comme identiques : « {a} » et « {b} » font une seule ligne.
es: Mayúsculas y minúsculas cuentan como iguales: «{a}» y «{b}» son una sola línea.
zh: 不区分大小写：“{a}”和“{b}”算作同一行。

en: Small and capital letters count as the same: “{a:text}” and “{b:text}” are one item.
de: Groß- und Kleinbuchstaben gelten als gleich: „{a}“ und „{b}“ sind ein Eintrag.
fr: Majuscules et minuscules comptent comme identiques : « {a} » et « {b} » font un seul élément.
es: Mayúsculas y minúsculas cuentan como iguales: «{a}» y «{b}» son un solo elemento.
zh: 不区分大小写：“{a}”和“{b}”算作同一项。

en: No line is left.
de: Es bleibt keine Zeile übrig.
fr: Il ne reste aucune ligne.
es: No queda ninguna línea.
zh: 没有剩下任何行。

en: {n:number} lines are in the file.
de: {n} Zeilen stehen in der Datei.
fr: {n} lignes sont dans le fichier.
es: Hay {n} líneas en el archivo.
zh: 文件中有 {n} 行。
`),
  'text.redact': readTemplates(`
en: Redacted: {r:redactedWords}.
de: Geschwärzt: {r}.
fr: Masqué : {r}.
es: Ocultado: {r}.
zh: 已隐去：{r}。

en: Other names stay.
de: Andere Namen bleiben stehen.
fr: Les autres noms restent.
es: Los demás nombres se quedan.
zh: 其他名称保持不变。

en: Nothing of these kinds was found.
de: Nichts dieser Art ist gefunden.
fr: Rien de tel n'a été trouvé.
es: No se encontró nada de este tipo.
zh: 没有找到这类内容。

en: Replaced {k:entityCounts}.
de: Ersetzt: {k}.
fr: Remplacé : {k}.
es: Reemplazado: {k}.
zh: 已替换 {k}。

en: Names and postal addresses are not recognised.
de: Namen und Postanschriften werden nicht erkannt.
fr: Les noms et les adresses postales ne sont pas reconnus.
es: Los nombres y las direcciones postales no se reconocen.
zh: 姓名和邮寄地址无法识别。

en: Other names and postal addresses are not recognised.
de: Andere Namen und Postanschriften werden nicht erkannt.
fr: Les autres noms et les adresses postales ne sont pas reconnus.
es: Los demás nombres y las direcciones postales no se reconocen.
zh: 其他姓名和邮寄地址无法识别。
`),
  'text.compare': readTemplates(`
en: The texts are identical.
de: Die Texte sind gleich.
fr: Les textes sont identiques.
es: Los textos son idénticos.
zh: 两段文字完全相同。

en: The texts differ in white space only.
de: Die Texte unterscheiden sich nur in Leerräumen.
fr: Les textes ne diffèrent que par des espaces.
es: Los textos solo difieren en los espacios.
zh: 两段文字仅空白不同。

en: {c:textCount} removed and {n:number} added:
de: {c} entfernt und {n} hinzugefügt:
fr: Supprimé : {c} ; ajouté : {n} :
es: Eliminado: {c}; añadido: {n}:
zh: 删除 {c}，新增 {n}：

en: {c:textCount} removed and {n:number} added[: {t:text}].
de: {c} entfernt und {n} hinzugefügt[: {t}].
fr: Supprimé : {c} ; ajouté : {n}[ : {t}].
es: Eliminado: {c}; añadido: {n}[: {t}].
zh: 删除 {c}，新增 {n}[：{t}]。
`),
} as const
