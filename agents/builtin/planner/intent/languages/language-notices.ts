/** What a client reads in the language of the goal. */
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-language.ts'

type LanguageNotices = {
  /** Names the words that no phrase covers. */
  readonly unread: string
  /** Precedes the summary of a plan. */
  readonly planned: string
  /** The same, if the answer is in the language. */
  readonly plannedInLanguage: string
  /** Precedes a question in the language. */
  readonly understood: string
  /** Precedes a question in English. */
  readonly question: string
  /** Precedes a reason in English. */
  readonly declined: string
}

export const languageNotices: { readonly [language in AnswerLanguage]: LanguageNotices } = {
  de: {
    unread: 'Nicht verstanden: {words}. Lassen Sie das weg, oder sagen Sie es mit anderen Worten.',
    planned: 'Auf Englisch gelesen als: „{reading}“. Die Antwort ist auf Englisch.',
    plannedInLanguage: 'Auf Englisch gelesen als: „{reading}“. Die Antwort ist auf Deutsch; wo keine Übersetzung passt, auf Englisch.',
    understood: 'Auf Englisch gelesen als: „{reading}“.',
    question: 'Auf Englisch gelesen als: „{reading}“. Die Rückfrage ist auf Englisch.',
    declined: 'Keine verfügbare Fähigkeit passt zu diesem Ziel. Ohne Sprachmodell werden nur einfache deutsche Anfragen verstanden.',
  },
  fr: {
    unread: 'Non compris : {words}. Retirez ces mots ou dites-le autrement.',
    planned: 'Lu en anglais : « {reading} ». La réponse sera en anglais.',
    plannedInLanguage: 'Lu en anglais : « {reading} ». La réponse sera en français, ou en anglais si aucune traduction ne convient.',
    understood: 'Lu en anglais : « {reading} ».',
    question: 'Lu en anglais : « {reading} ». La question est en anglais.',
    declined:
      'Aucune compétence disponible ne correspond à cet objectif. Sans modèle, seules des demandes simples en français sont comprises.',
  },
  es: {
    unread: 'No se entiende: {words}. Quite esas palabras o dígalo de otra manera.',
    planned: 'Leído en inglés: «{reading}». La respuesta será en inglés.',
    plannedInLanguage: 'Leído en inglés: «{reading}». La respuesta será en español, o en inglés si ninguna traducción sirve.',
    understood: 'Leído en inglés: «{reading}».',
    question: 'Leído en inglés: «{reading}». La pregunta está en inglés.',
    declined: 'Ninguna habilidad disponible sirve para este objetivo. Sin un modelo, solo se entienden peticiones sencillas en español.',
  },
  zh: {
    unread: '未能理解：{words}。请删去这些词，或换一种说法。',
    planned: '按英文理解为：“{reading}”。答案将用英文给出。',
    plannedInLanguage: '按英文理解为：“{reading}”。答案将用中文给出；没有合适译文时用英文。',
    understood: '按英文理解为：“{reading}”。',
    question: '按英文理解为：“{reading}”。以下问题为英文。',
    declined: '没有可用的技能能完成这个目标。没有语言模型时，只能理解简单的中文请求。',
  },
}
