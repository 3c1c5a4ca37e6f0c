/** One goal of the corpus: what a person writes, and what must come of it. */
export const languages = ['en', 'de', 'fr', 'es', 'zh'] as const
export const kinds = ['clear', 'vague', 'impossible', 'hostile', 'off_topic', 'rambling'] as const

export type GoalCase = {
  readonly language: (typeof languages)[number]
  readonly kind: (typeof kinds)[number]
  readonly text: string
  readonly files: readonly { readonly name: string; readonly content: string }[]
  /** `delivered`: a skill covers it. `declined`: no one online can do it, so it is declined or asked about before any money moves. */
  readonly expected: 'delivered' | 'declined'
  /**
   * The suggested reading that the client means, if the planner reads the text not directly. Nothing else is ever chosen.
   */
  readonly chooses?: RegExp
  /** What the answer or a file must say. Commas between digits are ignored. */
  readonly answers: readonly RegExp[]
}

type Options = { readonly language?: GoalCase['language']; readonly kind?: GoalCase['kind']; readonly files?: GoalCase['files'] }

export const delivered = (text: string, answers: RegExp | readonly RegExp[], options: Options = {}): GoalCase => ({
  language: options.language ?? 'en',
  kind: options.kind ?? 'clear',
  text,
  files: options.files ?? [],
  expected: 'delivered',
  answers: answers instanceof RegExp ? [answers] : answers,
})

/** A goal in words that no rule reads: the client picks the matching suggestion, if there is one. */
export const suggested = (text: string, chooses: RegExp, answers: RegExp | readonly RegExp[], options: Options = {}): GoalCase => ({
  ...delivered(text, answers, options),
  chooses,
})

export const declined = (
  text: string,
  kind: GoalCase['kind'],
  { language = 'en', files = [] }: { readonly language?: GoalCase['language']; readonly files?: GoalCase['files'] } = {},
): GoalCase => ({ language, kind, text, files, expected: 'declined', answers: [] })
