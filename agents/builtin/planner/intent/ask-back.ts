/** Asks back where a goal names only what it is about, such as “can you help me with my numbers”. */
import type { AnswerLanguage } from '../../tools/answer-translation/answer-languages.ts'

type Subject = 'numbers' | 'text' | 'table' | 'dates'
type Language = AnswerLanguage | 'en'

const end = "(?:[ ,]*(?:please|bitte|svp|s'il (?:vous|te) pla[iî]t|por favor|thanks|danke|merci|gracias|谢谢))?[\\s.!?？。！]*$"
const requests: { readonly [language in Language]: RegExp } = {
  en: new RegExp(
    `^(?:hi|hello|hey)?[ ,!]*(?:please )?(?:can|could|would|will)? ?(?:you |someone |anyone )?(?:please )?(?:(?:i|we) need (?:some )?help|help (?:me|us)|(?:do|look at|work on) (?:something|anything)|(?:look at|check|work on|handle)) ?(?:out )?(?:with|on|about)? ?(?:my|our|some|these|this|the|a) (?<subject>numbers?|figures?|maths?|values?|texts?|document|letter|tables?|spreadsheet|csv|csv file|data|dates?|calendar|schedule)${end}`,
    'i',
  ),
  de: new RegExp(
    `^(?:hallo|hi)?[ ,!]*(?:bitte )?(?:(?:kannst du|können sie|kann jemand|könnten sie|könntest du) (?:mir|uns) (?:bitte )?(?:bei|mit) (?:meinen|meiner|meinem|unseren|unserer|den|der|dem|einer|einem) (?<subject>zahlen|text|tabelle|daten|terminen|datumsangaben) helfen|(?:hilf|helfen sie) (?:mir|uns) (?:bitte )?(?:bei|mit) (?:meinen|meiner|meinem|den|der|dem) (?<subject2>zahlen|text|tabelle|daten|terminen|datumsangaben))${end}`,
    'iu',
  ),
  fr: new RegExp(
    `^(?:bonjour|salut)?[ ,!]*(?:(?:peux-tu|pouvez-vous|tu peux|vous pouvez|pourriez-vous) m'aider|aide[- ]moi|aidez[- ]moi) (?:avec|pour) (?:mes|mon|ma|les|le|la|ces|ce|cette) (?<subject>chiffres|nombres|texte|tableau|données|dates)${end}`,
    'iu',
  ),
  es: new RegExp(
    `^(?:hola)?[ ,!¡¿]*(?:(?:me )?(?:puedes|puede|podrías|podría) (?:me )?ayudar(?:me)?|ayúdame|ayúdeme) con (?:mis|mi|los|las|el|la|estos|estas|este|esta) (?<subject>números|cifras|texto|tabla|datos|fechas)${end}`,
    'iu',
  ),
  zh: /^(?:你好|您好)?[,，]?(?:请|能不能|可以|能|你能|可不可以|你可以)*(?:帮我|帮帮我|帮忙)(?:处理|看看|看一下|弄|弄一下|做)?(?:一下)?(?:我的|这些|这个|这张|这段)?(?<subject>数字|数据|文字|文本|文章|表格|日期)(?:吗|吧)?[\s。！？?!]*$/u,
}

const subjects: readonly (readonly [Subject, RegExp])[] = [
  ['dates', /^(?:dates?|calendar|schedule|terminen|datumsangaben|fechas|日期)$/iu],
  ['text', /^(?:texts?|document|letter|texte|texto|文字|文本|文章)$/iu],
  ['table', /^(?:tables?|spreadsheet|csv|csv file|data|tabelle|daten|tableau|données|tabla|datos|表格|数据)$/iu],
]

const questions: { readonly [language in Language]: { readonly [subject in Subject]: string } } = {
  en: {
    numbers: 'Paste the numbers, and say what you want to know, for example their average.',
    text: 'Paste or attach the text, and say what you want, for example a word count or a summary in three sentences.',
    table: 'Paste or attach the table, and say what you want to know, for example a total for each month.',
    dates: 'Write the dates, and say what you want to know, for example the number of days between them.',
  },
  de: {
    numbers: 'Fügen Sie die Zahlen ein, und sagen Sie, was Sie wissen möchten, zum Beispiel den Durchschnitt.',
    text: 'Fügen Sie den Text ein oder an, und sagen Sie, was Sie brauchen, zum Beispiel die Zahl der Wörter.',
    table: 'Fügen Sie die Tabelle ein oder an, und sagen Sie, was Sie wissen möchten, zum Beispiel die Summe je Monat.',
    dates: 'Schreiben Sie die Daten, und sagen Sie, was Sie wissen möchten, zum Beispiel die Zahl der Tage dazwischen.',
  },
  fr: {
    numbers: 'Collez les nombres et dites ce que vous voulez savoir, par exemple leur moyenne.',
    text: 'Collez ou joignez le texte et dites ce que vous voulez, par exemple le nombre de mots.',
    table: 'Collez ou joignez le tableau et dites ce que vous voulez savoir, par exemple un total par mois.',
    dates: 'Écrivez les dates et dites ce que vous voulez savoir, par exemple le nombre de jours entre elles.',
  },
  es: {
    numbers: 'Pegue los números y diga qué quiere saber, por ejemplo la media.',
    text: 'Pegue o adjunte el texto y diga qué quiere, por ejemplo el número de palabras.',
    table: 'Pegue o adjunte la tabla y diga qué quiere saber, por ejemplo el total de cada mes.',
    dates: 'Escriba las fechas y diga qué quiere saber, por ejemplo los días que hay entre ellas.',
  },
  zh: {
    numbers: '请贴出数字，并说明想知道什么，例如平均值。',
    text: '请贴出或附上文字，并说明需要什么，例如字数。',
    table: '请贴出或附上表格，并说明想知道什么，例如每月的总额。',
    dates: '请写出日期，并说明想知道什么，例如相差多少天。',
  },
}

const maxLength = 160

/** The question in the language of the goal; undefined if the goal says more, or has files. */
export function askBack(text: string): string | undefined {
  const plain = text.trim().replaceAll('’', "'")
  if (plain.length > maxLength) return undefined
  for (const [language, pattern] of Object.entries(requests) as [Language, RegExp][]) {
    const groups = pattern.exec(plain)?.groups
    if (!groups) continue
    const word = groups.subject ?? groups.subject2 ?? ''
    const subject = subjects.find(([, words]) => words.test(word))?.[0] ?? 'numbers'
    return questions[language][subject]
  }
  return undefined
}
