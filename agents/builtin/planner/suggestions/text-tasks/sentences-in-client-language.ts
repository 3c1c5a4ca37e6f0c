/** Sentences on a text in the client's language, before the English one. */
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import type { NamedKind } from './find-requested-entity-kinds.ts'

export type TextSentence =
  | 'redact'
  | 'extract'
  | 'summary'
  | 'keywords'
  | 'readability'
  | 'language'
  | 'words'
  | 'unique'
  | 'uniqueSorted'
  | 'sorted'

type Template = (kinds: string, count: number | undefined) => string
type Templates = { readonly [name in TextSentence]?: Template }

const templates: { readonly [language in AnswerLanguage]: Templates } = {
  de: {
    redact: (kinds) => `Schwärze alle ${kinds}`,
    extract: (kinds) => `Liste alle ${kinds} im Text auf`,
    summary: (_, count) => (count === undefined ? 'Fasse den Text zusammen' : `Fasse den Text in ${count} Sätzen zusammen`),
    keywords: () => 'Nenne die Stichwörter des Textes',
    language: () => 'Welche Sprache hat der Text?',
    words: () => 'Wie viele Wörter hat der Text?',
    unique: () => 'Entferne doppelte Zeilen',
    uniqueSorted: () => 'Entferne doppelte Zeilen und sortiere alphabetisch',
    sorted: () => 'Sortiere die Zeilen alphabetisch',
  },
  fr: {
    redact: (kinds) => `Masque ${kinds}`,
    extract: (kinds) => `Extrais ${kinds} du texte`,
    summary: (_, count) => (count === undefined ? 'Résume le texte' : `Résume le texte en ${count} phrases`),
    words: () => 'Combien de mots contient le texte ?',
    unique: () => 'Supprime les lignes en double',
    uniqueSorted: () => 'Supprime les lignes en double et trie par ordre alphabétique',
    sorted: () => 'Trie les lignes par ordre alphabétique',
  },
  es: {
    redact: (kinds) => `Oculta ${kinds}`,
    extract: (kinds) => `Extrae ${kinds} del texto`,
    summary: (_, count) => (count === undefined ? 'Resume el texto' : `Resume el texto en ${count} frases`),
    words: () => '¿Cuántas palabras tiene el texto?',
    unique: () => 'Elimina las líneas duplicadas',
    uniqueSorted: () => 'Elimina las líneas duplicadas y ordena alfabéticamente',
    sorted: () => 'Ordena las líneas alfabéticamente',
  },
  zh: {
    redact: (kinds) => `隐藏所有${kinds}`,
    extract: (kinds) => `提取所有${kinds}`,
    summary: (_, count) => (count === undefined ? '总结这段文字' : `用${count}句话总结这段文字`),
    keywords: () => '列出这段文字的关键词',
    words: () => '这段文字有多少字？',
  },
}

const kindNames: { readonly [language in AnswerLanguage]: { readonly [kind: string]: string } } = {
  de: { email: 'E-Mail-Adressen', phone: 'Telefonnummern', iban: 'IBANs', ip: 'IP-Adressen', url: 'Links' },
  fr: { email: 'les adresses e-mail', phone: 'les numéros de téléphone', iban: 'les IBAN', ip: 'les adresses IP', url: 'les liens' },
  es: { email: 'los correos electrónicos', phone: 'los teléfonos', iban: 'los IBAN', ip: 'las direcciones IP', url: 'los enlaces' },
  zh: { email: '邮箱', phone: '电话号码', ip: 'IP地址', url: '链接' },
}
const and = { de: ' und ', fr: ' et ', es: ' y ', zh: '和' } as const

export type SentenceOnText = {
  readonly english: string
  readonly name: TextSentence
  readonly kinds?: readonly NamedKind[]
  /** Of sentences in a summary. */
  readonly count?: number | undefined
}

/** The sentence in the client's language, if there is one, and the English one. */
export function sentencesInClientLanguage(language: AnswerLanguage | 'en', { english, name, kinds = [], count }: SentenceOnText): string[] {
  if (language === 'en') return [english]
  const names = kinds.map(({ kind }) => kindNames[language][kind])
  const template = templates[language][name]
  if (!template || names.some((one) => one === undefined)) return [english]
  return [template(names.join(and[language]), count), english]
}
