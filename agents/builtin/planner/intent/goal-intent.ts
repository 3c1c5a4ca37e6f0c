/** A goal as planning reads it, and what parsing makes of it. */
import type { ArtifactRef } from '@parley/protocol'
import type { AnswerLanguage } from '../../tools/languages/answer-language.ts'
import type { AvailableInput, WantedOutput } from '../plan/plan.ts'

export type GoalInput = {
  readonly text: string
  readonly criteria: readonly string[]
  readonly attachments: readonly ArtifactRef[]
  /** The beginning of each text attachment that is known, by SHA-256. */
  readonly heads?: { readonly [sha256: string]: { readonly text: string; readonly isWhole: boolean } }
  /** The client's answers in the room, in order. */
  readonly answers: readonly string[]
  /** The language in which the client wrote, if the text is translated. */
  readonly language?: AnswerLanguage
}

/** What the goal asks for and what it provides. `summary`: one sentence for the client. */
export type GoalIntent = { readonly wants: readonly WantedOutput[]; readonly givens: readonly AvailableInput[]; readonly summary: string }
/**
 * An intent, a question to the client, or the reason why no one online can do it. `unmatched`: the goal's text, if perhaps no offer
 * matches it.
 */
export type ParsedGoal =
  | { readonly intent: GoalIntent }
  | { readonly question: string; readonly unmatched?: string /** What the client may ask for instead. */; readonly hint?: string }
  | { readonly reason: string }
