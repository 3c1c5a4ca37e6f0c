/** The languages, besides English, in which tools answer. */

export const answerLanguages = ['de', 'fr', 'es', 'zh'] as const
export type AnswerLanguage = (typeof answerLanguages)[number]

/** One text in each of the languages. */
export type InEachLanguage<Value = string> = { readonly [language in AnswerLanguage]: Value }

export const isAnswerLanguage = (value: unknown): value is AnswerLanguage => answerLanguages.includes(value as AnswerLanguage)
