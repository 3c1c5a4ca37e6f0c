/** Translates the steps on lines that a summary lists. */
import type { AnswerLanguage, InEachLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import { readTemplates, type SlotWriter, translateSentence } from '../../../tools/answer-translation/sentence-template.ts'

/** Steps without values. */
const lineSteps = readTemplates(`
en: keep the first {n:number}
de: die ersten {n} behalten
fr: garder les {n} premières
es: conservar las {n} primeras
zh: 保留前 {n} 行

en: keep the last {n:number}
de: die letzten {n} behalten
fr: garder les {n} dernières
es: conservar las {n} últimas
zh: 保留后 {n} 行

en: remove the first {n:number}
de: die ersten {n} entfernen
fr: supprimer les {n} premières
es: quitar las {n} primeras
zh: 删除前 {n} 行

en: remove the last {n:number}
de: die letzten {n} entfernen
fr: supprimer les {n} dernières
es: quitar las {n} últimas
zh: 删除后 {n} 行

en: sort by alphabet
de: alphabetisch sortieren
fr: trier par ordre alphabétique
es: ordenar alfabéticamente
zh: 按字母排序

en: sort by alphabet, descending
de: alphabetisch absteigend sortieren
fr: trier par ordre alphabétique inverse
es: ordenar alfabéticamente en orden inverso
zh: 按字母降序排序

en: sort by last word
de: nach dem letzten Wort sortieren
fr: trier par le dernier mot
es: ordenar por la última palabra
zh: 按最后一个词排序

en: sort by last word, descending
de: nach dem letzten Wort absteigend sortieren
fr: trier par le dernier mot en ordre inverse
es: ordenar por la última palabra en orden inverso
zh: 按最后一个词降序排序

en: sort by number
de: nach Zahl sortieren
fr: trier par nombre
es: ordenar por número
zh: 按数字排序

en: sort by number, descending
de: nach Zahl absteigend sortieren
fr: trier par nombre décroissant
es: ordenar por número descendente
zh: 按数字降序排序

en: sort by length
de: nach Länge sortieren
fr: trier par longueur
es: ordenar por longitud
zh: 按长度排序

en: sort by length, descending
de: nach Länge absteigend sortieren
fr: trier par longueur décroissante
es: ordenar por longitud descendente
zh: 按长度降序排序

en: sort by time
de: nach Zeit sortieren
fr: trier par heure
es: ordenar por hora
zh: 按时间排序

en: sort by time, descending
de: nach Zeit absteigend sortieren
fr: trier par heure décroissante
es: ordenar por hora descendente
zh: 按时间降序排序

en: unique
de: Doppelte entfernen
fr: supprimer les doublons
es: eliminar duplicados
zh: 去除重复

en: number
de: nummerieren
fr: numéroter
es: numerar
zh: 编号

en: bullets
de: als Aufzählung
fr: mettre en liste à puces
es: poner viñetas
zh: 加项目符号

en: reverse
de: umkehren
fr: inverser
es: invertir
zh: 反转顺序

en: remove blank
de: leere Zeilen entfernen
fr: supprimer les lignes vides
es: eliminar líneas vacías
zh: 删除空行

en: trim
de: Leerzeichen am Rand entfernen
fr: supprimer les espaces aux bords
es: quitar espacios de los bordes
zh: 去除首尾空格

en: upper case
de: Großbuchstaben
fr: majuscules
es: mayúsculas
zh: 大写

en: lower case
de: Kleinbuchstaben
fr: minuscules
es: minúsculas
zh: 小写

en: title case
de: Wörter mit großem Anfangsbuchstaben
fr: majuscule à chaque mot
es: mayúscula inicial en cada palabra
zh: 首字母大写

en: join
de: verbinden
fr: joindre
es: unir
zh: 合并

en: count
de: zählen
fr: compter
es: contar
zh: 计数

en: count by {t:text}
de: zählen nach {t}
fr: compter par {t}
es: contar por {t}
zh: 按 {t} 计数
`)

type Forms = InEachLanguage<readonly [keep: string, remove: string]>
const wholes: Forms = {
  de: ['behalten: {v}', 'entfernen: {v}'],
  fr: ['garder : {v}', 'supprimer : {v}'],
  es: ['conservar: {v}', 'quitar: {v}'],
  zh: ['保留{v}', '删除{v}'],
}
const tests: { readonly [test: string]: InEachLanguage } = {
  'of level': { de: 'Stufe {v}', fr: 'niveau {v}', es: 'nivel {v}', zh: '级别为{v}的行' },
  'with a': { de: 'mit {v}', fr: 'avec {v}', es: 'con {v}', zh: '含{v}的行' },
  with: { de: 'mit {v}', fr: 'avec {v}', es: 'con {v}', zh: '含{v}的行' },
  'that start with': { de: 'mit {v} am Anfang', fr: 'commençant par {v}', es: 'que empiezan por {v}', zh: '以{v}开头的行' },
  'that end with': { de: 'mit {v} am Ende', fr: 'finissant par {v}', es: 'que terminan en {v}', zh: '以{v}结尾的行' },
  from: { de: 'von {v}', fr: 'de {v}', es: 'de {v}', zh: '时间在{v}的行' },
  'with more characters than': {
    de: 'länger als {v} Zeichen',
    fr: 'plus de {v} caractères',
    es: 'más de {v} caracteres',
    zh: '多于{v}个字符的行',
  },
  'with fewer characters than': {
    de: 'kürzer als {v} Zeichen',
    fr: 'moins de {v} caractères',
    es: 'menos de {v} caracteres',
    zh: '少于{v}个字符的行',
  },
}
const links: { readonly [link: string]: InEachLanguage } = {
  or: { de: ' oder ', fr: ' ou ', es: ' o ', zh: '或' },
  and: { de: ' und ', fr: ' et ', es: ' y ', zh: '和' },
  to: { de: ' bis ', fr: ' à ', es: ' a ', zh: '到' },
}
const quotes: InEachLanguage = { de: '„$1“', fr: '«\u00A0$1\u00A0»', es: '«$1»', zh: '“$1”' }

const test = new RegExp(`^(keep|remove) those (${Object.keys(tests).join('|')}) (“[^”]*”(?: (?:or|and|to) “[^”]*”)*)$`)

function writeTest(text: string, language: AnswerLanguage): string | undefined {
  const [, verb, name = '', values = ''] = test.exec(text) ?? []
  const form = tests[name]?.[language]
  if (verb === undefined || form === undefined) return undefined
  const written = values
    .replace(/(?<=”) (or|and|to) (?=“)/g, (all, link: string) => links[link]?.[language] ?? all)
    .replace(/“([^”]*)”/g, quotes[language])
  return (wholes[language][verb === 'keep' ? 0 : 1] ?? '').replace('{v}', form).replace('{v}', () => written)
}

/** Where a list of steps is divided: not before `descending`, which belongs to the step before it. */
const stepBreaks = /, (?=(?:keep|remove|sort by|unique|number|bullets|reverse|trim|upper case|lower case|title case|join|count)\b)/

export const translateLineSteps: SlotWriter = (text, context) => {
  const parts = text.split(stepBreaks).map((part) => writeTest(part, context.language) ?? translateSentence(part, lineSteps, context))
  return parts.includes(undefined) ? undefined : parts.join(context.language === 'zh' ? '；' : '; ')
}
