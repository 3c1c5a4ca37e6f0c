/** Sentences of the planner and of tools that read goals: summaries, questions and reasons. */
import { type AnswerLanguage, answerLanguages, type InEachLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import { formatToolFragments } from '../../../tools/answer-translation/format-tool-fragments.ts'
import { fragment, listWriter } from '../../../tools/answer-translation/list-writer.ts'
import { readTemplates, type SlotKind, translateSentence, translateSentences } from '../../../tools/answer-translation/sentence-template.ts'
import { writeLocalNumber } from '../../../tools/answer-translation/write-local-number.ts'
import { plannerToolSentences } from './planner-tool-sentences.ts'
import { translateLineSteps } from './translate-line-steps.ts'

const summaries = `
en: I calculate {t:text}.
de: Ich rechne: {t}.
fr: Je calcule : {t}.
es: Calculo: {t}.
zh: 我将计算：{t}。

en: I convert units: {t:text}.
de: Ich rechne Einheiten um: {t}.
fr: Je convertis des unités : {t}.
es: Convierto unidades: {t}.
zh: 我将换算单位：{t}。

en: I compute with dates: {t:text}.
de: Ich rechne mit Daten: {t}.
fr: Je calcule avec des dates : {t}.
es: Calculo con fechas: {t}.
zh: 我将计算日期：{t}。

en: I draw a QR code of “{t:text}”.
de: Ich zeichne einen QR-Code von „{t}“.
fr: Je dessine un code QR de « {t} ».
es: Dibujo un código QR de «{t}».
zh: 我将为“{t}”生成二维码。

en: I answer the question over “{t:text}”.
de: Ich beantworte die Frage mit „{t}“.
fr: Je réponds à la question à partir de « {t} ».
es: Respondo a la pregunta con «{t}».
zh: 我将根据“{t}”回答问题。

en: I count the words, sentences and characters of the text and measure how readable it is.
de: Ich zähle die Wörter, Sätze und Zeichen des Textes und messe seine Lesbarkeit.
fr: Je compte les mots, les phrases et les caractères du texte et je mesure sa lisibilité.
es: Cuento las palabras, frases y caracteres del texto y mido su legibilidad.
zh: 我将统计文字的单词、句子和字符数，并测量其易读性。

en: I list from the text: {k:names}.
de: Ich liste aus dem Text auf: {k}.
fr: Je relève dans le texte : {k}.
es: Extraigo del texto: {k}.
zh: 我将从文字中列出：{k}。

en: I tell the language of the text.
de: Ich bestimme die Sprache des Textes.
fr: Je détermine la langue du texte.
es: Determino el idioma del texto.
zh: 我将判断文字的语言。

en: I apply to the text: {k:names}.
de: Ich bearbeite den Text: {k}.
fr: Je traite le texte : {k}.
es: Proceso el texto: {k}.
zh: 我将处理文字：{k}。

en: I apply to the text “{t:text}”: {k:names}.
de: Ich bearbeite den Text „{t}“: {k}.
fr: Je traite le texte « {t} » : {k}.
es: Proceso el texto «{t}»: {k}.
zh: 我将处理文字“{t}”：{k}。

en: I replace “{a:text}” with “{b:text}”.
de: Ich ersetze „{a}“ durch „{b}“.
fr: Je remplace « {a} » par « {b} ».
es: Reemplazo «{a}» por «{b}».
zh: 我将把“{a}”替换为“{b}”。

en: I count how often “{t:text}” occurs.
de: Ich zähle, wie oft „{t}“ vorkommt.
fr: Je compte combien de fois « {t} » apparaît.
es: Cuento cuántas veces aparece «{t}».
zh: 我将统计“{t}”出现的次数。

en: I list the words and phrases that occur most often together.
de: Ich liste die Wörter und Wortgruppen auf, die am häufigsten zusammen vorkommen.
fr: Je liste les mots et groupes de mots qui apparaissent le plus souvent ensemble.
es: Enumero las palabras y expresiones que más aparecen juntas.
zh: 我将列出最常一起出现的词和短语。

en: I choose the most important sentences of the text and quote them unchanged.
de: Ich wähle die wichtigsten Sätze des Textes aus und zitiere sie unverändert.
fr: Je choisis les phrases les plus importantes du texte et je les cite sans changement.
es: Elijo las frases más importantes del texto y las cito sin cambios.
zh: 我将选出文字中最重要的句子并原文引用。

en: I {c:changes}: “{f:text}”.
de: {^c}: „{f}“.
fr: {^c} : « {f} ».
es: {^c}: «{f}».
zh: {c}：“{f}”。
`

const questions = `
en: Which text is it? Put it in quotation marks, after a colon, or attach it as a text file.
de: Welcher Text ist gemeint? Setzen Sie ihn in Anführungszeichen oder nach einen Doppelpunkt, oder hängen Sie ihn als Textdatei an.
fr: De quel texte s'agit-il ? Mettez-le entre guillemets, après deux-points, ou joignez-le comme fichier texte.
es: ¿De qué texto se trata? Póngalo entre comillas, después de dos puntos, o adjúntelo como archivo de texto.
zh: 是哪段文字？请放在引号中或冒号之后，或作为文本文件附上。

en: Which table is meant? Attach it as a CSV or JSON file.
de: Welche Tabelle ist gemeint? Hängen Sie sie als CSV- oder JSON-Datei an.
fr: De quel tableau s'agit-il ? Joignez-le comme fichier CSV ou JSON.
es: ¿De qué tabla se trata? Adjúntela como archivo CSV o JSON.
zh: 是哪张表格？请以 CSV 或 JSON 文件附上。

en: Which table is the question about? Attach it as a CSV or JSON file.
de: Um welche Tabelle geht es? Hängen Sie sie als CSV- oder JSON-Datei an.
fr: Sur quel tableau porte la question ? Joignez-le comme fichier CSV ou JSON.
es: ¿Sobre qué tabla es la pregunta? Adjúntela como archivo CSV o JSON.
zh: 问题涉及哪张表格？请以 CSV 或 JSON 文件附上。

en: No column or cell has the name {t:quoted}. The columns are {c:list}. Ask again with those names.
de: Keine Spalte oder Zelle heißt {t}. Die Spalten sind {c}. Fragen Sie noch einmal mit diesen Namen.
fr: Aucune colonne ni cellule ne porte le nom {t}. Les colonnes sont {c}. Posez la question avec ces noms.
es: Ninguna columna ni celda se llama {t}. Las columnas son {c}. Pregunte de nuevo con esos nombres.
zh: 没有名为{t}的列或单元格。现有的列为 {c}。请用这些名称重新提问。

en: I do not see what to compute in “{t:text}”. The columns are {c:list}. Ask again with those names.
de: Es ist nicht klar, was in „{t}“ zu berechnen ist. Die Spalten sind {c}. Fragen Sie noch einmal mit diesen Namen.
fr: Il n'est pas clair ce qu'il faut calculer dans « {t} ». Les colonnes sont {c}. Posez la question avec ces noms.
es: No está claro qué hay que calcular en «{t}». Las columnas son {c}. Pregunte de nuevo con esos nombres.
zh: 不清楚“{t}”中要计算什么。现有的列为 {c}。请用这些名称重新提问。

en: I cannot use {q:quoted} in “{t:text}”. Ask for one thing in each sentence.
de: {q} lässt sich in „{t}“ nicht verwenden. Fragen Sie in jedem Satz nach einer Sache.
fr: {q} ne peut pas être utilisé dans « {t} ». Demandez une seule chose par phrase.
es: No se puede usar {q} en «{t}». Pregunte una sola cosa en cada frase.
zh: 无法在“{t}”中使用{q}。请每句话只问一件事。

en: Two attached tables have the same name. Rename one of them, and ask again.
de: Zwei angehängte Tabellen haben denselben Namen. Benennen Sie eine um, und fragen Sie noch einmal.
fr: Deux tableaux joints ont le même nom. Renommez l'un d'eux et posez de nouveau la question.
es: Dos tablas adjuntas tienen el mismo nombre. Cambie el nombre de una y pregunte de nuevo.
zh: 有两张附上的表格同名。请重命名其中一张，然后重新提问。

en: The table has no column “{t:text}”. Its columns are {c:list}.
de: Die Tabelle hat keine Spalte „{t}“. Ihre Spalten sind {c}.
fr: Le tableau n'a pas de colonne « {t} ». Ses colonnes sont {c}.
es: La tabla no tiene ninguna columna «{t}». Sus columnas son {c}.
zh: 表格中没有“{t}”这一列。现有的列为 {c}。

en: Which text or address does the QR code hold? Write it in quotation marks.
de: Welchen Text oder welche Adresse enthält der QR-Code? Schreiben Sie das in Anführungszeichen.
fr: Quel texte ou quelle adresse le code QR contient-il ? Écrivez-le entre guillemets.
es: ¿Qué texto o dirección contiene el código QR? Escríbalo entre comillas.
zh: 二维码包含什么文字或网址？请写在引号中。

en: Does {d:text} have the day or the month first? Answer “day first” or “month first”.
de: Steht in {d} zuerst der Tag oder der Monat? Antworten Sie mit „day first“ (Tag zuerst) oder „month first“ (Monat zuerst).
fr: Dans {d}, le jour ou le mois est-il en premier ? Répondez « day first » (jour d'abord) ou « month first » (mois d'abord).
es: ¿En {d} va primero el día o el mes? Responda «day first» (primero el día) o «month first» (primero el mes).
zh: {d} 中先写日还是先写月？请回答“day first”（日在前）或“month first”（月在前）。

en: There are no exchange rates here. At which rate do I convert? Answer such as “{t:text}”.
de: Wechselkurse gibt es hier nicht. Zu welchem Kurs wird umgerechnet? Antworten Sie zum Beispiel mit „{t}“.
fr: Il n'y a pas de taux de change ici. À quel taux faut-il convertir ? Répondez par exemple « {t} ».
es: Aquí no hay tipos de cambio. ¿Con qué tipo se convierte? Responda por ejemplo «{t}».
zh: 这里没有汇率。按什么汇率换算？请例如回答“{t}”。

en: The text has fewer than {n:number} sentences, so it is its own summary. Which longer text is meant?
de: Der Text hat weniger als {n} Sätze und ist damit seine eigene Zusammenfassung. Welcher längere Text ist gemeint?
fr: Le texte a moins de {n} phrases, il est donc son propre résumé. Quel texte plus long voulez-vous ?
es: El texto tiene menos de {n} frases, así que ya es su propio resumen. ¿Qué texto más largo quiere?
zh: 这段文字少于 {n} 句，本身就是摘要。是指哪段更长的文字？
`

const reasons = `
en: No agent online can do this.
de: Kein verfügbarer Agent kann das.
fr: Aucun agent disponible ne peut le faire.
es: Ningún agente disponible puede hacerlo.
zh: 没有在线的代理能完成此事。

en: Closest: {t:text}.
de: Am nächsten: {t}.
fr: Le plus proche : {t}.
es: Lo más parecido: {t}.
zh: 最接近的是：{t}。

en: Say what you want to get in other words, and put a text to work on in quotation marks.
de: Beschreiben Sie mit anderen Worten, was Sie brauchen, und setzen Sie einen zu bearbeitenden Text in Anführungszeichen.
fr: Dites avec d'autres mots ce que vous voulez obtenir, et mettez un texte à traiter entre guillemets.
es: Diga con otras palabras lo que quiere obtener y ponga entre comillas el texto que haya que procesar.
zh: 请换一种说法说明您想要什么，并把要处理的文字放在引号中。

en: None of the {n:number} skills online fits these words.
de: Keine der {n} verfügbaren Fähigkeiten passt zu diesen Worten.
fr: Aucune des {n} compétences disponibles ne correspond à ces mots.
es: Ninguna de las {n} habilidades disponibles se ajusta a estas palabras.
zh: 在线的 {n} 项技能都不符合这些描述。
`

/** What tools list by its English name: `English = German; French; Spanish; Chinese`. */
const nameLines = `
email = E-Mail-Adressen; adresses e-mail; direcciones de correo; 电子邮件地址
url = Links; liens; enlaces; 链接
phone = Telefonnummern; numéros de téléphone; números de teléfono; 电话号码
iban = IBANs; IBAN; IBAN; IBAN
card = Kartennummern; numéros de carte; números de tarjeta; 卡号
ip = IP-Adressen; adresses IP; direcciones IP; IP 地址
date = Daten; dates; fechas; 日期
money = Geldbeträge; montants; importes; 金额
percentage = Prozentwerte; pourcentages; porcentajes; 百分比
hashtag = Hashtags; hashtags; etiquetas; 话题标签
mention = Erwähnungen; mentions; menciones; 提及
number = Zahlen; nombres; números; 数字
sort = sortieren; trier; ordenar; 排序
sort descending = absteigend sortieren; trier par ordre décroissant; ordenar en orden descendente; 降序排序
sort by length = nach Länge sortieren; trier par longueur; ordenar por longitud; 按长度排序
unique lines = Doppelte entfernen; supprimer les doublons; eliminar duplicados; 去除重复
number lines = Zeilen nummerieren; numéroter les lignes; numerar las líneas; 给行编号
reverse lines = Zeilen umkehren; inverser les lignes; invertir las líneas; 反转行序
reverse characters = Zeichen umkehren; inverser les caractères; invertir los caracteres; 反转字符
reverse words = Wörter umkehren; inverser les mots; invertir las palabras; 反转词序
remove blank lines = leere Zeilen entfernen; supprimer les lignes vides; eliminar líneas vacías; 删除空行
collapse spaces = überzählige Leerzeichen entfernen; supprimer les espaces en trop; eliminar espacios sobrantes; 删除多余空格
join lines = Zeilen verbinden; joindre les lignes; unir las líneas; 合并行
upper case = Großbuchstaben; majuscules; mayúsculas; 大写
lower case = Kleinbuchstaben; minuscules; minúsculas; 小写
base64 encode = Base64 kodieren; encoder en Base64; codificar en Base64; Base64 编码
base64 decode = Base64 dekodieren; décoder le Base64; decodificar Base64; Base64 解码
sha256 = SHA-256; SHA-256; SHA-256; SHA-256
md5 = MD5; MD5; MD5; MD5
slug = URL-Slug; slug d'URL; slug de URL; URL 短名
to-do = Aufgaben; tâches; tareas; 待办事项
each once = jedes einmal; chacun une fois; cada uno una vez; 每项一次
sorted = sortiert; triés; ordenados; 已排序
counted by domain = nach Domain gezählt; comptés par domaine; contados por dominio; 按域名计数
flatten = auflösen; aplatir; aplanar; 展开嵌套
descending = absteigend; décroissant; descendente; 降序
write decimal commas = Dezimalkommas schreiben; écrire avec des virgules décimales; escribir comas decimales; 写成小数逗号
write decimal points = Dezimalpunkte schreiben; écrire avec des points décimaux; escribir puntos decimales; 写成小数点
write with commas = mit Kommas schreiben; écrire avec des virgules; escribir con comas; 用逗号分隔
write with semicolons = mit Semikolons schreiben; écrire avec des points-virgules; escribir con punto y coma; 用分号分隔
write with tabs = mit Tabulatoren schreiben; écrire avec des tabulations; escribir con tabuladores; 用制表符分隔
remove duplicate rows = doppelte Zeilen entfernen; supprimer les lignes en double; eliminar filas duplicadas; 删除重复行
`

const names = new Map(
  nameLines.split('\n').flatMap((line): (readonly [string, InEachLanguage])[] => {
    const [english = '', others] = line.split(' = ')
    const parts = (others ?? '').split(';').map((part) => part.trim())
    return others === undefined
      ? []
      : [[english, Object.fromEntries(answerLanguages.map((language, index) => [language, parts[index] ?? ''])) as InEachLanguage]]
  }),
)

const listWith = (write: (part: string, language: AnswerLanguage) => string | undefined, breaks: string | RegExp = ', '): SlotKind => ({
  write: (text, { language }) => {
    const parts = text.split(breaks).map((part) => write(part, language))
    return parts.every((part) => part !== undefined) ? parts.join(language === 'zh' ? '、' : ', ') : undefined
  },
})

/** What a change of a table begins with, before the names and conditions of the client. */
const changeStarts: readonly (readonly [start: string, forms: InEachLanguage])[] = [
  ['sort by ', { de: 'sortieren nach ', fr: 'trier par ', es: 'ordenar por ', zh: '排序依据 ' }],
  ['write as ', { de: 'schreiben als ', fr: 'écrire en ', es: 'escribir como ', zh: '写成 ' }],
  [
    'keep the first ',
    {
      de: 'nur die ersten Zeilen behalten: ',
      fr: 'garder les premières lignes : ',
      es: 'conservar las primeras filas: ',
      zh: '保留前面的行：',
    },
  ],
  ['keep the rows ', { de: 'Zeilen behalten: ', fr: 'garder les lignes : ', es: 'conservar las filas: ', zh: '保留行：' }],
  ['remove the rows ', { de: 'Zeilen entfernen: ', fr: 'supprimer les lignes : ', es: 'quitar las filas: ', zh: '删除行：' }],
  ['keep ', { de: 'behalten: ', fr: 'garder : ', es: 'conservar: ', zh: '保留：' }],
  ['drop ', { de: 'weglassen: ', fr: 'supprimer : ', es: 'quitar: ', zh: '去掉：' }],
  ['add ', { de: 'hinzufügen: ', fr: 'ajouter : ', es: 'añadir: ', zh: '添加：' }],
  ['rename ', { de: 'umbenennen: ', fr: 'renommer : ', es: 'renombrar: ', zh: '重命名：' }],
]
const toWords: InEachLanguage = { de: ' zu ', fr: ' en ', es: ' a ', zh: ' 改为 ' }

function changeOf(part: string, language: AnswerLanguage): string | undefined {
  const named = names.get(part)?.[language]
  const found = changeStarts.find(([start]) => part.startsWith(start))
  if (named !== undefined || !found) return named
  const [start, forms] = found
  const rest = part.slice(start.length).replace(start === 'keep the first ' ? / rows$/ : /$^/, '')
  return `${forms[language]}${start === 'rename ' ? rest.replaceAll(' to ', toWords[language]) : rest}`
}

const changeBreaks = /, (?=(?:flatten|remove|add|keep|sort|descending|drop|rename|write)\b)/

const quotes: InEachLanguage<readonly [string, string]> = {
  de: ['„', '“'],
  fr: ['«\u00A0', '\u00A0»'],
  es: ['«', '»'],
  zh: ['“', '”'],
}
const andWords: InEachLanguage = { de: ' und ', fr: ' et ', es: ' y ', zh: ' 和 ' }

const withWords: InEachLanguage = { de: ' durch ', fr: ' par ', es: ' por ', zh: ' → ' }

/** `“Anna” with “[NAME]”` */
function replacementOf(part: string, language: AnswerLanguage): string | undefined {
  const [, from, to] = /^“([^”]*)” with “([^”]*)”$/.exec(part) ?? []
  return from === undefined || to === undefined
    ? undefined
    : `${quotes[language].join(from)}${withWords[language]}${quotes[language].join(to)}`
}

const kinds: { readonly [kind: string]: SlotKind } = {
  text: { write: (text, { language }) => (/^“[^“”]+”$/.test(text) ? quotes[language].join(text.slice(1, -1)) : text) },
  number: { pattern: /\d+/y, write: (text) => text },
  names: listWith((part, language) => names.get(part)?.[language]),
  changes: listWith(changeOf, changeBreaks),
  code: { pattern: /\w+/y, write: (text) => text },
  colours: { write: (text) => (/^[#\w(),.% ]+$/.test(text) ? text : undefined) },
  mark: { pattern: /\[REDACTED\]/y, write: (text) => text },
  localNumber: { write: (text, { language }) => (/^\d[\d.,]*$/.test(text) ? writeLocalNumber(text, language) : undefined) },
  lineSteps: { write: translateLineSteps },
  codecs: { write: listWriter(fragment(formatToolFragments.codecNames), { separators: /, /g }) },
  summary: { write: (text, context) => translateSentence(text, sentences, context) },
  replacements: listWith(replacementOf, /, (?=“)/),
  quotedList: {
    write: (text, context) => kinds.quoted?.write(text.replace(/(?<=”) and (?=“[^”]*”$)/, ', '), context),
  },
  quoted: {
    write: (text, { language }) =>
      /^“[^“”]+”(?:, “[^“”]+”)*$/.test(text) ? text.replace(/“([^“”]+)”/g, (_, word: string) => quotes[language].join(word)) : undefined,
  },
  list: { write: (text, { language }) => text.replace(/ and (?=[^,]*$)/, andWords[language]) },
}

const sentences = readTemplates([plannerToolSentences, summaries, questions, reasons].join('\n'))

/** A summary, question or reason in the language; undefined if a sentence of it is not known. */
export function translatePlannerText(text: string, language: AnswerLanguage): string | undefined {
  if (text.length > 4_000) return undefined
  return translateSentences(text, sentences, { language, isInFile: () => false, shownTables: 'none', kinds, attempts: { left: 5_000 } })
}
