/** What a client reads in the language of the goal. */
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'

type LanguageNotices = {
  /** Names the words that no phrase covers. */
  readonly unread: string
  /** Precedes the summary of a plan of which the answer is in English. */
  readonly planned: string
  /** The same, if the answer is in the language. */
  readonly plannedInLanguage: string
  /** Precedes a question in English. */
  readonly question: string
  /** Precedes a reason in English. */
  readonly declined: string
}

export const languageNotices: { readonly [language in AnswerLanguage]: LanguageNotices } = {
  de: {
    unread: 'Nicht verstanden: {words}. Lassen Sie das weg, oder sagen Sie es mit anderen Worten.',
    planned: 'Die Antwort ist auf Englisch.',
    plannedInLanguage: 'Die Antwort ist auf Deutsch; wo keine Übersetzung passt, auf Englisch.',
    question: 'Die Rückfrage ist auf Englisch.',
    declined: 'Keine verfügbare Fähigkeit passt zu diesem Ziel. Ohne Sprachmodell werden nur einfache deutsche Anfragen verstanden.',
  },
  fr: {
    unread: 'Non compris : {words}. Retirez ces mots ou dites-le autrement.',
    planned: 'La réponse sera en anglais.',
    plannedInLanguage: 'La réponse sera en français, ou en anglais si aucune traduction ne convient.',
    question: 'La question est en anglais.',
    declined:
      'Aucune compétence disponible ne correspond à cet objectif. Sans modèle, seules des demandes simples en français sont comprises.',
  },
  es: {
    unread: 'No se entiende: {words}. Quite esas palabras o dígalo de otra manera.',
    planned: 'La respuesta será en inglés.',
    plannedInLanguage: 'La respuesta será en español, o en inglés si ninguna traducción sirve.',
    question: 'La pregunta está en inglés.',
    declined: 'Ninguna habilidad disponible sirve para este objetivo. Sin un modelo, solo se entienden peticiones sencillas en español.',
  },
  zh: {
    unread: '未能理解：{words}。请删去这些词，或换一种说法。',
    planned: '答案将用英文给出。',
    plannedInLanguage: '答案将用中文给出；没有合适译文时用英文。',
    question: '以下问题为英文。',
    declined: '没有可用的技能能完成这个目标。没有语言模型时，只能理解简单的中文请求。',
  },
}
