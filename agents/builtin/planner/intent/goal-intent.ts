/** A goal as planning reads it, and what parsing makes of it. */
import type { ArtifactRef, GivenValue, Json } from '@parley/protocol'
import type { AnswerLanguage } from '../../tools/answer-translation/answer-languages.ts'
import type { AvailableInput, WantedOutput } from '../plan/plan.ts'

export type GoalInput = {
  readonly text: string
  /** What the client wrote first, if `text` is a reading that the client chose. The answer is in its language. */
  readonly originalText?: string
  readonly criteria: readonly string[]
  readonly attachments: readonly ArtifactRef[]
  /** The beginning of each text attachment that is known, by SHA-256. */
  readonly heads?: { readonly [sha256: string]: { readonly text: string; readonly isWhole: boolean } }
  /** The client's answers in the room, in order. */
  readonly answers: readonly string[]
  /** Values that the client gives for typed inputs. */
  readonly values?: readonly GivenValue[]
  /** The language in which the client wrote, if the text is translated. */
  readonly language?: AnswerLanguage
}

/** An input of a skill that the goal does not give. `data`: what it has of it; `faults`: what is missing or wrong. */
export type NeededInput = {
  readonly agentId: string
  readonly handle: string
  readonly skillId: string
  readonly skill: string
  readonly port: string
  readonly type: string
  readonly schema: { readonly [key: string]: Json }
  readonly data: { readonly [key: string]: Json }
  readonly faults: readonly string[]
}

/** What the goal asks for and what it provides. `summary`: one sentence for the client. */
export type GoalIntent = { readonly wants: readonly WantedOutput[]; readonly givens: readonly AvailableInput[]; readonly summary: string }
/**
 * An intent, a question to the client, or the reason why no one online can do it. `unmatched`: the goal's text, if perhaps no offer
 * matches it.
 */
export type ParsedGoal =
  | { readonly intent: GoalIntent }
  | {
      readonly question: string
      readonly unmatched?: string
      /** What the client may ask for instead. */
      readonly hint?: string
      readonly needs?: readonly NeededInput[]
    }
  | { readonly reason: string }
