/** Nouns that follow a number: `3 weeks` is 3 Wochen, and `1 week` is 1 Woche. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { writeLocalNumber } from './write-local-number.ts'

/** `English singular = German; French; Spanish; Chinese`, each as `one/many`. */
const lines = `
day = Tag/Tage; jour/jours; día/días; 天
week = Woche/Wochen; semaine/semaines; semana/semanas; 周
month = Monat/Monate; mois; mes/meses; 个月
year = Jahr/Jahre; an/ans; año/años; 年
hour = Stunde/Stunden; heure/heures; hora/horas; 小时
minute = Minute/Minuten; minute/minutes; minuto/minutos; 分钟
working day = Arbeitstag/Arbeitstage; jour ouvré/jours ouvrés; día laborable/días laborables; 个工作日
weekend day = Wochenendtag/Wochenendtage; jour de week-end/jours de week-end; día de fin de semana/días de fin de semana; 个周末日
Monday = Montag/Montage; lundi/lundis; lunes; 个星期一
Tuesday = Dienstag/Dienstage; mardi/mardis; martes; 个星期二
Wednesday = Mittwoch/Mittwoche; mercredi/mercredis; miércoles; 个星期三
Thursday = Donnerstag/Donnerstage; jeudi/jeudis; jueves; 个星期四
Friday = Freitag/Freitage; vendredi/vendredis; viernes; 个星期五
Saturday = Samstag/Samstage; samedi/samedis; sábado/sábados; 个星期六
Sunday = Sonntag/Sonntage; dimanche/dimanches; domingo/domingos; 个星期日
word = Wort/Wörter; mot/mots; palabra/palabras; 个单词
character = Zeichen; caractère/caractères; carácter/caracteres; 个字符
sentence = Satz/Sätze; phrase/phrases; frase/frases; 个句子
letter = Buchstabe/Buchstaben; lettre/lettres; letra/letras; 个字母
line = Zeile/Zeilen; ligne/lignes; línea/líneas; 行
item = Eintrag/Einträge; élément/éléments; elemento/elementos; 项
different word = verschiedenes Wort/verschiedene Wörter; mot différent/mots différents; palabra distinta/palabras distintas; 个不同的单词
different line = verschiedene Zeile/verschiedene Zeilen; ligne différente/lignes différentes; línea distinta/líneas distintas; 个不同的行
different item = verschiedener Eintrag/verschiedene Einträge; élément différent/éléments différents; elemento distinto/elementos distintos; 个不同的项
syllable = Silbe/Silben; syllabe/syllabes; sílaba/sílabas; 个音节
duplicate = Duplikat/Duplikate; doublon/doublons; duplicado/duplicados; 个重复项
open to-do = offene Aufgabe/offene Aufgaben; tâche ouverte/tâches ouvertes; tarea pendiente/tareas pendientes; 个待办事项
member = Element/Elemente; membre/membres; miembro/miembros; 个成员
match = Treffer/Treffer; correspondance/correspondances; coincidencia/coincidencias; 处匹配
paragraph = Absatz/Absätze; paragraphe/paragraphes; párrafo/párrafos; 个段落
e-mail address = E-Mail-Adresse/E-Mail-Adressen; adresse e-mail/adresses e-mail; dirección de correo/direcciones de correo; 个电子邮件地址
link = Link/Links; lien/liens; enlace/enlaces; 个链接
telephone number = Telefonnummer/Telefonnummern; numéro de téléphone/numéros de téléphone; número de teléfono/números de teléfono; 个电话号码
IBAN = IBAN/IBANs; IBAN; IBAN; 个 IBAN
card number = Kartennummer/Kartennummern; numéro de carte/numéros de carte; número de tarjeta/números de tarjeta; 个卡号
IP address = IP-Adresse/IP-Adressen; adresse IP/adresses IP; dirección IP/direcciones IP; 个 IP 地址
date = Datum/Daten; date/dates; fecha/fechas; 个日期
amount of money = Geldbetrag/Geldbeträge; montant/montants; importe/importes; 个金额
percentage = Prozentwert/Prozentwerte; pourcentage/pourcentages; porcentaje/porcentajes; 个百分比
hashtag = Hashtag/Hashtags; hashtag/hashtags; etiqueta/etiquetas; 个话题标签
mention = Erwähnung/Erwähnungen; mention/mentions; mención/menciones; 个提及
number = Zahl/Zahlen; nombre/nombres; número/números; 个数字
`

type Noun = InEachLanguage<readonly [one: string, many: string]>

const pairOf = (text: string): readonly [string, string] => {
  const [one = '', many = one] = text.split('/').map((part) => part.trim())
  return [one, many]
}

const nouns = new Map(
  lines.split('\n').flatMap((line): (readonly [string, Noun])[] => {
    const [english = '', others = ''] = line.split(' = ')
    const [de = '', fr = '', es = '', zh = ''] = others.split(';')
    return others === '' ? [] : [[english, { de: pairOf(de), fr: pairOf(fr), es: pairOf(es), zh: pairOf(zh) }]]
  }),
)

/** French counts 0 and 1.5 in the singular, too. */
export const isSingular = (value: number, language: AnswerLanguage): boolean =>
  language === 'fr' ? Math.abs(value) < 2 : Math.abs(value) === 1

/** The noun of `days` or `e-mail addresses`, as it follows a number. */
function nounOf(english: string): Noun | undefined {
  return (
    nouns.get(english) ??
    nouns.get(english.replace(/s$/, '')) ??
    nouns.get(english.replace(/es$/, '')) ??
    nouns.get(english.replace('amounts', 'amount'))
  )
}

/** The noun alone, for several. */
export const writePlural = (english: string, language: AnswerLanguage): string | undefined => nounOf(english)?.[language][1]

const none: InEachLanguage<(noun: Noun) => string> = {
  de: ({ de: [, many] }) => `0 ${many}`,
  fr: ({ fr: [one] }) => `0 ${one}`,
  es: ({ es: [, many] }) => `0 ${many}`,
  zh: ({ zh: [one] }) => `0 ${one}`,
}

/** Small numbers that people write as words. */
const numberWords = ' one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** `4 weeks` or `no links`; undefined if it is no number with a known noun. */
export function writeCountedNoun(text: string, language: AnswerLanguage): string | undefined {
  const [, amount = '', english = ''] = /^(\S+) (.+)$/.exec(text) ?? []
  const noun = nounOf(english)
  if (!noun) return undefined
  if (amount === 'no') return none[language](noun)
  const word = numberWords.indexOf(amount.toLowerCase())
  const digits = amount === 'a' ? '1' : word > 0 ? String(word) : amount
  if (!/^\d[\d,]*(?:\.\d+)?$/.test(digits)) return undefined
  const [one, many] = noun[language]
  return `${writeLocalNumber(digits, language)} ${isSingular(Number(digits.replaceAll(',', '')), language) ? one : many}`
}
