/** Reads a sentence from left to right by phrases, so that no word of it stays unread. */

/**
 * A sticky pattern, and what it means. False: the phrase does not fit here. A number: the place up to which more was read.
 */
export type Phrase<State> = readonly [pattern: RegExp, read: (state: State, match: RegExpExecArray) => boolean | number]

/** A phrase of whole words. */
export const phraseOf = (source: string): RegExp => new RegExp(`(?:${source})(?![\\p{L}\\p{N}_]|['’]\\p{L})`, 'yu')

/** The pattern of a set of words: `(?:a|b)`. */
export const anyOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`

const gap = /[\s,;:.()!?&+/–—-]*/y

/**
 * At each place the first phrase that fits is read.
 * @returns the place after the last read word; the length of the sentence if all was read
 */
export function scanPhrases<State>(sentence: string, phrases: readonly Phrase<State>[], state: State): number {
  let at = skipGap(sentence, 0)
  while (at < sentence.length) {
    const next = readPhrase(sentence, at, phrases, state)
    if (next === undefined) return at
    at = skipGap(sentence, next)
  }
  return at
}

function skipGap(sentence: string, at: number): number {
  gap.lastIndex = at
  return at + (gap.exec(sentence)?.[0].length ?? 0)
}

function readPhrase<State>(sentence: string, at: number, phrases: readonly Phrase<State>[], state: State): number | undefined {
  for (const [pattern, read] of phrases) {
    pattern.lastIndex = at
    const match = pattern.exec(sentence)
    if (!match || match[0] === '') continue
    const end = read(state, match)
    if (end !== false) return typeof end === 'number' ? end : at + match[0].length
  }
  return undefined
}

/** Words that point to the text: `in the attached log file`. */
export const textPointer =
  '(?:(?:in|of|from|on|for|within|inside|out of|to|through|throughout|across) )?(?:(?:the|this|that|my|our|these|those|your|an?) )?(?:(?:attached|following|pasted|above|below|given|uploaded|enclosed|whole|entire|server|app|application|web|access|error|system|text|log|plain|meeting) )*(?:text|txt|log|logs|logfile|file|files|document|documents|list|contents?|snippet|excerpt|output|notes?|letter|article|paragraph|passage|email body|message|transcript|attachment|page|essay|story|mess|dump|export|thread|chat|protocol|minutes|complaint|contract|lease|label)(?: (?:file|files|below|above|here|i attached|attached|i pasted))*|(?:(?:in|of|from|for) )?(?:the following|the given|the quoted|this) (?:sentence|string|phrase|quote|word)'
