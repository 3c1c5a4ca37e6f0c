/// <reference lib="esnext.temporal" />
/** Reads a deadline over several clauses, such as "payment within 10 working days from 3 December. When is the last day?" */

import { stripPoliteness } from '../strip-politeness.ts'
import { type DateContext, findDates, findSpans } from './find-dates.ts'
import { splitSentences } from './split-sentences.ts'

export type ReadDeadline = {
  /** As one phrase, such as `10 working days after 2026-12-03`. */ readonly question: string
  readonly ambiguous: readonly string[]
}

/** Words that could move the day in ways that are not read here. */
const risky =
  /\b(?:not|no|except|excluding|exclude|excl|holidays?|off|without|first|second|third|every|each|extend(?:ed|s)?|another|half|twice|times|or|unless|late|end of|month end|whichever|latest of|earliest|between|until|till|reminder|write|draft|plan|schedule|book|remind|send|midnight|noon|hours?|minutes?|pm|am|o'clock|inclusive|including|count(?:ing|s)?|start counting|receipt|weekend|weekends|shift(?:ed)?|court|delay(?:ed|s)?|paused?|today)\b/
const asksDate =
  /\b(?:when|by when|until when|what date|which date|which day|what day|what is the date|what's the date|whats the date|what is the (?:last|due|latest|final|end)|what's the (?:last|due|latest|final|end)|whats the (?:last|due|latest|final|end)|last (?:possible )?day|due date|deadline)\b[^?]{0,60}$/
const asksStart = /\b(?:start|starts|begin|begins|open|opens)\b/

/** One date, one span, no other number, and a question for the day. */
export function readDeadlineQuestion(text: string, context: DateContext): ReadDeadline | undefined {
  if (text.length > 400) return undefined
  const found = findDates(text, context)
  const spanned = found && findSpans(found.text)
  const [date] = found?.dates ?? []
  const [span] = spanned?.spans ?? []
  if (!found || !date || !spanned || !span || found.dates.length !== 1 || spanned.spans.length !== 1) return undefined
  const words = spanned.text.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ')
  if (/\d/.test(words.replace(/[§¤]0/g, '')) || risky.test(words)) return undefined
  const sentences = splitSentences(words)
  const last = stripPoliteness(sentences.at(-1) ?? '')
  if (sentences.length > 3 || !asksDate.test(last) || asksStart.test(last) || /\bhow\b/.test(words)) return undefined
  const isBefore = /¤0 (?:before|prior to|ahead of) (?:the )?(?:[a-z]+ ){0,4}§0/.test(words)
  if (!isBefore && /\b(?:before|prior|ahead|earlier|back|ago|in advance)\b/.test(words)) return undefined
  const day = date.isRelative || date.isAmbiguous || !date.hasYear ? date.text : date.day.toString()
  return { question: `${span.text} ${isBefore ? 'before' : 'after'} ${day}`, ambiguous: date.isAmbiguous ? [date.text] : [] }
}
